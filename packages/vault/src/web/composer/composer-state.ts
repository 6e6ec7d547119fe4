import type { Api } from '../api/client.ts';
import type { DocumentInfo } from '../api/updates-api.ts';
import { createId } from '../api/create-id.ts';
import { hasErrorCode } from '../api/api-error.ts';
import { createPersistentStore } from '../live/store.ts';
import type { KeyValueStorage, Store } from '../live/store.ts';
import type { ComposerMode } from '../shell/preferences.ts';

/** The state of inspecting a file; `found` is null if inspection was unnecessary or not possible. */
type InspectionState =
  | { state: 'pending' }
  | { state: 'done'; found: DocumentInfo | null }
  | { state: 'rejected'; reason: string };
export type ComposerAttachment = {
  id: string;
  name: string;
  file: File;
  preview: string | null;
  inspection: InspectionState;
};
export type ComposerState = {
  /** The drafts by `draftKey`. */
  texts: Readonly<Record<string, string>>;
  attached: readonly ComposerAttachment[];
  /** The inbox item that the user is answering. */
  item: string | null;
  /** The update that was sent last, whose progress is still shown. */
  following: string | null;
};

/** The state survives a reload, except for attached files, which a page cannot open again. */
export function createComposer(storage: KeyValueStorage): Store<ComposerState> {
  return createPersistentStore<ComposerState>(
    storage,
    'keepsake.composer',
    (stored) => {
      const saved = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<ComposerState>;
      const { texts = {}, item = null, following = null } = saved;
      return { texts, attached: [], item, following };
    },
    ({ texts, item, following }) => ({ texts, item, following }),
  );
}

/** The effective mode: `answer` needs an inbox item, otherwise it falls back to `file`. */
export function resolveMode(chosen: ComposerMode, item: string | null): ComposerMode {
  return chosen === 'answer' && item === null ? 'file' : chosen;
}

/** The key of a draft. The note, the question and the answer to each inbox item are separate drafts. */
export function draftKey(mode: ComposerMode, item: string | null): string {
  return mode === 'answer' ? `answer:${item ?? ''}` : mode;
}

export function setDraftText(composer: Store<ComposerState>, draft: string, text: string): void {
  composer.set((all) => {
    const { [draft]: _, ...others } = all.texts;
    return { ...all, texts: text === '' ? others : { ...others, [draft]: text } };
  });
}

/** Moves the text between the modes for notes and questions if the other draft is empty. An answer stays with its item. */
export function carryText(composer: Store<ComposerState>, from: ComposerMode, to: ComposerMode): void {
  const { texts } = composer.get();
  if (from === to || from === 'answer' || to === 'answer' || (texts[to] ?? '') !== '') return;
  setDraftText(composer, to, texts[from] ?? '');
  setDraftText(composer, from, '');
}

/** Appends a draft to the note that is being written. */
export function moveToNote(composer: Store<ComposerState>, from: string): void {
  const { texts } = composer.get();
  const note = [texts['file'], texts[from]].filter(Boolean).join('\n\n');
  setDraftText(composer, 'file', note);
  setDraftText(composer, from, '');
}

type Sendable = {
  mode: ComposerMode;
  typed: string;
  attached: readonly Pick<ComposerAttachment, 'inspection'>[];
  item: string | null;
};

/** Whether there is something to send, and all attachments are readable. */
export function canSend({ mode, typed, attached: files, item }: Sendable): boolean {
  const hasWords = typed.trim() !== '';
  const areRead = files.every(({ inspection }) => inspection.state === 'done');
  switch (mode) {
    case 'ask':
      return hasWords;
    case 'file':
      return areRead && (hasWords || files.length > 0);
    case 'answer':
      return areRead && item !== null && hasWords;
  }
}

/** Clears a draft after sending, unless the user has changed it since. */
export function clearSentText(composer: Store<ComposerState>, draft: string, sent: string): void {
  if (composer.get().texts[draft] === sent) setDraftText(composer, draft, '');
}

export const composerInputId = 'composer-text';

/** Focuses the composer after a delay, because a closing dialog may still take the focus. */
export function focusComposer(): void {
  setTimeout(() => document.querySelector<HTMLElement>(`#${composerInputId}`)?.focus(), 30);
}

const maxAttachmentBytes = 60_000_000;

/** Adds attachments and lets the server inspect those that may be unreadable. Returns false if they are too large in total. */
export function addAttachments(composer: Store<ComposerState>, files: Iterable<File>, api: Api): boolean {
  const fresh = [...files].map(toAttachment);
  const all = [...composer.get().attached, ...fresh];
  if (all.reduce((sum, { file }) => sum + file.size, 0) > maxAttachmentBytes) return false;
  composer.set((state) => ({ ...state, attached: [...state.attached, ...fresh] }));
  for (const each of fresh)
    if (each.inspection.state === 'pending') void inspectAttachment(composer, each, api);
  return true;
}

async function inspectAttachment(
  composer: Store<ComposerState>,
  { id, file, name }: ComposerAttachment,
  api: Api,
): Promise<void> {
  const inspection = await api.updates.inspectDocument(file, name).then(
    (found): InspectionState => ({ state: 'done', found }),
    // Other errors do not block sending, which will report them.
    (error: unknown): InspectionState =>
      hasErrorCode(error, 'refused')
        ? { state: 'rejected', reason: error.message }
        : { state: 'done', found: null },
  );
  composer.set((state) => ({
    ...state,
    attached: state.attached.map((each) => (each.id === id ? { ...each, inspection } : each)),
  }));
}

export function removeAttachment(composer: Store<ComposerState>, id: string): void {
  for (const each of composer.get().attached)
    if (each.id === id && each.preview !== null) URL.revokeObjectURL(each.preview);
  composer.set((state) => ({ ...state, attached: state.attached.filter((each) => each.id !== id) }));
}

function toAttachment(file: File): ComposerAttachment {
  const isImage = /^image\/(?:png|jpeg|gif|webp)$/.test(file.type);
  const isPlain = isImage || /\.(?:md|markdown|txt|text)$/i.test(file.name);
  return {
    id: createId(),
    name: file.name === '' ? 'pasted' : file.name,
    file,
    preview: isImage ? URL.createObjectURL(file) : null,
    inspection: isPlain ? { state: 'done', found: null } : { state: 'pending' },
  };
}
