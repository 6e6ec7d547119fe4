import type { Answer, ConcatValue } from '../../contract/index.ts';
import { formatPathError } from '../../tools/index.ts';
import { joinBlocks, parseBlocks } from '../../vault/index.ts';
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
};

/** Refused calls count as errors. */
export function collectEvidence(calls: readonly ExecutedCall[]): Evidence {
  const parts = calls.map(({ outcome }): Evidence => {
    if (outcome.kind === 'refused') return { ...emptyEvidence, errors: outcome.message.split('\n') };
    const { blocks, errors, leftOut } = outcome.result.value as ConcatValue;
    const text = extractBlocks(outcome.result.text);
    const parsed = parseBlocks(text);
    return {
      blocks: blocks.map((block, index) => ({ ...block, text: parsed[index]?.lines.join('\n') ?? '' })),
      text,
      errors: errors.map(formatPathError),
      leftOut,
    };
  });
  return {
    blocks: parts.flatMap(({ blocks }) => blocks),
    text: joinBlocks(parts.map(({ text }) => text).filter((text) => text !== '')),
    errors: parts.flatMap(({ errors }) => errors),
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
  };
}

/** A block of an empty file has no lines, so it is not a citation. */
export function hasCitations(evidence: Evidence | null): boolean {
  return evidence !== null && evidence.blocks.some(({ start, end }) => end >= start);
}

/**
 * Formats an answer: the overview, a horizontal rule, the source lines and notes. Adds a note if no line is cited.
 * Removes the citation numbers if a block is missing, because they would point to the wrong blocks.
 */
export function formatAnswer(written: string, evidence: Evidence | null, language: Language): Answer {
  const { blocks, text, errors, leftOut } = evidence ?? emptyEvidence;
  const isWhole = errors.length === 0 && leftOut.length === 0;
  const overview = isWhole ? written : written.replaceAll(/ ?\[\d{1,2}\]/g, '');
  const { uncited, tooLong } = words[language];
  const missing = leftOut.map(({ path, lines }) => (lines === null ? path : `${path}:${lines}`));
  const notes = [...errors, ...(missing.length > 0 ? [`${tooLong} ${missing.join(', ')}`] : [])];
  const isCited = hasCitations(evidence);
  const parts = [
    overview,
    ...(text === '' ? [] : ['---', text]),
    ...(isCited ? [] : [uncited]),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
  ];
  const document = parts.filter((part) => part !== '').join('\n\n');
  return { overview, blocks, isCited, notes, document };
}

const emptyEvidence: Evidence = { blocks: [], text: '', errors: [], leftOut: [] };

const words: Record<Language, Record<'uncited' | 'tooLong', string>> = {
  en: {
    uncited: 'note: no lines of the vault are cited',
    tooLong: 'note: omitted because the answer would be too long:',
  },
  fr: {
    uncited: 'note : aucune ligne du coffre n’est citée',
    tooLong: 'note : omis, car la réponse serait trop longue :',
  },
};

/** Removes the notes and errors, which come after the last block. Empty if there is no block. */
function extractBlocks(text: string): string {
  const end = Math.max(text.lastIndexOf('\n```'), text.lastIndexOf('\n~~~'));
  return end === -1 ? '' : text.slice(0, end + 4);
}
