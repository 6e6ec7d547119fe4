import { isUtf8 } from 'node:buffer';

export type Decoded = { text: string; warnings: string[] };

/** As its byte order mark says, else UTF-8 if it can be, else as Windows wrote text in western Europe. */
export function decodeText(bytes: Uint8Array): Decoded {
  const marked = marks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return { text: decode(bytes, marked.encoding), warnings: [] };
  if (isUtf8(bytes)) return { text: decode(bytes, 'utf-8'), warnings: [] };
  return {
    text: decode(bytes, 'windows-1252'),
    warnings: [
      'It does not say how its letters are encoded and was read as Windows-1252; check the accents.',
    ],
  };
}

const marks = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** However the lines of a text end, with LF. */
export function unixLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}
