import type { Answer, ConcatValue, PathError, ReplacedValue } from '../../contract/index.ts';
import { formatPathError, formatReplacedNote, withoutCallerAdvice } from '../../tools/index.ts';
import { formatInput, joinBlocks, parseBlocks } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import type { ExecutedCall } from '../conversation.ts';
import { renumberCitations } from './citations.ts';

/** The output of the `concat` calls of one step. */
export type Evidence = {
  /** `number` is the position of the requested entry, which the model cites, not yet that of the block. */
  blocks: Answer['blocks'];
  /** The number of requested entries. */
  entries: number;
  /** The blocks as `concat` returned them. */
  text: string;
  /** The requested files that could not be quoted. */
  errors: PathError[];
  /** How many calls were refused because of their input. */
  refusals: number;
  leftOut: ConcatValue['leftOut'];
  /** The headings above the blocks. */
  headings: readonly string[];
};

/** The entries of several calls are numbered consecutively. */
export function collectEvidence(calls: readonly ExecutedCall[]): Evidence {
  let entriesBefore = 0;
  const parts = calls.map(({ input, outcome }): Evidence => {
    const offset = entriesBefore;
    entriesBefore += countEntries(input);
    if (outcome.kind === 'refused') return { ...emptyEvidence, refusals: 1 };
    const { blocks, errors, leftOut } = outcome.result.value as ConcatValue;
    const text = extractBlocks(outcome.result.text);
    const parsed = parseBlocks(text);
    const numbered = blocks.map((block, index) => ({
      ...block,
      number: block.number + offset,
      text: parsed[index]?.lines.join('\n') ?? '',
    }));
    return { ...emptyEvidence, blocks: numbered, text, errors, leftOut };
  });
  return {
    blocks: parts.flatMap(({ blocks }) => blocks),
    entries: entriesBefore,
    refusals: parts.reduce((sum, { refusals }) => sum + refusals, 0),
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

/**
 * Formats an answer: the overview, a horizontal rule, the output of `concat`, and the notes of code. In the overview, `[n]` becomes
 * the n-th block.
 */
export function formatAnswer(checked: CheckedOverview, language: Language): Answer {
  const { found, evidence } = checked;
  const { text, errors, refusals, leftOut } = evidence ?? emptyEvidence;
  const { overview, unsupported, blocks } = numberByBlock(checked);
  const words = wording[language];
  const isCited = hasCitations(evidence);
  const missing = leftOut.map(({ path, lines }) => (lines === null ? path : `${path}:${lines}`));
  const notes = [
    ...errors.map((error) => formatPathError(withoutCallerAdvice(error))),
    ...(refusals > 0 ? [words.refused] : []),
    ...(missing.length > 0 ? [`${words.tooLong} ${missing.join(', ')}`] : []),
  ];
  const below = [
    ...new Set(
      blocks.flatMap(({ path, replaced = [] }) => replaced.map((each) => words.replaced(path, each))),
    ),
    ...findExtractions(blocks).map(({ path, pages }) => words.extracted(path, pages)),
    ...notes,
    ...(isCited && unsupported.length > 0 ? [`${words.unsupported} ${unsupported.join(', ')}`] : []),
    ...(isCited ? [] : [words.uncited]),
  ];
  const parts = [overview, ...(text === '' ? [] : ['---', text]), below.join('\n')];
  const document = parts.filter((part) => part !== '').join('\n\n');
  return { overview, found, blocks, isCited, unsupported, notes, document };
}

/** Replaces the positions of entries by those of their blocks: an entry that could not be quoted has none. */
function numberByBlock({ overview, unsupported, evidence }: CheckedOverview) {
  const { blocks, entries } = evidence ?? emptyEvidence;
  const quoted = [...new Set(blocks.map(({ number }) => number))];
  const numberOf = (entry: number): number => quoted.indexOf(entry) + 1;
  const renumber = (text: string): string =>
    renumberCitations(text, (cited) => (cited > entries ? cited : numberOf(cited) || null));
  return {
    overview: renumber(overview),
    unsupported: [...new Set(unsupported.map(renumber))],
    blocks: blocks.map((block) => ({ ...block, number: numberOf(block.number) })),
  };
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

export const emptyEvidence: Evidence = {
  blocks: [],
  entries: 0,
  text: '',
  errors: [],
  refusals: 0,
  leftOut: [],
  headings: [],
};

type Wording = Record<'uncited' | 'tooLong' | 'unsupported' | 'refused', string> & {
  replaced: (path: string, replaced: ReplacedValue) => string;
  /** `pages` is empty for a document other than a PDF. */
  extracted: (path: string, pages: string) => string;
};

const wording: Record<Language, Wording> = {
  en: {
    uncited: 'note: no lines of the vault are cited',
    tooLong: 'note: omitted because the answer would be too long:',
    unsupported: 'note: not in the lines above:',
    refused: 'error: the model requested lines in an invalid form, so they are missing',
    replaced: (path, replaced) => `note: ${formatReplacedNote(path, replaced)}`,
    extracted: (path, pages) => `note: ${path}: text extracted from the document${formatPages(pages)}`,
  },
  fr: {
    uncited: 'note : aucune ligne du coffre n’est citée',
    tooLong: 'note : omis, car la réponse serait trop longue :',
    unsupported: 'note : ne figure pas dans les lignes ci-dessus :',
    refused: 'erreur : le modèle a demandé des lignes sous une forme non valide, elles manquent donc',
    replaced: (path, { heading, lines, on, inForce, by }) =>
      [
        `note : ${path}:${lines.start} § ${formatInput(heading)} ${inForce === true ? 'sera' : 'a été'} remplacé`,
        ...(on === null ? [] : [`le ${on}`]),
        `par ${by.path}:${by.line} § ${formatInput(by.heading)}`,
      ].join(' '),
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
