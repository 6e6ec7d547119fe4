import { stringify } from 'yaml';

/** The application that a conversation comes from. */
type ConversationSource = 'chatgpt' | 'claude';

export type Turn = {
  by: 'person' | 'model';
  text: string;
  /** Names of attached pictures and files. */
  attachmentNames: string[];
};

/** Times are in epoch milliseconds; null if the export does not contain them. */
export type Conversation = {
  source: ConversationSource;
  id: string;
  title: string;
  created: number | null;
  updated: number | null;
  model: string | null;
  turns: Turn[];
};

const modelNames = { chatgpt: 'ChatGPT', claude: 'Claude' } as const;

/** Formats the conversation as a note with a heading for each turn and the original text. */
export function formatConversationNote({ source, id, title, model, turns }: Conversation): string {
  const frontmatter = stringify({
    type: 'conversation',
    source,
    id,
    title,
    ...(model !== null && { model }),
  });
  const sections = turns.map(({ by, text, attachmentNames }) => {
    const parts = [text, ...attachmentNames.map((name) => `*Attached: ${name}*`)].filter(
      (part) => part !== '',
    );
    return `## ${by === 'person' ? 'You' : modelNames[source]}\n\n${parts.map(closeFence).join('\n\n')}`;
  });
  return `---\n${frontmatter}---\n\n# ${title}\n\n${sections.join('\n\n')}\n`;
}

/** Merges consecutive messages of the same speaker into one turn. */
export function mergeConsecutiveTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.by !== turn.by) joined.push({ ...turn });
    else {
      last.text = [last.text, turn.text].filter((text) => text !== '').join('\n\n');
      last.attachmentNames = [...last.attachmentNames, ...turn.attachmentNames];
    }
  }
  return joined.filter(({ text, attachmentNames }) => text !== '' || attachmentNames.length > 0);
}

/** Closes an open code fence, so that a truncated answer does not swallow the text after it. */
function closeFence(text: string): string {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === null) continue;
    const [, marks = '', rest = ''] = fence;
    if (open === null) open = marks;
    else if (marks.startsWith(open) && rest.trim() === '') open = null;
  }
  return open === null ? text : `${text}\n${open}`;
}

/** Returns the title on one line. */
export function normalizeTitle(text: unknown): string {
  const line = typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : '';
  return line === '' ? 'Untitled' : line;
}
