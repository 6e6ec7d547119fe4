import type { ChatGptConversation } from './chatgpt.ts';
import { exportNoteText } from './export-note.ts';
import type { ExportNote } from './export-note.ts';

/** The custom instructions of the newest conversation that shows some, and all that ChatGPT was told to remember. */
export function collectChatGptContext(
  conversations: readonly Pick<ChatGptConversation, 'context' | 'created' | 'updated'>[],
): ExportNote[] {
  const newestFirst = conversations.toSorted((a, b) => timeIn(b) - timeIn(a));
  const instructions = newestFirst.find(({ context }) => context.instructions !== '');
  const memory = newestFirst.find(({ context }) => context.memory !== '');
  const remembered = newestFirst.flatMap(({ context }) => context.remembered);
  const memories = [memory?.context.memory ?? '', ...new Set(remembered.map((text) => `- ${text}`))].filter(
    (text) => text !== '',
  );
  const note = (path: string, title: string, body: string, at: number | null): ExportNote => ({
    id: path,
    path,
    created: at,
    updated: at,
    text: exportNoteText('chatgpt', title, `# ${title}\n\n${body}`),
  });
  return [
    ...(instructions === undefined
      ? []
      : [
          note(
            'custom-instructions.md',
            'Custom instructions for ChatGPT',
            instructions.context.instructions,
            timeIn(instructions) || null,
          ),
        ]),
    ...(memories.length === 0
      ? []
      : [note('memory.md', 'Memory of ChatGPT', memories.join('\n'), timeIn(newestFirst[0]) || null)]),
  ];
}

function timeIn(conversation: Pick<ChatGptConversation, 'created' | 'updated'> | undefined): number {
  return conversation?.updated ?? conversation?.created ?? 0;
}
