import { z } from 'zod';
import { countOmitted, mergeConsecutiveTurns, normalizeTitle } from './conversation.ts';
import type { Conversation, OmittedParts, Turn } from './conversation.ts';
import { createDraftFormatter } from './drafts.ts';
import type { DraftChange } from './drafts.ts';

const file = z.looseObject({
  file_name: z.string().nullish(),
  extracted_content: z.string().nullish(),
});

const part = z.looseObject({
  type: z.string().nullish(),
  text: z.string().nullish(),
  name: z.string().nullish(),
  input: z.unknown().optional(),
});

const message = z.looseObject({
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(part).nullish(),
  attachments: z.array(file).nullish(),
  files: z.array(file).nullish(),
});

const conversation = z.looseObject({
  uuid: z.string(),
  name: z.string().nullish(),
  model: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
});

/** Parses one conversation of a Claude export; null if it is not a conversation. Counts what it omits. */
export function parseClaudeConversation(value: unknown, omitted: OmittedParts): Conversation | null {
  const parsed = conversation.safeParse(value);
  if (!parsed.success) return null;
  const { uuid, name, model, created_at, updated_at, chat_messages } = parsed.data;
  const messages = chat_messages.flatMap((each) => {
    const parsedMessage = message.safeParse(each);
    if (!parsedMessage.success) countOmitted(omitted, 'unreadable');
    return parsedMessage.success ? [parsedMessage.data] : [];
  });
  const drafts = new Map<Part, DraftChange>();
  for (const each of messages.flatMap(({ content }) => content ?? [])) {
    const draft = parseDraft(each);
    if (draft !== null) drafts.set(each, draft);
    else if (each.type === 'tool_use') countOmitted(omitted, 'tools');
    else if (each.type === 'thinking') countOmitted(omitted, 'thoughts');
  }
  const formatDraft = createDraftFormatter('Artifact', [...drafts.values()]);
  const formatPart = (each: Part): string => {
    const draft = drafts.get(each);
    if (draft !== undefined) return formatDraft(draft);
    return each.type === 'text' || each.type === 'voice_note' ? (each.text ?? '').trim() : '';
  };
  return {
    source: 'claude',
    id: uuid,
    title: normalizeTitle(name),
    created: timeOf(created_at),
    updated: timeOf(updated_at),
    model: model ?? null,
    turns: mergeConsecutiveTurns(messages.flatMap((each) => toTurn(each, formatPart))),
  };
}

type Part = z.infer<typeof part>;

function toTurn(
  { sender, text, content, attachments, files }: z.infer<typeof message>,
  formatPart: (each: Part) => string,
): Turn[] {
  if (sender !== 'human' && sender !== 'assistant') return [];
  const texts = (content ?? []).map(formatPart).filter((each) => each !== '');
  const attached = [...(attachments ?? []), ...(files ?? [])];
  const attachedTexts = attached.flatMap(({ file_name: name, extracted_content: extracted }) =>
    extracted ? [{ name: name || 'pasted text', text: extracted }] : [],
  );
  return [
    {
      by: sender === 'human' ? 'person' : 'model',
      text: texts.length > 0 ? texts.join('\n\n') : content?.length ? '' : (text ?? '').trim(),
      attachmentNames: attached.flatMap(({ file_name: name, extracted_content: extracted }) =>
        extracted ? [] : [name || 'a file'],
      ),
      ...(attachedTexts.length > 0 && { attachedTexts }),
    },
  ];
}

const artifact = z.looseObject({
  id: z.string(),
  command: z.string().nullish(),
  title: z.string().nullish(),
  language: z.string().nullish(),
  type: z.string().nullish(),
  content: z.string().nullish(),
  old_str: z.string().nullish(),
  new_str: z.string().nullish(),
});
const createdFile = z.looseObject({ path: z.string(), file_text: z.string() });
const editedFile = z.looseObject({ path: z.string(), old_str: z.string(), new_str: z.string().nullish() });

/** The text that a tool call writes: an artifact or a file; null for other parts. */
function parseDraft({ type, name, input }: Part): DraftChange | null {
  if (type !== 'tool_use') return null;
  const made = name === 'artifacts' ? artifact.safeParse(input).data : undefined;
  if (made !== undefined) {
    const language = made.language ?? (made.type === 'text/markdown' ? 'markdown' : '');
    const { id, title = null, content, old_str: old = null, new_str: written } = made;
    if (content) return { id, title, language, change: { kind: 'whole', text: content } };
    if (written == null) return null;
    return { id, title, language, change: { kind: 'pieces', pieces: [{ old, new: written }] } };
  }
  const created = createdFile.safeParse(input).data;
  if (created !== undefined)
    return { ...fileDraft(created.path), change: { kind: 'whole', text: created.file_text } };
  const edit = editedFile.safeParse(input).data;
  if (edit === undefined) return null;
  const pieces = [{ old: edit.old_str, new: edit.new_str ?? '' }];
  return { ...fileDraft(edit.path), change: { kind: 'pieces', pieces } };
}

function fileDraft(path: string): Pick<DraftChange, 'id' | 'title' | 'language'> {
  return { id: path, title: path.slice(path.lastIndexOf('/') + 1), language: '' };
}

export function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : time;
}
