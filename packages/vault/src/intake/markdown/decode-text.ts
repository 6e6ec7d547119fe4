import { encodingOf } from '../../vault/index.ts';

export type Decoded = { text: string; warnings: string[] };

/** UTF-8 if it can be, else as its byte order mark says, else as Windows wrote text in western Europe. */
export function decodeText(bytes: Uint8Array): Decoded {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  const warning =
    'It does not say how its letters are encoded and was read as Windows-1252; check the accents.';
  return { text, warnings: encoding === 'windows-1252' ? [warning] : [] };
}

/** However the lines of a text end, with LF. */
export function unixLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
