import { taskParts } from '../contract/index.ts';
import { bodyOf } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { listParts } from './list-parts.ts';

export type Task = {
  /** Its heading, as a line. */
  line: string;
  /** Of that line in the whole text, from 1. */
  number: number;
  title: string;
  /** The lines of metadata below it, as they stand. */
  facts: string[];
  isOpen: boolean;
  /** 0 is the highest. */
  rank: number;
  /** A day, as 2025-07-14. */
  deadline: string | null;
};

const closed = /^(?:done|closed|cancelled|dropped|fait|faite|terminée?|annulée?|abandonnée?)$/i;
const medium = /^(?:medium|moyenne)$/i;
const day = /^\d{4}-\d\d-\d\d/;

/** The tasks of a text, in its order: headings of the first level, each with what stands below it as metadata. */
export function tasksIn(text: string): Task[] {
  const body = bodyOf(text);
  let number = splitLines(text).length - splitLines(body).length + 1;
  return listParts(body, 1).flatMap(({ heading, lines, gap }) => {
    const at = number;
    number += lines.length + (gap ?? 0);
    const [line = '', ...below] = lines;
    if (heading === '') return [];
    const end = below.findIndex((each) => taskParts(each) === null);
    const facts = end === -1 ? below : below.slice(0, end);
    const parts = facts.flatMap((each) => taskParts(each) ?? []);
    const valueOf = (...keys: string[]): string =>
      parts.find(({ key }) => keys.includes(key.toLowerCase()))?.value ?? '';
    const isMedium = medium.test(valueOf('prio', 'priority', 'priorité'));
    return [
      {
        line,
        number: at,
        title: heading,
        facts,
        isOpen: !closed.test(valueOf('status', 'statut')),
        rank: parts.some(({ isUrgent }) => isUrgent) ? 0 : isMedium ? 1 : 2,
        deadline: day.exec(valueOf('deadline', 'échéance', 'due'))?.[0] ?? null,
      },
    ];
  });
}
