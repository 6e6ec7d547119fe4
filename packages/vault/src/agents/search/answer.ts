import type { Answer, ConcatValue } from '../../contract/index.ts';
import { formatPathError } from '../../tools/index.ts';
import { joinBlocks, numberBlocks, parseBlocks } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import type { ExecutedCall } from '../conversation.ts';

/** The output of the `concat` calls of one step. */
export type Evidence = {
  blocks: Answer['blocks'];
  /** The blocks as they appear in the document of the answer. */
  text: string;
  /** One line per requested file that could not be quoted. */
  errors: string[];
  leftOut: ConcatValue['leftOut'];
  /** The headings above the blocks. */
  headings: readonly string[];
};

/** Refused calls count as errors. The entries of several calls are numbered consecutively. */
export function collectEvidence(calls: readonly ExecutedCall[]): Evidence {
  let entriesBefore = 0;
  const parts = calls.map(({ input, outcome }): Evidence => {
    const offset = entriesBefore;
    entriesBefore += countEntries(input);
    if (outcome.kind === 'refused') return { ...emptyEvidence, errors: outcome.message.split('\n') };
    const { blocks, errors, leftOut } = outcome.result.value as ConcatValue;
    const text = extractBlocks(outcome.result.text);
    const parsed = parseBlocks(text);
    const numbered = blocks.map((block, index) => ({
      ...block,
      number: block.number + offset,
      text: parsed[index]?.lines.join('\n') ?? '',
    }));
    return {
      blocks: numbered,
      text: numberBlocks(text, [...new Set(numbered.map(({ number }) => number))]),
      errors: errors.map(formatPathError),
      leftOut,
      headings: [],
    };
  });
  return {
    blocks: parts.flatMap(({ blocks }) => blocks),
    text: joinBlocks(parts.map(({ text }) => text).filter((text) => text !== '')),
    errors: parts.flatMap(({ errors }) => errors),
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
    headings: [],
  };
}

function countEntries(input: unknown): number {
  const { files } = (input ?? {}) as { files?: unknown };
  return Array.isArray(files) ? files.length : 0;
}

/** A block of an empty file has no lines, so it is not a citation. */
export function hasCitations(evidence: Evidence | null): boolean {
  return evidence !== null && evidence.blocks.some(({ start, end }) => end >= start);
}

/** An overview with its source lines, before it is formatted. */
export type CheckedOverview = Pick<Answer, 'overview' | 'found' | 'unsupported'> & {
  evidence: Evidence | null;
};

/** Above this number of quoted lines of one file, a note says so. */
const maxQuotedLines = 60;

/** Formats an answer: the overview, a horizontal rule, the source lines and notes. Adds a note if no line is cited. */
export function formatAnswer(
  { overview, found, unsupported, evidence }: CheckedOverview,
  language: Language,
): Answer {
  const { blocks, text, errors, leftOut } = evidence ?? emptyEvidence;
  const words = wording[language];
  const isCited = hasCitations(evidence);
  const missing = leftOut.map(({ path, lines }) => (lines === null ? path : `${path}:${lines}`));
  const notes = [...errors, ...(missing.length > 0 ? [`${words.tooLong} ${missing.join(', ')}`] : [])];
  const longQuotes = findLongQuotes(blocks).map(({ path, lines }) => words.longQuote(path, lines));
  const extractions = findExtractions(blocks).map(({ path, pages }) => words.extracted(path, pages));
  const parts = [
    overview,
    ...(isCited && unsupported.length > 0 ? [`${words.unsupported} ${unsupported.join(', ')}`] : []),
    ...(text === '' ? [] : ['---', text]),
    ...(isCited ? [] : [words.uncited]),
    [...extractions, ...notes, ...longQuotes].join('\n'),
  ];
  const document = parts.filter((part) => part !== '').join('\n\n');
  return { overview, found, blocks, isCited, unsupported, notes, document };
}

function findLongQuotes(blocks: Answer['blocks']): { path: string; lines: number }[] {
  return [...Map.groupBy(blocks, ({ path }) => path)]
    .map(([path, all]) => ({ path, lines: all.reduce((sum, { start, end }) => sum + end - start + 1, 0) }))
    .filter(({ lines }) => lines > maxQuotedLines);
}

/** The documents whose extracted text is quoted, with the pages of PDFs. */
function findExtractions(blocks: Answer['blocks']): { path: string; pages: string }[] {
  const quoted = blocks.filter(({ extracted }) => extracted !== undefined);
  return [...Map.groupBy(quoted, ({ path }) => path)].map(([path, all]) => {
    const pages = all.flatMap(({ extracted }) => extracted?.pages ?? []);
    return { path, pages: [...new Set(pages.map(formatRange))].join(', ') };
  });
}

function formatRange({ start, end }: { start: number; end: number }): string {
  return start === end ? `${start}` : `${start}-${end}`;
}

const emptyEvidence: Evidence = { blocks: [], text: '', errors: [], leftOut: [], headings: [] };

type Wording = Record<'uncited' | 'tooLong' | 'unsupported', string> & {
  longQuote: (path: string, lines: number) => string;
  /** `pages` is empty for a document other than a PDF. */
  extracted: (path: string, pages: string) => string;
};

const wording: Record<Language, Wording> = {
  en: {
    uncited: 'note: no lines of the vault are cited',
    tooLong: 'note: omitted because the answer would be too long:',
    unsupported: 'note: not in the lines below:',
    longQuote: (path, lines) => `note: ${lines} lines of ${path} are quoted; not all of them may be needed`,
    extracted: (path, pages) => `note: ${path}: text extracted from the document${formatPages(pages)}`,
  },
  fr: {
    uncited: 'note : aucune ligne du coffre n’est citée',
    tooLong: 'note : omis, car la réponse serait trop longue :',
    unsupported: 'note : ne figure pas dans les lignes ci-dessous :',
    longQuote: (path, lines) =>
      `note : ${lines} lignes de ${path} sont citées ; toutes ne sont peut-être pas utiles`,
    extracted: (path, pages) => `note : ${path} : texte extrait du document${formatPages(pages)}`,
  },
};

/** The same words in English and French. */
function formatPages(pages: string): string {
  return pages === '' ? '' : `, ${/^\d+$/.test(pages) ? 'page' : 'pages'} ${pages}`;
}

/** Removes the notes and errors, which come after the last block. Empty if there is no block. */
function extractBlocks(text: string): string {
  const end = Math.max(text.lastIndexOf('\n```'), text.lastIndexOf('\n~~~'));
  return end === -1 ? '' : text.slice(0, end + 4);
}
