import { z } from 'zod';
import { mergeConsecutiveTurns, normalizeTitle } from './conversation.ts';
import type { Conversation, Turn } from './conversation.ts';

const message = z.looseObject({
  author: z.looseObject({ role: z.string() }),
  content: z
    .looseObject({
      content_type: z.string(),
      parts: z.array(z.unknown()).nullish(),
      text: z.string().nullish(),
      language: z.string().nullish(),
    })
    .nullish(),
  recipient: z.string().nullish(),
  channel: z.string().nullish(),
  weight: z.number().nullish(),
  metadata: z
    .looseObject({
      is_visually_hidden_from_conversation: z.boolean().nullish(),
      model_slug: z.string().nullish(),
      attachments: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
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

/** Parses one conversation of a ChatGPT export, as the user last saw it; null if it is not a conversation. */
export function parseChatGptConversation(value: unknown): Conversation | null {
  const parsed = conversation.safeParse(value);
  if (!parsed.success) return null;
  const { id, conversation_id, title, create_time, update_time, current_node, mapping } = parsed.data;
  const known = conversation_id ?? id;
  if (known == null) return null;
  const messages = walkToRoot(current_node ?? findLastLeaf(mapping), mapping).flatMap((node) => {
    const parsedMessage = message.safeParse(mapping[node]?.message);
    return parsedMessage.success && isVisible(parsedMessage.data) ? [parsedMessage.data] : [];
  });
  const models = messages.flatMap(({ metadata }) => metadata?.model_slug ?? []);
  return {
    source: 'chatgpt',
    id: known,
    title: normalizeTitle(title),
    created: fromSeconds(create_time),
    updated: fromSeconds(update_time),
    model: models.at(-1) ?? parsed.data.default_model_slug ?? null,
    turns: mergeConsecutiveTurns(messages.map(toTurn)),
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

function toTurn({ author, content, metadata }: Message): Turn {
  const files = (metadata?.attachments ?? []).map(({ name }) => name ?? 'a file');
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
      ...files,
      ...Array.from({ length: Math.max(0, pictures - files.length) }, () => 'a picture'),
    ],
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
