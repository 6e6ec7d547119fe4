import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type ServedFile = {
  bytes: Buffer;
  /** Redirects to the storage and sends size and checksum with the redirect, like Hugging Face. */
  huggingFace?: boolean;
  /** A false checksum to send. */
  statedSha256?: string;
  /** Ignores range requests and sends the whole file. */
  ignoresRange?: boolean;
  contentType?: string;
};

const storage = '/storage';

/** False if there is no such file. */
export function serveFile(
  files: ReadonlyMap<string, ServedFile>,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const path = request.url ?? '/';
  const stored = path.startsWith(storage);
  const file = files.get(stored ? path.slice(storage.length) : path);
  if (file === undefined) return false;
  if (file.huggingFace === true && !stored) {
    const sha256 = file.statedSha256 ?? createHash('sha256').update(file.bytes).digest('hex');
    response
      .writeHead(302, {
        location: storage + path,
        'x-linked-etag': `"${sha256}"`,
        'x-linked-size': file.bytes.length,
      })
      .end('Found');
    return true;
  }
  sendBytes(file, request.headers.range, response);
  return true;
}

function sendBytes(
  { bytes, ignoresRange = false, contentType = 'application/octet-stream' }: ServedFile,
  range: string | undefined,
  response: ServerResponse,
): void {
  response.setHeader('content-type', contentType);
  const [, start] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
  if (start === undefined || ignoresRange) {
    response.setHeader('content-length', bytes.length);
    response.end(bytes);
    return;
  }
  const from = Number(start);
  if (from >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end('');
    return;
  }
  response.statusCode = 206;
  response.setHeader('content-range', `bytes ${from}-${bytes.length - 1}/${bytes.length}`);
  response.setHeader('content-length', bytes.length - from);
  response.end(bytes.subarray(from));
}
