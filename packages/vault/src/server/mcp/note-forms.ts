import { extractBody, splitLines } from '../../vault/index.ts';

/** The forms of an adopted vault in sentences; null where they are not recognized. No text of the notes is repeated. */
export type NoteForms = { changelog: string | null; tasks: string | null };

const day = String.raw`\[{0,2}\**\d{4}-\d{2}-\d{2}`;
const dayHeading = new RegExp(`^(#{1,6}) +${day}`);
const dayItem = new RegExp(`^\\s*([-*]) +${day}`);

/** How a changelog is written: where the days are, how an entry starts, and in which order. */
export function describeChangelogForm(text: string): string | null {
  const lines = splitLines(extractBody(text));
  const headings = lines.filter((line) => dayHeading.test(line));
  const items = lines.filter((line) => dayItem.test(line));
  const dated = headings.length > 0 ? headings : items;
  const [first = '', last = ''] = [dated[0], dated.at(-1)].map(
    (line) => /\d{4}-\d{2}-\d{2}/.exec(line ?? '')?.[0],
  );
  if (first === '') return null;
  const order =
    first === last
      ? ''
      : first > last
        ? ', newest first (vault_append with position top)'
        : ', newest last (vault_append with position bottom)';
  if (headings.length === 0) return `one list item per entry that starts with its date${order}`;
  const level = dayHeading.exec(headings[0] ?? '')?.[1]?.length ?? 1;
  const entryHeading = lines.some((line) => line.startsWith(`${'#'.repeat(level + 1)} `));
  const entry = entryHeading
    ? `one H${level + 1}`
    : lines.some((line) => /^\s*[-*] /.test(line))
      ? 'one list item'
      : 'a paragraph';
  return `one H${level} per day and ${entry} per entry${order}`;
}

const dueMarks = [
  { pattern: /📅/u, form: '📅 2025-07-14' },
  { pattern: /\[due:: ?\d/, form: '[due:: 2025-07-14]' },
  { pattern: /@due\(/, form: '@due(2025-07-14)' },
];

/** How a task is written, if the notes use list items with a box. */
export function describeTaskForm(text: string): string | null {
  const tasks = splitLines(extractBody(text)).filter((line) => /^\s*[-*+] \[.\] /u.test(line));
  const [first] = tasks;
  if (first === undefined) return null;
  const mark = first.trimStart().charAt(0);
  const due = dueMarks.find(({ pattern }) => tasks.some((line) => pattern.test(line)));
  const done = tasks.some((line) => /\[[xX]\]/.test(line)) ? `, ticked (${mark} [x]) and kept when done` : '';
  return `${mark} [ ] and its text${due === undefined ? '' : `, with its due date as ${due.form}`}${done}`;
}
