import { z } from 'zod';
import { mergeConsecutiveTurns, normalizeTitle } from './conversation.ts';
import type { Conversation, Turn } from './conversation.ts';

const file = z.looseObject({ file_name: z.string().nullish() });

const message = z.looseObject({
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.looseObject({ type: z.string().nullish(), text: z.string().nullish() })).nullish(),
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

/** Parses one conversation of a Claude export; null if it is not a conversation. */
export function parseClaudeConversation(value: unknown): Conversation | null {
  const parsed = conversation.safeParse(value);
  if (!parsed.success) return null;
  const { uuid, name, model, created_at, updated_at, chat_messages } = parsed.data;
  const turns = chat_messages.flatMap((each) => {
    const parsedMessage = message.safeParse(each);
    return parsedMessage.success ? toTurn(parsedMessage.data) : [];
  });
  return {
    source: 'claude',
    id: uuid,
    title: normalizeTitle(name),
    created: timeOf(created_at),
    updated: timeOf(updated_at),
    model: model ?? null,
    turns: mergeConsecutiveTurns(turns),
  };
}

/** Omits thinking and tool calls, which Claude collapses as well. */
function toTurn({ sender, text, content, attachments, files }: z.infer<typeof message>): Turn[] {
  if (sender !== 'human' && sender !== 'assistant') return [];
  const parts = (content ?? []).filter(({ type }) => type === 'text' || type === 'voice_note');
  const texts = parts.map((part) => (part.text ?? '').trim()).filter((part) => part !== '');
  return [
    {
      by: sender === 'human' ? 'person' : 'model',
      text: texts.length > 0 ? texts.join('\n\n') : content?.length ? '' : (text ?? '').trim(),
      attachmentNames: [...(attachments ?? []), ...(files ?? [])].map(
        ({ file_name: name }) => name || 'a file',
      ),
    },
  ];
}

function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : time;
}
