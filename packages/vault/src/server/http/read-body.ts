import { isUtf8 } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import type { HttpLimits } from './limits.ts';
import type { RouteContext } from './http-options.ts';
import type { HttpEnv } from './request-env.ts';
import { Problem } from './problem.ts';

/** Reads the body of every request and enforces the size limits while reading; routes get the complete body. */
export function readBody({ limits }: Pick<RouteContext, 'limits'>): MiddlewareHandler<HttpEnv> {
  let bufferedBytes = 0;
  /** Bytes per client, so that a client that sends slowly cannot use up the limit of all others. */
  const bytesByClient = new Map<string, number>();
  return async (c, next) => {
    const { raw } = c.req;
    if (raw.method === 'GET' || raw.method === 'HEAD' || raw.body === null) return next();
    const type = parseMediaType(raw.headers);
    const maxBytes =
      type === null
        ? 0
        : maxBodyBytes(type, c.get('caller')?.kind === 'owner' || c.req.path === '/mcp', limits);
    if (Number(raw.headers.get('content-length') ?? 0) > maxBytes)
      throw type === null ? new Problem('wrong-type') : tooLarge(maxBytes);
    let size = 0;
    const caller = c.get('caller')?.id ?? 'anonymous';
    const addBytes = (more: number): number => {
      bufferedBytes += more;
      const own = (bytesByClient.get(caller) ?? 0) + more;
      if (own === 0) bytesByClient.delete(caller);
      else bytesByClient.set(caller, own);
      return own;
    };
    try {
      const bytes = await read(raw.body, (chunk) => {
        size += chunk;
        const own = addBytes(chunk);
        if (size > maxBytes) throw type === null ? new Problem('wrong-type') : tooLarge(maxBytes);
        if (bufferedBytes > limits.maxBufferedBytes || own > limits.maxBufferedBytesPerClient)
          throw new Problem('too-many', { headers: { 'retry-after': '1' } });
      });
      // Otherwise invalid bytes would be decoded to U+FFFD and stored in the vault.
      if (type === 'application/json' && !isUtf8(bytes))
        throw new Problem('bad-request', { detail: 'the body is not UTF-8; send JSON in UTF-8' });
      const { method, headers, signal } = raw;
      c.req.raw = new Request(raw.url, { method, headers, signal, ...(bytes.length > 0 && { body: bytes }) });
      await next();
    } finally {
      addBytes(-size);
    }
  };
}

/** The media type in lower case, without parameters; null if there is none. */
export function parseMediaType(headers: Headers): string | null {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || null;
}

function maxBodyBytes(type: string, hasNoForm: boolean, limits: HttpLimits): number {
  switch (type) {
    case 'application/json':
      return hasNoForm ? limits.maxMessageBytes : limits.maxJsonBytes;
    case 'multipart/form-data':
      return limits.maxFormBytes;
    case 'text/markdown':
    case 'text/plain':
    case 'image/gif':
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
      return limits.maxFileBytes;
    default:
      throw new Problem('wrong-type', {
        detail: `unsupported media type ${JSON.stringify(type.slice(0, 100))}`,
      });
  }
}

function tooLarge(maxBytes: number): Problem {
  return new Problem('too-large', { detail: `more than ${maxBytes} bytes` });
}

/** Reads the body until it ends or `count` throws. */
async function read(
  body: ReadableStream<Uint8Array>,
  count: (bytes: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  const reader = body.getReader();
  const next = () =>
    reader.read().catch((cause: unknown) => {
      throw new Problem('bad-request', { detail: 'the request body was truncated', cause });
    });
  const chunks: Uint8Array[] = [];
  try {
    for (let part = await next(); !part.done; part = await next()) {
      count(part.value.length);
      chunks.push(part.value);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  return Buffer.concat(chunks);
}
