import { parseTaskFields } from '../contract/index.ts';
import { extractBody } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { parseListParts } from './list-parts.ts';

export type Task = {
  /** The line of the heading. */
  line: string;
  /** The number of that line in the whole text, starting at 1. */
  lineNumber: number;
  title: string;
  /** The metadata lines below the heading, unchanged. */
  metadataLines: string[];
  isOpen: boolean;
  /** 0 is the highest. */
  priority: number;
  /** A day, e.g. 2025-07-14. */
  deadline: string | null;
};

const closedStatusPattern = /^(?:done|closed|cancelled|dropped|fait|faite|terminée?|annulée?|abandonnée?)$/i;
const mediumPriorityPattern = /^(?:medium|moyenne)$/i;
const day = /^\d{4}-\d\d-\d\d/;

/** Parses the tasks of a text, in order: H1 headings, each with the metadata lines below it. */
export function parseTasks(text: string): Task[] {
  const body = extractBody(text);
  let nextLine = splitLines(text).length - splitLines(body).length + 1;
  return parseListParts(body, 1).flatMap(({ heading, lines, blankLinesAfter }) => {
    const lineNumber = nextLine;
    nextLine += lines.length + (blankLinesAfter ?? 0);
    const [line = '', ...below] = lines;
    if (heading === '') return [];
    const end = below.findIndex((each) => parseTaskFields(each) === null);
    const metadataLines = end === -1 ? below : below.slice(0, end);
    const parts = metadataLines.flatMap((each) => parseTaskFields(each) ?? []);
    const valueOf = (...keys: string[]): string =>
      parts.find(({ key }) => keys.includes(key.toLowerCase()))?.value ?? '';
    const isMedium = mediumPriorityPattern.test(valueOf('prio', 'priority', 'priorité'));
    return [
      {
        line,
        lineNumber,
        title: heading,
        metadataLines,
        isOpen: !closedStatusPattern.test(valueOf('status', 'statut')),
        priority: parts.some(({ isUrgent }) => isUrgent) ? 0 : isMedium ? 1 : 2,
        deadline: day.exec(valueOf('deadline', 'échéance', 'due'))?.[0] ?? null,
      },
    ];
  });
}
