import type { Part } from './wrap-line.ts';

/** A range of characters. */
export type Range = { start: number; end: number };

/** Marks ranges of a text. */
export function markRanges(text: string, ranges: readonly Range[]): Part[] {
  let at = 0;
  const parts: Part[] = [];
  for (const { start, end } of ranges) {
    parts.push({ text: text.slice(at, start) }, { text: text.slice(start, end), style: 'match' });
    at = end;
  }
  return [...parts, { text: text.slice(at) }].filter((part) => part.text !== '');
}

/** Cut text continues with this. */
const ellipsis = '…';

/** Shortens a text to about `maxCharacters` around most of the ranges, between words. */
export function cutAround(
  text: string,
  ranges: readonly Range[],
  maxCharacters: number,
): { text: string; ranges: Range[] } {
  if (text.length <= maxCharacters) return { text, ranges: [...ranges] };
  const countFrom = ({ start }: Range): number =>
    ranges.filter((each) => each.start >= start && each.end <= start + maxCharacters * afterShare).length;
  const first = ranges.reduce<Range | null>(
    (best, each) => (best === null || countFrom(each) > countFrom(best) ? each : best),
    null,
  );
  const wanted = Math.max(0, (first?.start ?? 0) - Math.round(maxCharacters * (1 - afterShare)));
  const start = wanted === 0 ? 0 : endOfSpace(text, wanted);
  const wantedEnd = start + maxCharacters;
  const end = wantedEnd >= text.length ? text.length : startOfSpace(text, wantedEnd, start);
  const before = start === 0 ? '' : `${ellipsis} `;
  const shift = before.length - start;
  return {
    text: `${before}${text.slice(start, end)}${end === text.length ? '' : ` ${ellipsis}`}`,
    ranges: ranges
      .filter((each) => each.start >= start && each.end <= end)
      .map((each) => ({ start: each.start + shift, end: each.end + shift })),
  };
}

/** The share of the characters that follow the first range. */
const afterShare = 0.75;
/** A longer word is cut; scripts without spaces have one word only. */
const maxWordCharacters = 30;

/** The end of the first space from a place on. */
function endOfSpace(text: string, from: number): number {
  const space = /\s+/u.exec(text.slice(from, from + maxWordCharacters));
  return space === null ? wholeCharacter(text, from) : from + space.index + space[0].length;
}

/** The start of the last space before a place. */
function startOfSpace(text: string, before: number, after: number): number {
  const from = Math.max(after, before - maxWordCharacters);
  const space = /\s+(?=\S*$)/u.exec(text.slice(from, before + 1));
  return space === null ? wholeCharacter(text, before) : from + space.index;
}

/** A place that is not between the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(at)) ? at - 1 : at;
}
