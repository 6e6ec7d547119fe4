import type { Answer, ConcatValue } from '../../contract/index.ts';
import { errorLine } from '../../tools/index.ts';
import { joinBlocks, parseBlocks } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import type { Called } from '../conversation.ts';

/** What the calls of one step have assembled. */
export type Evidence = {
  blocks: Answer['blocks'];
  /** The blocks as they stand in the document. */
  text: string;
  /** What could not be assembled, a line for each. */
  errors: string[];
  leftOut: ConcatValue['leftOut'];
};

/** A call that was not valid is an error like any other. */
export function evidenceOf(calls: readonly Called[]): Evidence {
  const parts = calls.map(({ outcome }): Evidence => {
    if (outcome.kind === 'refused') return { ...nothing, errors: outcome.message.split('\n') };
    const { blocks, errors, leftOut } = outcome.result.value as ConcatValue;
    const text = onlyBlocks(outcome.result.text);
    const parsed = parseBlocks(text);
    return {
      blocks: blocks.map((block, index) => ({ ...block, text: parsed[index]?.lines.join('\n') ?? '' })),
      text,
      errors: errors.map(errorLine),
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

/** An empty file is no evidence. */
export function citesLines(evidence: Evidence | null): boolean {
  return evidence !== null && evidence.blocks.some(({ start, end }) => end >= start);
}

/**
 * Overview, a rule, the lines, and below them what is missing. Without a line code says so. A number in the overview counts
 * the blocks; where one of them is missing it would lead to another.
 */
export function composeAnswer(written: string, evidence: Evidence | null, language: Language): Answer {
  const { blocks, text, errors, leftOut } = evidence ?? nothing;
  const isWhole = errors.length === 0 && leftOut.length === 0;
  const overview = isWhole ? written : written.replaceAll(/ ?\[\d{1,2}\]/g, '');
  const { uncited, tooLong } = words[language];
  const missing = leftOut.map(({ path, lines }) => (lines === null ? path : `${path}:${lines}`));
  const notes = [...errors, ...(missing.length > 0 ? [`${tooLong} ${missing.join(', ')}`] : [])];
  const isCited = citesLines(evidence);
  const parts = [
    overview,
    ...(text === '' ? [] : ['---', text]),
    ...(isCited ? [] : [uncited]),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
  ];
  const document = parts.filter((part) => part !== '').join('\n\n');
  return { overview, blocks, isCited, notes, document };
}

const nothing: Evidence = { blocks: [], text: '', errors: [], leftOut: [] };

const words: Record<Language, Record<'uncited' | 'tooLong', string>> = {
  en: {
    uncited: 'note: nothing in the vault was cited',
    tooLong: 'note: left out, too long for one answer:',
  },
  fr: {
    uncited: 'note : rien dans le coffre n’a été cité',
    tooLong: 'note : laissé de côté, trop long pour une réponse :',
  },
};

/** Notes and errors stand behind the last block; without a block there is nothing else. */
function onlyBlocks(text: string): string {
  const end = Math.max(text.lastIndexOf('\n```'), text.lastIndexOf('\n~~~'));
  return end === -1 ? '' : text.slice(0, end + 4);
}
