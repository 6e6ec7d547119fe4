import type { InputType } from 'node:zlib';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';

type Encoding = 'br' | 'gzip';

/** The preferred encoding of a request; null if the response must not be compressed. */
export function selectEncoding(acceptEncoding: string | null | undefined): Encoding | null {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
      .map((part) => part.replace(/\s*;.*$/, '')),
  );
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null;
}

/** Compresses in a thread of the pool, at a quality that costs a few milliseconds per megabyte. */
export function compress(body: InputType, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br'
    ? promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    : promisify(gzip)(body, { level: 6 });
}
