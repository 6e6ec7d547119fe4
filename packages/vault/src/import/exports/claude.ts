import { z } from 'zod';
import { joinTurns, titleOf } from './conversation.ts';
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

/** One conversation of Claude's data export; null for what is none. */
export function readClaudeConversation(value: unknown): Conversation | null {
  const parsed = conversation.safeParse(value);
  if (!parsed.success) return null;
  const { uuid, name, model, created_at, updated_at, chat_messages } = parsed.data;
  const turns = chat_messages.flatMap((each) => {
    const said = message.safeParse(each);
    return said.success ? turnOf(said.data) : [];
  });
  return {
    source: 'claude',
    id: uuid,
    title: titleOf(name),
    created: timeOf(created_at),
    updated: timeOf(updated_at),
    model: model ?? null,
    turns: joinTurns(turns),
  };
}

/** What was thought and what tools did is left out, as it is folded away in Claude. */
function turnOf({ sender, text, content, attachments, files }: z.infer<typeof message>): Turn[] {
  if (sender !== 'human' && sender !== 'assistant') return [];
  const parts = (content ?? []).filter(({ type }) => type === 'text' || type === 'voice_note');
  const texts = parts.map((part) => (part.text ?? '').trim()).filter((part) => part !== '');
  return [
    {
      by: sender === 'human' ? 'person' : 'model',
      text: texts.length > 0 ? texts.join('\n\n') : content?.length ? '' : (text ?? '').trim(),
      attached: [...(attachments ?? []), ...(files ?? [])].map(({ file_name: name }) => name || 'a file'),
    },
  ];
}

function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : time;
}
