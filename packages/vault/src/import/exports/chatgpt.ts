import { z } from 'zod';
import { countOmitted, mergeConsecutiveTurns, normalizeTitle } from './conversation.ts';
import type { AttachedText, Conversation, OmittedParts, Turn } from './conversation.ts';
import { createDraftFormatter } from './drafts.ts';
import type { DraftChange } from './drafts.ts';

const message = z.looseObject({
  author: z.looseObject({ role: z.string() }),
  content: z
    .looseObject({
      content_type: z.string(),
      parts: z.array(z.unknown()).nullish(),
      text: z.string().nullish(),
      language: z.string().nullish(),
      user_profile: z.string().nullish(),
      user_instructions: z.string().nullish(),
      model_set_context: z.string().nullish(),
    })
    .nullish(),
  recipient: z.string().nullish(),
  channel: z.string().nullish(),
  weight: z.number().nullish(),
  metadata: z
    .looseObject({
      is_visually_hidden_from_conversation: z.boolean().nullish(),
      model_slug: z.string().nullish(),
      attachments: z.array(z.looseObject({ id: z.string().nullish(), name: z.string().nullish() })).nullish(),
    })
    .nullish(),
});

const conversation = z.looseObject({
  id: z.string().nullish(),
  conversation_id: z.string().nullish(),
  title: z.string().nullish(),
  create_time: z.number().nullish(),
  update_time: z.number().nullish(),
  default_model_slug: z.string().nullish(),
  current_node: z.string().nullish(),
  mapping: z.record(
    z.string(),
    z.looseObject({
      message: z.unknown(),
      parent: z.string().nullish(),
      children: z.array(z.string()).nullish(),
    }),
  ),
});

type Message = z.infer<typeof message>;
type Mapping = z.infer<typeof conversation>['mapping'];

export type ChatGptConversation = Conversation & {
  /** What the user told ChatGPT about themselves, and what it remembered, as this conversation shows it. */
  context: ChatGptContext;
};

type ChatGptContext = { instructions: string; memory: string; remembered: string[] };

/** The text of a file of the export by its id; null if the export has no such text. */
type ReadAttachment = (id: string) => Promise<string | null>;

/** Parses one conversation of a ChatGPT export, as the user last saw it; null if it is not a conversation. Counts what it omits. */
export async function parseChatGptConversation(
  value: unknown,
  omitted: OmittedParts,
  readAttachment: ReadAttachment,
): Promise<ChatGptConversation | null> {
  const parsed = conversation.safeParse(value);
  if (!parsed.success) return null;
  const { id, conversation_id, title, create_time, update_time, current_node, mapping } = parsed.data;
  const known = conversation_id ?? id;
  if (known == null) return null;
  const branch = walkToRoot(current_node ?? findLastLeaf(mapping), mapping);
  const all = branch.flatMap((node) => message.safeParse(mapping[node]?.message).data ?? []);
  countOmittedMessages(mapping, new Set(branch), omitted);
  const drafts = new Map<Message, DraftChange>();
  for (const each of all) {
    const draft = parseTextdoc(each, [...drafts.values()].at(-1)?.id ?? null);
    if (draft !== null) drafts.set(each, draft);
  }
  const formatDraft = createDraftFormatter('Canvas', [...drafts.values()]);
  const messages = all.filter((each) => drafts.has(each) || isVisible(each));
  const turns: Turn[] = [];
  for (const each of messages) {
    const draft = drafts.get(each);
    if (draft !== undefined) turns.push({ by: 'model', text: formatDraft(draft), attachmentNames: [] });
    else turns.push(await toTurn(each, readAttachment));
  }
  const models = messages.flatMap(({ metadata }) => metadata?.model_slug ?? []);
  return {
    source: 'chatgpt',
    id: known,
    title: normalizeTitle(title),
    created: fromSeconds(create_time),
    updated: fromSeconds(update_time),
    model: models.at(-1) ?? parsed.data.default_model_slug ?? null,
    turns: mergeConsecutiveTurns(turns),
    context: readContext(all),
  };
}

function countOmittedMessages(mapping: Mapping, branch: ReadonlySet<string>, omitted: OmittedParts): void {
  for (const [node, { message: value }] of Object.entries(mapping)) {
    const each = message.safeParse(value).data;
    if (each === undefined && value != null) countOmitted(omitted, 'unreadable');
    if (each === undefined || each.metadata?.is_visually_hidden_from_conversation === true) continue;
    const type = each.content?.content_type ?? '';
    if (!branch.has(node)) {
      if (isVisible(each)) countOmitted(omitted, 'branches');
    } else if (type === 'thoughts' || each.channel === 'analysis') countOmitted(omitted, 'thoughts');
    else if (each.author.role === 'tool') countOmitted(omitted, 'tools');
  }
}

/** The text of a message, wherever the export has it. */
function plainText({ content }: Message): string {
  return [...(content?.parts ?? []).flatMap((each) => parsePart(each).text), content?.text ?? '']
    .join('\n')
    .trim();
}

const textdoc = z.looseObject({
  name: z.string().nullish(),
  type: z.string().nullish(),
  content: z.string().nullish(),
  updates: z
    .array(z.looseObject({ pattern: z.string().nullish(), replacement: z.string().nullish() }))
    .nullish(),
});

/** A canvas that the model creates or changes; `latest` is the id of the last one in the conversation. */
function parseTextdoc(each: Message, latest: string | null): DraftChange | null {
  const call = /^canmore\.(create|update)_textdoc$/.exec(each.recipient ?? '')?.[1];
  if (call === undefined) return null;
  const { name = null, type, content, updates } = textdoc.safeParse(parseJson(plainText(each))).data ?? {};
  const language = type?.startsWith('code/') === true ? type.slice('code/'.length) : '';
  if (content)
    return { id: name ?? 'canvas', title: name, language, change: { kind: 'whole', text: content } };
  const [update] = updates ?? [];
  // A pattern is a regular expression; this one stands for the whole text.
  if (updates?.length === 1 && update?.pattern === '.*')
    return {
      id: latest ?? 'canvas',
      title: null,
      language,
      change: { kind: 'whole', text: update.replacement ?? '' },
    };
  const pieces = (updates ?? []).map(({ replacement }) => ({ old: null, new: replacement ?? '' }));
  return pieces.length === 0
    ? null
    : { id: latest ?? 'canvas', title: null, language, change: { kind: 'pieces', pieces } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The custom instructions and memories that the messages contain; both are hidden in the conversation. */
function readContext(messages: readonly Message[]): ChatGptContext {
  const contents = messages.flatMap(({ content }) => content ?? []);
  const instructions = contents.findLast(({ content_type }) => content_type === 'user_editable_context');
  const memory = contents.findLast(({ content_type }) => content_type === 'model_editable_context');
  return {
    instructions: [instructions?.user_profile, instructions?.user_instructions]
      .map((text) => (text ?? '').trim())
      .filter((text) => text !== '')
      .join('\n\n'),
    memory: (memory?.model_set_context ?? '').trim(),
    remembered: messages
      .filter(({ recipient }) => recipient === 'bio')
      .map(plainText)
      .filter((text) => text !== ''),
  };
}

/** The path from the root to this node. Other branches are regenerated answers and edited prompts. */
function walkToRoot(leaf: string | undefined, mapping: Mapping): string[] {
  const branch = new Set<string>();
  let at: string | null | undefined = leaf;
  for (; at != null && mapping[at] !== undefined && !branch.has(at); at = mapping[at]?.parent) branch.add(at);
  return [...branch].toReversed();
}

function findLastLeaf(mapping: Mapping): string | undefined {
  return Object.entries(mapping).findLast(([, { children }]) => (children ?? []).length === 0)?.[0];
}

function isVisible({ author, recipient, channel, weight, metadata, content }: Message): boolean {
  if (author.role !== 'user' && author.role !== 'assistant') return false;
  if (metadata?.is_visually_hidden_from_conversation === true || weight === 0) return false;
  if ((recipient ?? 'all') !== 'all' || channel === 'analysis') return false;
  return ['text', 'multimodal_text', 'code'].includes(content?.content_type ?? '');
}

async function toTurn({ author, content, metadata }: Message, readAttachment: ReadAttachment): Promise<Turn> {
  const names: string[] = [];
  const attachedTexts: AttachedText[] = [];
  for (const { id, name } of metadata?.attachments ?? []) {
    const text = id == null ? null : await readAttachment(id);
    if (text === null) names.push(name ?? 'a file');
    else attachedTexts.push({ name: name ?? 'a file', text });
  }
  const parts = (content?.parts ?? []).map(parsePart);
  const code =
    content?.content_type === 'code' && content.text != null
      ? [`\`\`\`${content.language === 'unknown' ? '' : (content.language ?? '')}\n${content.text}\n\`\`\``]
      : [];
  const texts = [...parts.flatMap(({ text }) => text), ...code].map((text) =>
    stripCitationMarks(text).trim(),
  );
  const pictures = parts.filter(({ isPicture }) => isPicture).length;
  return {
    by: author.role === 'user' ? 'person' : 'model',
    text: texts.filter((text) => text !== '').join('\n\n'),
    attachmentNames: [
      ...names,
      ...Array.from({ length: Math.max(0, pictures - names.length) }, () => 'a picture'),
    ],
    ...(attachedTexts.length > 0 && { attachedTexts }),
  };
}

/** A part of a message: text, transcribed speech, or something without text such as an image. */
function parsePart(part: unknown): { text: string[]; isPicture: boolean } {
  if (typeof part === 'string') return { text: [part], isPicture: false };
  const { content_type: type, text } = (part ?? {}) as { content_type?: unknown; text?: unknown };
  return { text: typeof text === 'string' ? [text] : [], isPicture: type === 'image_asset_pointer' };
}

/** Removes citation markers, which have no meaning outside ChatGPT. */
function stripCitationMarks(text: string): string {
  return text.replaceAll(/\ue200[^\ue201]*\ue201/g, '');
}

function fromSeconds(seconds: number | null | undefined): number | null {
  return seconds == null ? null : Math.round(seconds * 1000);
}
