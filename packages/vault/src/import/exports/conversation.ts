import { stringify } from 'yaml';

/** Which program a conversation was held in. */
type ConversationSource = 'chatgpt' | 'claude';

export type Turn = {
  by: 'person' | 'model';
  text: string;
  /** Names of pictures and files that came with it. */
  attached: string[];
};

/** Times are milliseconds since 1970; null when the export does not tell. */
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

/** The conversation as a note: a heading for each turn, the words as they were. */
export function conversationNote({ source, id, title, model, turns }: Conversation): string {
  const frontmatter = stringify({
    type: 'conversation',
    source,
    id,
    title,
    ...(model !== null && { model }),
  });
  const said = turns.map(({ by, text, attached }) => {
    const parts = [text, ...attached.map((name) => `*Attached: ${name}*`)].filter((part) => part !== '');
    return `## ${by === 'person' ? 'You' : modelNames[source]}\n\n${parts.map(closeFence).join('\n\n')}`;
  });
  return `---\n${frontmatter}---\n\n# ${title}\n\n${said.join('\n\n')}\n`;
}

/** Whoever speaks twice in a row has one turn. */
export function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.by !== turn.by) joined.push({ ...turn });
    else {
      last.text = [last.text, turn.text].filter((text) => text !== '').join('\n\n');
      last.attached = [...last.attached, ...turn.attached];
    }
  }
  return joined.filter(({ text, attached }) => text !== '' || attached.length > 0);
}

/** An answer that was cut off in the middle of code must not swallow what comes after it. */
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

/** A title on one line. */
export function titleOf(text: unknown): string {
  const line = typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : '';
  return line === '' ? 'Untitled' : line;
}
