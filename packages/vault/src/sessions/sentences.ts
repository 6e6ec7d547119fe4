import { splitProse } from '../review/index.ts';
import { escapeInvisible, formatNumberedLines } from '../vault/index.ts';
import { estimateTokens } from './estimate-tokens.ts';

/** A line of a note with its number, or words that are in no note. */
export type QuotedLine = { text: string; number: number | null };

/** What is quoted whole or not at all: a sentence, which can span lines, a heading, a row of a table or a block of code. */
export type Sentence = {
  kind: 'prose' | 'item' | 'heading' | 'code';
  text: string;
  /** Its parts by line, as indexes into the lines. */
  fragments: { line: number; text: string }[];
};

/** Splits lines into sentences. Text without sentences is split after this many characters, between words. */
const maxSentenceLength = 160;

export function splitSentences(lines: readonly QuotedLine[]): Sentence[] {
  return groupParagraphs(lines).flatMap(({ kind, from, to }): Sentence[] => {
    const texts = lines.slice(from, to).map(({ text }) => escapeInvisible(text.trimEnd()));
    if (kind === 'heading' || kind === 'code') {
      const fragments = texts.map((text, index) => ({ line: from + index, text }));
      return [{ kind, text: texts.join('\n'), fragments }];
    }
    return splitParagraph(texts, from).map((fragments) => ({
      kind,
      text: fragments.map(({ text }) => text.trim()).join(' '),
      fragments,
    }));
  });
}

type Paragraph = { kind: Sentence['kind']; from: number; to: number };

/** Groups the lines that belong together. Blank lines belong to nothing. */
function groupParagraphs(lines: readonly QuotedLine[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let fence: string | null = null;
  let isOpen = false;
  for (const [index, { text }] of lines.entries()) {
    const last = isOpen ? paragraphs.at(-1) : undefined;
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1]?.slice(0, 3);
    if (fence !== null || mark !== undefined) {
      if (fence !== null && last !== undefined) last.to = index + 1;
      else paragraphs.push({ kind: 'code', from: index, to: index + 1 });
      isOpen = fence === null || mark !== fence;
      fence = fence === null ? (mark ?? null) : mark === fence ? null : fence;
    } else if (text.trim() === '') isOpen = false;
    else {
      const kind = kindOf(text);
      if (kind === 'prose' && last !== undefined) last.to = index + 1;
      else paragraphs.push({ kind, from: index, to: index + 1 });
      isOpen = kind !== 'heading';
    }
  }
  return paragraphs;
}

function kindOf(line: string): 'heading' | 'item' | 'prose' {
  // A transcript escapes the headings of answers.
  if (/^\s*(?:\\?#{1,6}\s|\|)/.test(line)) return 'heading';
  return /^\s*(?:[-*+]|\d{1,4}[.)])\s/.test(line) ? 'item' : 'prose';
}

/** The sentences of a paragraph, each with its parts by line. */
function splitParagraph(texts: readonly string[], from: number): Sentence['fragments'][] {
  const joined = texts.join(' ');
  let start = 0;
  const places = texts.map((text, index) => {
    const place = { line: from + index, start, end: start + text.length };
    start = place.end + 1;
    return place;
  });
  return splitText(joined).map((range) =>
    places
      .map(({ line, ...place }) => ({
        line,
        text: joined.slice(Math.max(place.start, range.start), Math.min(place.end, range.end)),
      }))
      .filter(({ text }) => text.trim() !== ''),
  );
}

/** Ends a sentence in Chinese and Japanese, without a space after it. */
const wideEnd = /(?<=[。！？][」』”’）)]*)(?![。！？」』”’）)])/u;

function splitText(text: string): { start: number; end: number }[] {
  const pieces: { start: number; end: number }[] = [];
  let sentenceEnd = 0;
  for (const sentence of splitProse(text).flatMap((each) => each.split(wideEnd))) {
    let start = sentenceEnd;
    sentenceEnd += sentence.length;
    while (start < sentenceEnd) {
      const end = start + findPieceLength(text.slice(start, sentenceEnd));
      pieces.push({ start, end });
      start = end;
    }
  }
  return pieces;
}

/** The length of the first piece of a sentence: all of it, or up to the last word or character that fits. */
function findPieceLength(text: string): number {
  if (text.length <= maxSentenceLength * 2) return text.length;
  const space = text.lastIndexOf(' ', maxSentenceLength);
  if (space > maxSentenceLength / 2) return space + 1;
  let end = 0;
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, maxSentenceLength + 40))) {
    if (end > 0 && end + segment.length > maxSentenceLength) break;
    end += segment.length;
  }
  return end;
}

/** At most the tokens that a sentence needs, with the numbers of its lines. */
export function estimateSentence({ fragments }: Sentence): number {
  return fragments.reduce((sum, { text }) => sum + estimateTokens(`1234 | ${text} [.]\n`), 0);
}

/**
 * Formats as many sentences as fit. `format` gets a number of tokens for its sentences and can estimate them too high; what is left then
 * is given to it once more.
 */
export function fitSentences(tokens: number, format: (tokens: number) => string | null): string | null {
  let best: string | null = null;
  for (let room = tokens, round = 0; round < 4; round += 1) {
    const text = format(room);
    const used = text === null ? 0 : estimateTokens(text);
    if (used > tokens || (round > 0 && text === best)) break;
    best = text;
    room += tokens - used;
  }
  return best;
}

/** Formats the chosen sentences by line, with a mark where others are missing in it. */
export function formatSentences(
  lines: readonly QuotedLine[],
  sentences: readonly Sentence[],
  isChosen: (sentence: Sentence) => boolean,
  prefix = '',
): string[] {
  const byLine = new Map<number, { text: string; isChosen: boolean }[]>();
  for (const sentence of sentences)
    for (const { line, text } of sentence.fragments)
      byLine.set(line, [...(byLine.get(line) ?? []), { text, isChosen: isChosen(sentence) }]);
  return [...byLine]
    .filter(([, parts]) => parts.some((part) => part.isChosen))
    .map(([line, parts]) => {
      const shown = parts
        .flatMap((part, index) =>
          part.isChosen ? [part.text] : parts[index - 1]?.isChosen === false ? [] : [' […] '],
        )
        .join('')
        .replaceAll(/ +(?=\[…\])|(?<=\[…\]) +/g, ' ')
        .trimEnd();
      const text = `${prefix}${shown.startsWith(' […]') ? shown.slice(1) : shown}`;
      const number = lines[line]?.number ?? null;
      return number === null ? `  | ${text}` : formatNumberedLines([text], number);
    });
}
