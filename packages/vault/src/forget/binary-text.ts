/** The maximum of UTF-16 units that folding makes of a character, by its number of bytes in UTF-8. */
const maxFoldedLengths = [0, 1, 3, 18, 6] as const;
/** Not valid in UTF-8, so that it is decoded as a character that belongs to no phrase. */
const separator = 0xff;

/**
 * The text in UTF-8 among other bytes, as if all bytes were decoded, but without runs that are too short for `minLength` folded
 * characters. Of compressed or encrypted bytes little is left, so searching the result costs about as much as reading the bytes.
 */
export function extractUtf8(bytes: Buffer, minLength: number): string {
  const kept = Buffer.allocUnsafe(bytes.length + 1);
  let length = 0;
  let start = 0;
  let weight = 0;
  for (let at = 0; at <= bytes.length;) {
    const size = sizeOfCharacter(bytes, at);
    if (size > 0) {
      weight += maxFoldedLengths[size];
      at += size;
      continue;
    }
    if (weight >= minLength) {
      length += bytes.copy(kept, length, start, at);
      // A skipped byte makes room for this one.
      kept[length] = separator;
      length += 1;
    }
    at += 1;
    start = at;
    weight = 0;
  }
  return kept.toString('utf8', 0, length);
}

/** The number of bytes of the valid character that starts here; 0 if there is none. */
function sizeOfCharacter(bytes: Buffer, at: number): 0 | 1 | 2 | 3 | 4 {
  const first = bytes[at];
  if (first === undefined) return 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  if (first < 0xe0) return isContinuation(second) ? 2 : 0;
  if (!isContinuation(second) || !isContinuation(bytes[at + 2] ?? 0)) return 0;
  // Longer forms than necessary, surrogates, and code points beyond the last one are not valid.
  if (first < 0xf0) return (first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f) ? 0 : 3;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  return isContinuation(bytes[at + 3] ?? 0) ? 4 : 0;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Replaces every byte by its text in `characters`. */
export function foldBytes(bytes: Buffer, characters: readonly string[]): string {
  const longest = Math.max(...characters.map(({ length }) => length));
  const lengths = Uint8Array.from(characters, ({ length }) => length);
  const units = Uint16Array.from(characters.flatMap((text) => unitsOf(text.padEnd(longest, '\0'))));
  let length = 0;
  for (const byte of bytes) length += lengths[byte] ?? 0;
  const folded = new Uint16Array(length);
  let at = 0;
  for (const byte of bytes)
    for (let index = 0; index < (lengths[byte] ?? 0); index += 1) {
      folded[at] = units[byte * longest + index] ?? 0;
      at += 1;
    }
  return Buffer.from(folded.buffer).toString('utf16le');
}

function unitsOf(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}
