import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { PhraseMatcher } from './match-phrases.ts';

/** Longer contents are searched in pieces that overlap. */
const pieceLength = 16_777_216;
const overlapLength = 65_536;
const minHashedBytes = 1_048_576;

/** Returns a function that finds the phrases in bytes, which may be text in UTF-8, UTF-16 or Latin-1. */
export function createByteMatcher(
  phrases: readonly string[],
  matcher: PhraseMatcher,
): (bytes: Buffer) => boolean {
  /** Only characters that are not ASCII differ between UTF-8 and Latin-1. */
  const hasAccents = phrases.some((phrase) => /[^\0-\u007f]/.test(phrase));
  const matchesDecoded = (bytes: Buffer): boolean => {
    for (let from = 0; from < bytes.length; from += pieceLength - overlapLength) {
      const piece = bytes.subarray(from, from + pieceLength);
      const isText = isUtf8(piece);
      if (isText ? matcher.test(piece.toString('utf8')) : matcher.testUtf8(piece)) return true;
      if (piece.includes(0) && matcher.test(extractUtf16(piece))) return true;
      if (hasAccents && !isText && matcher.testLatin1(piece)) return true;
    }
    return false;
  };
  /** Large contents are searched once: those of a vault are also in its history, and are looked at before and after each step. */
  const withoutPhrases = new Set<string>();
  return (bytes) => {
    if (bytes.length < minHashedBytes) return matchesDecoded(bytes);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (withoutPhrases.has(hash)) return false;
    const isMatch = matchesDecoded(bytes);
    if (!isMatch) withoutPhrases.add(hash);
    return isMatch;
  };
}

/**
 * The text in UTF-16 among other bytes, one run per paragraph. A file that starts with a byte order mark is text as a whole;
 * elsewhere only runs of Latin letters are recognized, because any bytes could be characters of some script.
 */
function extractUtf16(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  const runs = bytes.toString('latin1').match(/(?:[\t\n\r\x20-\x7e\xa0-\xff]\0){2,}/g) ?? [];
  return runs.map((run) => run.replaceAll('\0', '')).join('\n\n');
}
