import { isUtf8 } from 'node:buffer';

/** The largest text that is returned whole. */
export const maxTextBytes = 20_000_000;

export type DecodeResult = { kind: 'text'; text: string } | NotText;
export type NotText = { kind: 'not-text'; description: string };

/** Decodes UTF-8 without NUL; a byte order mark stays part of the text. */
export function decodeText(bytes: Buffer): DecodeResult {
  if (!isUtf8(bytes) || bytes.includes(0)) return { kind: 'not-text', description: describeBinary(bytes) };
  return { kind: 'text', text: bytes.toString('utf8') };
}

/** Detects the encoding of external text: UTF-8 if valid, UTF-16 by its byte order mark, or else Windows-1252. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (isUtf8(bytes)) return 'utf-8';
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'windows-1252';
}

/** `note` describes a conversion or a guessed encoding; null for UTF-8. */
export type DecodedInput = { kind: 'text'; text: string; note: string | null } | NotText;

/** Decodes external text without loss, or rejects it. */
export function decodeInput(bytes: Buffer): DecodedInput {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8') {
    const decoded = decodeText(bytes);
    return decoded.kind === 'text' ? { ...decoded, note: null } : decoded;
  }
  const refused: NotText = { kind: 'not-text', description: describeBinary(bytes) };
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
    return refused; // incomplete character
  }
}

/** Whether there are too many control characters for text. */
export function hasManyControls(text: string): boolean {
  return (text.match(/(?![\t\n\f\r])\p{Cc}/gu)?.length ?? 0) > text.length / 100;
}

/** Why a text does not round-trip through a UTF-8 file; null when it does. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'has a NUL character, which a text file cannot contain; remove it';
  return text.isWellFormed()
    ? null
    : 'has half a character (a lone surrogate); send the whole character or remove it';
}

/** Trims the given characters from the end in linear time; a regular expression would backtrack at every occurrence. */
export function trimEndCharacters(text: string, characters: string): string {
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

/** Describes binary data as a noun with its article. */
export function describeBinary(bytes: Buffer): string {
  const start = bytes.subarray(0, 16).toString('hex');
  const match = signatures.find(([signature]) => start.startsWith(signature));
  if (match !== undefined) return match[1];
  return bytes.includes(0) ? 'binary data' : 'text that is not UTF-8';
}

/** The number of bytes that form complete characters; at most three remain for an incomplete one. */
export function completeUtf8Length(bytes: Uint8Array): number {
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
