import type { Api } from '../api/client.ts';
import type { DocumentLook } from '../api/updates-api.ts';
import { newId } from '../api/new-id.ts';
import { isCode } from '../api/problem.ts';
import { createStoredValue } from '../live/store.ts';
import type { KeyedStorage, Store } from '../live/store.ts';
import type { Mode } from '../shell/preferences.ts';

/** What is known of a file; `found` is null for one that need not, or could not, be looked at. */
type Look =
  | { state: 'reading' }
  | { state: 'read'; found: DocumentLook | null }
  | { state: 'refused'; reason: string };
export type Attached = { id: string; name: string; file: File; preview: string | null; look: Look };
export type Composer = {
  /** What was typed, each under what it is for. */
  texts: Readonly<Record<string, string>>;
  attached: readonly Attached[];
  /** The inbox item that is answered. */
  item: string | null;
  /** The update that was sent last and is still looked at. */
  following: string | null;
};

/** Survives that the page is loaded anew, except for files, which the browser gives only once. */
export function createComposer(storage: KeyedStorage): Store<Composer> {
  return createStoredValue<Composer>(
    storage,
    'keepsake.composer',
    (stored) => {
      const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Composer>;
      const { texts = {}, item = null, following = null } = given;
      return { texts, attached: [], item, following };
    },
    ({ texts, item, following }) => ({ texts, item, following }),
  );
}

/** What is composed: an answer only while there is an item that it answers. */
export function modeFor(chosen: Mode, item: string | null): Mode {
  return chosen === 'answer' && item === null ? 'file' : chosen;
}

/** A note, a question, and the answer to each item of the inbox are texts of their own: none takes the place of another. */
export function draftFor(mode: Mode, item: string | null): string {
  return mode === 'answer' ? `answer:${item ?? ''}` : mode;
}

export function setText(composer: Store<Composer>, draft: string, text: string): void {
  composer.set((all) => {
    const { [draft]: _, ...others } = all.texts;
    return { ...all, texts: text === '' ? others : { ...others, [draft]: text } };
  });
}

/** What turns out to be a question, or a note, goes along to where nothing is typed yet. An answer stays with its item. */
export function carryText(composer: Store<Composer>, from: Mode, to: Mode): void {
  const { texts } = composer.get();
  if (from === to || from === 'answer' || to === 'answer' || (texts[to] ?? '') !== '') return;
  setText(composer, to, texts[from] ?? '');
  setText(composer, from, '');
}

type Sendable = {
  mode: Mode;
  typed: string;
  attached: readonly Pick<Attached, 'look'>[];
  item: string | null;
};

/** Whether there is something to send, and all of it could be read. */
export function canSend({ mode, typed, attached: files, item }: Sendable): boolean {
  const hasWords = typed.trim() !== '';
  const areRead = files.every(({ look }) => look.state === 'read');
  switch (mode) {
    case 'ask':
      return hasWords;
    case 'file':
      return areRead && (hasWords || files.length > 0);
    case 'answer':
      return areRead && item !== null && hasWords;
  }
}

/** After it was sent: what was typed meanwhile stays. */
export function forgetText(composer: Store<Composer>, draft: string, sent: string): void {
  if (composer.get().texts[draft] === sent) setText(composer, draft, '');
}

export const composerId = 'composer-text';

/** After the views have settled, as when a dialog that had the focus is closing. */
export function focusComposer(): void {
  setTimeout(() => document.querySelector<HTMLElement>(`#${composerId}`)?.focus(), 30);
}

const largestTogether = 60_000_000;

/** Takes files along, and has those looked at that may turn out not to be readable. False when it is too much. */
export function attach(composer: Store<Composer>, files: Iterable<File>, api: Api): boolean {
  const fresh = [...files].map(attached);
  const all = [...composer.get().attached, ...fresh];
  if (all.reduce((sum, { file }) => sum + file.size, 0) > largestTogether) return false;
  composer.set((state) => ({ ...state, attached: [...state.attached, ...fresh] }));
  for (const each of fresh) if (each.look.state === 'reading') void lookAt(composer, each, api);
  return true;
}

async function lookAt(composer: Store<Composer>, { id, file, name }: Attached, api: Api): Promise<void> {
  const look = await api.updates.lookAt(file, name).then(
    (found): Look => ({ state: 'read', found }),
    // Who cannot be asked now says it when it is sent.
    (error: unknown): Look =>
      isCode(error, 'refused') ? { state: 'refused', reason: error.message } : { state: 'read', found: null },
  );
  composer.set((state) => ({
    ...state,
    attached: state.attached.map((each) => (each.id === id ? { ...each, look } : each)),
  }));
}

export function detach(composer: Store<Composer>, id: string): void {
  for (const each of composer.get().attached)
    if (each.id === id && each.preview !== null) URL.revokeObjectURL(each.preview);
  composer.set((state) => ({ ...state, attached: state.attached.filter((each) => each.id !== id) }));
}

function attached(file: File): Attached {
  const isImage = /^image\/(?:png|jpeg|gif|webp)$/.test(file.type);
  const isPlain = isImage || /\.(?:md|markdown|txt|text)$/i.test(file.name);
  return {
    id: newId(),
    name: file.name === '' ? 'pasted' : file.name,
    file,
    preview: isImage ? URL.createObjectURL(file) : null,
    look: isPlain ? { state: 'read', found: null } : { state: 'reading' },
  };
}
