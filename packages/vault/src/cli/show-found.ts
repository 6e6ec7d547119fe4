import { styleText } from 'node:util';
import { createWordFinder } from '../search/index.ts';
import type { SearchOutput } from './find-locally.ts';
import type { Output } from './io.ts';
import { escapeForTerminal } from './print-outcome.ts';

/** Of further files, only a line is shown. */
const maxPassages = 4;
/** Passages that score less than this share of the best are shown as a line, too. */
const minPassageShare = 0.5;
const maxFurtherFiles = 10;

type Sections = SearchOutput['sections'];

/**
 * Prints results for a person: the best passages with the words of the query marked, then one line per further file. `isComplete`
 * prints all passages.
 */
export function showFound(
  stdout: Output,
  { text = '', sections }: SearchOutput,
  { queries, isComplete, more }: { queries: readonly string[]; isComplete: boolean; more: readonly string[] },
): void {
  const count = isComplete ? sections.length : countPassages(sections);
  const write = createLineWriter(stdout, sections, queries);
  const { blocks, notes } = splitBlocks(escapeForTerminal(text, stdout));
  blocks.slice(0, count).forEach((lines, block) => lines.forEach((line) => write(line, block)));
  const further = furtherFiles(sections, count);
  for (const { path, best, heading, score } of further.slice(0, maxFurtherFiles)) {
    const place = escapeForTerminal(`${path}:${best}`, stdout);
    stdout.write(
      `${styleText('cyan', place, { stream: stdout })}  ${score.toFixed(2)} · ${escapeForTerminal(heading, stdout)}\n`,
    );
  }
  const isCut = !isComplete && count < sections.length && more.length === 0;
  const rest = [
    ...notes,
    ...[...more, ...(isCut ? ['--all shows all results'] : [])].map((line) => `note: ${line}`),
  ];
  if (rest.length > 0 && further.length > 0) stdout.write('\n');
  for (const line of rest) write(line, -1);
}

function countPassages(sections: Sections): number {
  const best = sections.reduce((most, { score }) => Math.max(most, score), 0);
  const weak = sections.findIndex(({ score }) => score < best * minPassageShare);
  return Math.min(maxPassages, weak < 0 ? sections.length : Math.max(1, weak));
}

/** The best passage of each file of which no passage is shown. */
function furtherFiles(sections: Sections, count: number): Sections {
  const paths = new Set(sections.slice(0, count).map(({ path }) => path));
  return sections.slice(count).filter(({ path }) => {
    const isNew = !paths.has(path);
    paths.add(path);
    return isNew;
  });
}

const fence = /^(?:`{3,}|~{3,})/;
const header = /^(?:`{3,}|~{3,})\S/;

/** The lines of each passage with the notes above it, and the notes about the search. */
function splitBlocks(text: string): { blocks: string[][]; notes: string[] } {
  const blocks: string[][] = [];
  let current: string[] = [];
  let closing: string | null = null;
  for (const line of text.split('\n')) {
    current.push(line);
    if (closing === null && header.test(line)) closing = fence.exec(line)?.[0] ?? '';
    else if (line === closing) {
      blocks.push([...current, '']);
      current = [];
      closing = null;
    } else if (closing === null && line === '' && current.length === 1) current = [];
  }
  return { blocks, notes: current.filter((line) => line !== '') };
}

function createLineWriter(
  stdout: Output,
  sections: Sections,
  queries: readonly string[],
): (line: string, block: number) => void {
  const wordsIn = createWordFinder(queries);
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    styleText(format, text, { stream: stdout });
  const mark = (line: string): string => {
    let at = 0;
    const parts = wordsIn(line).map(({ start, end }) => {
      const part = line.slice(at, start) + style('yellow', line.slice(start, end));
      at = end;
      return part;
    });
    return parts.join('') + line.slice(at);
  };
  return (line, block) => {
    const number = /^(\d+) *\|/.exec(line);
    if (header.test(line)) stdout.write(`${style('cyan', line)}\n`);
    else if (fence.test(line) || line.startsWith('note: ')) stdout.write(`${style('dim', line)}\n`);
    else if (number === null) stdout.write(`${mark(line)}\n`);
    else {
      const marked = number[0] + mark(line.slice(number[0].length));
      stdout.write(`${Number(number[1]) === sections[block]?.best ? style('bold', marked) : marked}\n`);
    }
  };
}
