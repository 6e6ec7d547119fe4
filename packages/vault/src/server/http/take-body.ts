import { isUtf8 } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import type { Limits } from './limits.ts';
import type { RouteParts } from './parts.ts';
import type { HttpEnv } from './request-env.ts';
import { Problem } from './problem.ts';

/** Reads the body of every request, counting as it comes; routes find it read, whole and not too large. */
export function takeBody({ limits }: Pick<RouteParts, 'limits'>): MiddlewareHandler<HttpEnv> {
  let held = 0;
  /** One caller cannot take the room of all others by sending slowly. */
  const ofCaller = new Map<string, number>();
  return async (c, next) => {
    const { raw } = c.req;
    if (raw.method === 'GET' || raw.method === 'HEAD' || raw.body === null) return next();
    const type = mediaType(raw.headers);
    const most =
      type === null ? 0 : mostBytes(type, c.get('caller')?.kind === 'owner' || c.req.path === '/mcp', limits);
    if (Number(raw.headers.get('content-length') ?? 0) > most)
      throw type === null ? new Problem('wrong-type') : tooLarge(most);
    let size = 0;
    const caller = c.get('caller')?.id ?? 'nobody';
    const hold = (more: number): number => {
      held += more;
      const own = (ofCaller.get(caller) ?? 0) + more;
      if (own === 0) ofCaller.delete(caller);
      else ofCaller.set(caller, own);
      return own;
    };
    try {
      const bytes = await read(raw.body, (chunk) => {
        size += chunk;
        const own = hold(chunk);
        if (size > most) throw type === null ? new Problem('wrong-type') : tooLarge(most);
        if (held > limits.bodies || own > limits.callerBodies)
          throw new Problem('too-many', { headers: { 'retry-after': '1' } });
      });
      // Decoded as it is, a byte that is not UTF-8 would become U+FFFD in the vault.
      if (type === 'application/json' && !isUtf8(bytes))
        throw new Problem('bad-request', { detail: 'the body is not UTF-8; send JSON in UTF-8' });
      const { method, headers, signal } = raw;
      c.req.raw = new Request(raw.url, { method, headers, signal, ...(bytes.length > 0 && { body: bytes }) });
      await next();
    } finally {
      hold(-size);
    }
  };
}

/** In lower case, without parameters; null when none is given. */
export function mediaType(headers: Headers): string | null {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || null;
}

function mostBytes(type: string, hasNoForm: boolean, limits: Limits): number {
  switch (type) {
    case 'application/json':
      return hasNoForm ? limits.message : limits.json;
    case 'multipart/form-data':
      return limits.upload;
    case 'text/markdown':
    case 'text/plain':
    case 'image/gif':
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
      return limits.file;
    default:
      throw new Problem('wrong-type', { detail: `${JSON.stringify(type.slice(0, 100))} is not taken` });
  }
}

function tooLarge(most: number): Problem {
  return new Problem('too-large', { detail: `more than ${most} bytes` });
}

/** Stops reading when `count` throws. */
async function read(
  body: ReadableStream<Uint8Array>,
  count: (bytes: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  const reader = body.getReader();
  const next = () =>
    reader.read().catch((cause: unknown) => {
      throw new Problem('bad-request', { detail: 'the body broke off', cause });
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
