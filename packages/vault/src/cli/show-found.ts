import { createWordFinder } from '../search/index.ts';
import { formatReplacedNote } from '../tools/index.ts';
import { parseNumberedLines } from '../vault/index.ts';
import type { SearchOutput } from './find-locally.ts';
import { formatAsOf } from './format-as-of.ts';
import { cutAround, markRanges } from './mark-words.ts';
import type { Range } from './mark-words.ts';
import type { Line, Part } from './wrap-line.ts';

/** `notes` shows the best line of each note, `lines` every matching line, `passages` passages with the lines around them. */
export type FoundForm = 'notes' | 'lines' | 'passages';

type Section = SearchOutput['sections'][number];

/** Of a note's best line, at most three rows of a terminal of 80 columns. */
const maxLineCharacters = 230;

/** The lines that show a person what was found, with the words of the queries marked. */
export function formatFound(
  found: Pick<SearchOutput, 'sections' | 'fits' | 'notes' | 'asOf'>,
  { queries, form, more }: { queries: readonly string[]; form: FoundForm; more: readonly string[] },
): Line[] {
  const { sections, fits, notes, asOf } = found;
  const findWords = createWordFinder(queries);
  const groups =
    form === 'lines'
      ? [...Map.groupBy(sections, ({ path }) => path).values()]
      : sections.map((each) => [each]);
  // If none contains all words, which the notes say, a mark on each would tell nothing.
  const isMixed = sections.some(({ hasAllWords }) => hasAllWords);
  const blocks = groups.map((group) => formatGroup(group, form, { findWords, isMixed }));
  const before = [
    ...(asOf === undefined ? [] : [[noteLine(formatAsOf(asOf))]]),
    ...(fits || sections.length === 0
      ? []
      : [[noteLine(`note: nothing fits; the nearest ${form === 'passages' ? 'passages' : 'notes'} follow`)]]),
  ];
  const after = [...notes, ...more].map((text) => noteLine(`note: ${text}`));
  return joinBlocks([...before, ...blocks, ...(after.length === 0 ? [] : [after])]);
}

function noteLine(text: string): Line {
  return { parts: [{ text, style: 'dim' }], hanging: 2 };
}

function joinBlocks(blocks: readonly (readonly Line[])[]): Line[] {
  return blocks.flatMap((block, index) => (index === 0 ? block : [{ parts: [] }, ...block]));
}

type FindWords = (text: string) => Range[];

function formatGroup(
  group: readonly Section[],
  form: FoundForm,
  { findWords, isMixed }: { findWords: FindWords; isMixed: boolean },
): Line[] {
  const [first] = group;
  if (first === undefined) return [];
  const rows = group.flatMap((section) => selectRows(section, form)).toSorted((a, b) => a.number - b.number);
  const replaced = group
    .flatMap(({ replaced: entries = [] }) => entries)
    .filter(({ lines }) => rows.some(({ number }) => number >= lines.start && number <= lines.end));
  const width = String(rows.at(-1)?.number ?? 0).length;
  return [
    { parts: form === 'lines' ? noteHeader(group, first) : passageHeader(first, form, isMixed), hanging: 2 },
    ...replaced.map((entry) => ({
      ...noteLine(`note: ${formatReplacedNote(first.path, entry)}`),
      indent: 2,
      hanging: 4,
    })),
    ...rows.map((row) => formatRow(row, form, { width, findWords })),
  ];
}

/** `number` is 0 for a file without lines of its own, which its only row names. */
type Row = { number: number; text: string; isMatch: boolean };

function selectRows(section: Section, form: FoundForm): Row[] {
  if (isNamed(section)) return [{ number: 0, text: section.text, isMatch: true }];
  const rows = parseNumberedLines(section.text).map((text, index) => {
    const number = section.lines.start + index;
    return { number, text, isMatch: section.matches.includes(number) };
  });
  if (form === 'passages') return rows;
  const shown = chooseLine(section, rows);
  return rows.filter(({ number, isMatch }) => number === shown || (form === 'lines' && isMatch));
}

/** The best line, if it matches; a line of the text says more than a property. */
function chooseLine({ best, matches }: Section, rows: readonly Row[]): number {
  const first = rows[0]?.number === 1 && rows[0].text === '---' ? rows : [];
  const propertiesEnd = first.find(({ number, text }) => number > 1 && text === '---')?.number ?? 0;
  const candidates = matches.includes(best) && best > propertiesEnd ? [best] : matches;
  return candidates.find((line) => line > propertiesEnd) ?? best;
}

function isNamed({ text }: Section): boolean {
  return !/^\d+ *\|/.test(text);
}

function formatRow(
  { number, text, isMatch }: Row,
  form: FoundForm,
  { width, findWords }: { width: number; findWords: FindWords },
): Line {
  const content = form === 'passages' ? text.trimEnd() : text.trim();
  const shown = cutAround(content, findWords(content), form === 'notes' ? maxLineCharacters : Infinity);
  const mark = isMatch || form !== 'passages' ? ':' : ' ';
  const numbered = `${String(number).padStart(width)}${mark} `;
  const label = number === 0 ? '' : content === '' ? numbered.trimEnd() : numbered;
  const own = /^\s*(?:[-*+] |\d+[.)] )?/.exec(shown.text)?.[0].length ?? 0;
  return {
    parts: [{ text: label, style: 'dim' }, ...markRanges(shown.text, shown.ranges)],
    indent: 2,
    hanging: 2 + label.length + own,
  };
}

/** Title, path and day. */
function passageHeader(section: Section, form: FoundForm, isMixed: boolean): Part[] {
  const { path, heading, day, from, extracted, hasAllWords } = section;
  const details = [
    ...(day === null ? [] : [day]),
    ...(from === undefined ? [] : [`takes effect ${from}`]),
    ...(form === 'passages' && !isNamed(section) ? [formatLines(section)] : []),
    ...(extracted === undefined ? [] : [formatPages(extracted.pages)]),
    ...(isMixed && !hasAllWords ? ['not all words'] : []),
  ];
  const title = heading === '' || isNamed(section) ? fileName(path) : heading;
  return [{ text: title, style: 'bold' }, { text: '  ' }, ...pathAndDetails(path, details)];
}

/** Path, and the day if all passages have the same one. */
function noteHeader(group: readonly Section[], { path, day }: Section): Part[] {
  const isSameDay = group.every((each) => each.day === day);
  return pathAndDetails(path, isSameDay && day !== null ? [day] : []);
}

function pathAndDetails(path: string, details: readonly string[]): Part[] {
  return [
    { text: path, style: 'path' },
    ...details.flatMap((text): Part[] => [{ text: '  ' }, { text, style: 'dim' }]),
  ];
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}

function formatLines({ lines: { start, end }, wholeFile }: Section): string {
  return wholeFile ? 'the whole file' : start === end ? `line ${start}` : `lines ${start}-${end}`;
}

function formatPages(pages: { start: number; end: number } | null): string {
  if (pages === null) return 'extracted text';
  return pages.start === pages.end ? `page ${pages.start}` : `pages ${pages.start}-${pages.end}`;
}
