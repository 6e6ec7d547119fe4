import { encodingOf } from '../../vault/index.ts';

export type Decoded = { text: string; warnings: string[] };

/** Decodes as UTF-8 if valid, else by the byte order mark, else as Windows-1252. */
export function decodeText(bytes: Uint8Array): Decoded {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  const warning = 'The text encoding is unknown and was read as Windows-1252; check the accented letters.';
  return { text, warnings: encoding === 'windows-1252' ? [warning] : [] };
}

/** Converts all line endings to LF. */
export function normalizeLineEndings(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
