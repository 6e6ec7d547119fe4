import { isUtf8 } from 'node:buffer';

/** The largest text that is handed out whole. */
export const largestText = 20_000_000;

export type Decoded = { kind: 'text'; text: string } | NotText;
export type NotText = { kind: 'not-text'; what: string };

/** Text is UTF-8 without NUL; a byte order mark stays part of it. */
export function decodeText(bytes: Buffer): Decoded {
  if (!isUtf8(bytes) || bytes.includes(0)) return { kind: 'not-text', what: describeBinary(bytes) };
  return { kind: 'text', text: bytes.toString('utf8') };
}

/** Without these characters at its end. A regular expression would begin anew at each of many that stand elsewhere. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const signatures: readonly [string, string][] = [
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive or Office document'],
  ['1f8b', 'a gzip archive'],
  ['53514c69746520666f726d6174', 'an SQLite database'],
  ['fffe', 'UTF-16 text'],
  ['feff', 'UTF-16 text'],
];

/** What bytes that are not text seem to be, as a noun with its article. */
export function describeBinary(bytes: Buffer): string {
  const start = bytes.subarray(0, 16).toString('hex');
  const known = signatures.find(([signature]) => start.startsWith(signature));
  if (known !== undefined) return known[1];
  return bytes.includes(0) ? 'binary data' : 'text that is not UTF-8';
}

/** How many of the bytes make whole characters; the rest, at most three, begin one that is cut. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return width > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
