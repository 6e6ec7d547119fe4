import { isUtf8 } from 'node:buffer';
import { decodeText } from '../markdown/decode-text.ts';
import type { Decoded } from '../markdown/decode-text.ts';

/** Decodes by the byte order mark, otherwise by the declared charset, otherwise like plain text. */
export function decodeHtml(bytes: Uint8Array): Decoded {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).toString(
    'latin1',
  );
  const [, charset = ''] = /<(?:meta|\?xml)[^>]+(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head) ?? [];
  // A page whose charset declaration can be read as Latin-1 is not UTF-16, even if it says so. Declared UTF-8 is
  // verified.
  if (/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(head) || /^utf-?(?:8|16)/i.test(charset) || isUtf8(bytes)) {
    return decodeText(bytes);
  }
  try {
    return { text: new TextDecoder(charset).decode(bytes), warnings: [] };
  } catch {
    return decodeText(bytes); // unknown charset
  }
}
