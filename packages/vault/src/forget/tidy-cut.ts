import { spacedCharacter } from './match-phrases.ts';
import type { Span, TextEdit } from './text-edits.ts';

const brackets = ['()', '[]', '{}', '<>', '«»', '“”', '‘’', '„“', '「」'];
/** The same on both sides. They must enclose the cut directly, because elsewhere the first may close and the second open. */
const quotes = ['***', '**', '*', '__', '_', '~~', '==', '``', '`', '"', "'"];

/**
 * Leaves punctuation and blanks around a cut as they would have been written: no empty brackets, no blank before a comma,
 * no two commas, no two blanks. `before` and `after` are the rest of the line, or of its part. Removes no letters or digits.
 */
export function tidyCut(before: string, after: string, { start, end }: Span): TextEdit {
  let [left, right] = [before, after];
  for (let size = -1; size !== left.length + right.length;) {
    size = left.length + right.length;
    for (const drop of [dropEnclosing, dropPunctuation]) {
      const dropped = drop(left, right);
      if (!joinsWords(...dropped)) [left, right] = dropped;
    }
  }
  [left, right] = joinBlanks(left, right);
  return {
    start: start - (before.length - left.length),
    end: end + (after.length - right.length),
    insert: joinsWords(left, right) ? ' ' : '',
  };
}

/** In scripts with spaces between words. */
function joinsWords(left: string, right: string): boolean {
  const [last = '', first = ''] = [left.at(-1), right.at(0)];
  return spacedCharacter.test(last) && spacedCharacter.test(first);
}

function dropEnclosing(left: string, right: string): [string, string] {
  for (const quote of quotes)
    if (left.endsWith(quote) && right.startsWith(quote))
      return [left.slice(0, -quote.length), right.slice(quote.length)];
  const [start, end] = [left.trimEnd(), right.trimStart()];
  for (const [open = '', close = ''] of brackets)
    // The brackets of a link also stand for its destination.
    if (start.endsWith(open) && end.startsWith(close) && !/^\][([:]/.test(end))
      return [start.slice(0, -1), end.slice(1)];
  return [left, right];
}

function dropPunctuation(left: string, right: string): [string, string] {
  const [start, end] = [left.trimEnd(), right.trimStart()];
  if (/^[,;:]/.test(end) && /(?:^|[.!?…,;:([{«“])$/.test(start)) return [left, end.replace(/^[,;:]+\s*/, '')];
  if (start === '') return [left, end.replace(/^(?:[.)\]]+|[-+*–—]|#{1,6}|[>=|]+)(?:\s+|$)/, '')];
  if (/^(?:$|[.!?…)\]}»”])/.test(end) && /(?:[,;:–—]|\s-)$/.test(start))
    return [start.replace(/(?:[,;:–—]+|\s-)$/, ''), right];
  return [left, right];
}

function joinBlanks(left: string, right: string): [string, string] {
  const [start, end] = [left.trimEnd(), right.trimStart()];
  if (start === '') return ['', end];
  if (end === '') return [start, ''];
  if (/^[.,…)\]}”]/.test(end)) return [start, end];
  if (/[([{“]$/.test(start)) return [start, end];
  // French puts a blank before these.
  if (/^[;:!?»]/.test(end)) return [start, right];
  return left === start ? [left, right] : [left, end];
}
