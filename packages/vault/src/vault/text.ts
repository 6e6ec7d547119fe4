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

/** How the bytes of a text from outside the vault are encoded: UTF-8 if they can be, else as a mark of UTF-16 says. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (isUtf8(bytes)) return 'utf-8';
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'windows-1252';
}

/** `note` says how the bytes were read where that is a guess or a conversion; null for UTF-8, which is taken as it is. */
export type DecodedInput = { kind: 'text'; text: string; note: string | null } | NotText;

/** The text of bytes from outside the vault. Every byte of them is in it, or they are refused. */
export function decodeInput(bytes: Buffer): DecodedInput {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8') {
    const decoded = decodeText(bytes);
    return decoded.kind === 'text' ? { ...decoded, note: null } : decoded;
  }
  const refused: NotText = { kind: 'not-text', what: describeBinary(bytes) };
  if (encoding === 'windows-1252') {
    if (bytes.includes(0)) return refused;
    const text = new TextDecoder(encoding).decode(bytes);
    const note = 'it is not UTF-8 and was read as Windows-1252; check the accents';
    return hasManyControls(text) ? refused : { kind: 'text', text, note };
  }
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0')
      ? refused
      : { kind: 'text', text, note: 'it was converted from UTF-16 to UTF-8' };
  } catch {
    return refused; // half a character
  }
}

/** More control characters than text has: what was decoded is not text, whatever its encoding. */
export function hasManyControls(text: string): boolean {
  return (text.match(/(?![\t\n\f\r])\p{Cc}/gu)?.length ?? 0) > text.length / 100;
}

/** Why a text cannot be stored as UTF-8 and read again as it is; null when it can. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'has a NUL character, which no text file can hold; leave it out';
  return text.isWellFormed()
    ? null
    : 'has half a character (a lone surrogate); send it whole, or leave it out';
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
