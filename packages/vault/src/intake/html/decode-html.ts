import { isUtf8 } from 'node:buffer';
import { decodeText } from '../markdown/decode-text.ts';
import type { Decoded } from '../markdown/decode-text.ts';

/** As its byte order mark says, else as it says itself, else as any text. */
export function decodeHtml(bytes: Uint8Array): Decoded {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).toString(
    'latin1',
  );
  const [, charset = ''] = /<(?:meta|\?xml)[^>]+(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head) ?? [];
  // A page that could be read so far is not UTF-16, whatever it says; one that says UTF-8 may be something else.
  if (/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(head) || /^utf-?(?:8|16)/i.test(charset) || isUtf8(bytes)) {
    return decodeText(bytes);
  }
  try {
    return { text: new TextDecoder(charset).decode(bytes), warnings: [] };
  } catch {
    return decodeText(bytes); // no encoding anybody knows
  }
}
