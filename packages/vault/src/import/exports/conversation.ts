import { stringify } from 'yaml';

/** The application that a conversation comes from. */
type ConversationSource = 'chatgpt' | 'claude';

export type Turn = {
  by: 'person' | 'model';
  text: string;
  /** Names of attached pictures and files. */
  attachmentNames: string[];
  /** Attached texts that the export contains. Not set without one, because the digest of a conversation includes it. */
  attachedTexts?: AttachedText[];
};

export type AttachedText = { name: string; text: string };

/** Number of parts of conversations that are not imported, by what they are. */
export type OmittedParts = Map<OmittedPart, number>;
export type OmittedPart = 'thoughts' | 'tools' | 'branches' | 'unreadable';

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
  const sections = turns.map(({ by, text, attachmentNames, attachedTexts = [] }) => {
    const parts = [
      text,
      ...attachmentNames.map((name) => `*Attached: ${name}*`),
      ...attachedTexts.map((each) => quoteText('Attached', each.name, each.text)),
    ].filter((part) => part !== '');
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
      if (turn.attachedTexts !== undefined)
        last.attachedTexts = [...(last.attachedTexts ?? []), ...turn.attachedTexts];
    }
  }
  return joined.filter(
    ({ text, attachmentNames, attachedTexts = [] }) =>
      text !== '' || attachmentNames.length > 0 || attachedTexts.length > 0,
  );
}

/** A text with a label, in a code block, so that its headings are not those of the conversation. */
export function quoteText(label: string, name: string, text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `*${label}: ${normalizeTitle(name)}*\n\n${fence}${language.replaceAll(/[^\w+#.-]/g, '')}\n${text.replace(/\n$/, '')}\n${fence}`;
}

export function countOmitted(omitted: OmittedParts, part: OmittedPart): void {
  omitted.set(part, (omitted.get(part) ?? 0) + 1);
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
