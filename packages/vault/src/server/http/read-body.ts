import { isUtf8 } from 'node:buffer';
import type { Context } from 'hono';
import type { HttpLimits } from './limits.ts';
import type { RouteContext } from './http-options.ts';
import type { HttpEnv } from './request-env.ts';
import { Problem } from './problem.ts';

/** Reads the body of a request before `next` is called, and counts it until `next` is over. `client` identifies the sender. */
export type BodyReader = (c: Context<HttpEnv>, client: string, next: () => Promise<void>) => Promise<void>;

/** Enforces the size and time limits while it reads; routes get the complete body. */
export function createBodyReader({ limits, oauth }: Pick<RouteContext, 'limits' | 'oauth'>): BodyReader {
  let bufferedBytes = 0;
  /** Bytes per client, so that a client that sends slowly cannot use up the limit of all others. */
  const bytesByClient = new Map<string, number>();
  const pending = createPendingBodies(limits);
  return async (c, client, next) => {
    const { raw } = c.req;
    if (raw.method === 'GET' || raw.method === 'HEAD' || raw.body === null) return next();
    const caller = c.get('caller');
    const type = parseMediaType(raw.headers);
    const limit = bodyLimit(type, {
      isOAuth: oauth?.handlesPath(c.req.path) === true,
      isMessage: caller?.kind === 'owner' || c.req.path === '/mcp',
      limits,
    });
    const maxBytes = caller === null ? Math.min(limit, limits.maxAnonymousBodyBytes) : limit;
    const tooLarge = (): Problem =>
      limit === 0
        ? new Problem('wrong-type')
        : new Problem('too-large', { detail: `more than ${maxBytes} bytes` });
    if (Number(raw.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
    let size = 0;
    const addBytes = (more: number): number => {
      bufferedBytes += more;
      const own = (bytesByClient.get(client) ?? 0) + more;
      if (own === 0) bytesByClient.delete(client);
      else bytesByClient.set(client, own);
      return own;
    };
    const count = (chunk: number): void => {
      size += chunk;
      const own = addBytes(chunk);
      if (size > maxBytes) throw tooLarge();
      if (bufferedBytes > limits.maxBufferedBytes || own > limits.maxBufferedBytesPerClient)
        throw new Problem('too-many', { headers: { 'retry-after': '1' } });
    };
    try {
      const reading = read(raw.body, count);
      const bytes = await (caller === null ? pending.limit(client, reading) : reading.done);
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

type BodyKind = { isOAuth: boolean; isMessage: boolean; limits: HttpLimits };

/** The maximum bytes of a body; 0 if it has no media type. */
function bodyLimit(type: string | null, { isOAuth, isMessage, limits }: BodyKind): number {
  // The authorization server checks the media type itself.
  if (isOAuth) return limits.maxAnonymousBodyBytes;
  switch (type) {
    case null:
      return 0;
    case 'application/json':
      return isMessage ? limits.maxMessageBytes : limits.maxJsonBytes;
    case 'application/zip':
      return limits.maxArchiveBytes;
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

type Reading = {
  done: Promise<Buffer<ArrayBuffer>>;
  /** Ends the reading: `done` rejects with this error. */
  abort(reason: Error): void;
};

/** Reads the body until it ends, `count` throws, or it is aborted. */
function read(body: ReadableStream<Uint8Array>, count: (bytes: number) => void): Reading {
  const reader = body.getReader();
  const ending = new AbortController();
  const aborted = Promise.withResolvers<never>();
  const next = () =>
    reader.read().catch((cause: unknown) => {
      throw new Problem('bad-request', { detail: 'the request body was truncated', cause });
    });
  const readAll = async (): Promise<Buffer<ArrayBuffer>> => {
    const chunks: Uint8Array[] = [];
    try {
      for (let part = await next(); !part.done && !ending.signal.aborted; part = await next()) {
        count(part.value.length);
        chunks.push(part.value);
      }
    } finally {
      void reader.cancel().catch(() => undefined);
    }
    return Buffer.concat(chunks);
  };
  return {
    done: Promise.race([readAll(), aborted.promise]),
    abort(reason) {
      // The stream is not cancelled: that would close the connection before the response is sent.
      ending.abort();
      aborted.reject(reason);
    },
  };
}

/**
 * Bodies of callers without credentials that are still being received. A body usually arrives with the head of its
 * request, so those that take longest are refused, and slow callers keep none out that shares their address.
 */
function createPendingBodies({
  maxPendingBodies,
  maxPendingBodiesPerAddress,
  anonymousBodyTimeoutMs,
}: HttpLimits) {
  /** Oldest first. */
  const all = new Map<Reading, string>();
  const refuseOldest = (readings: readonly Reading[], max: number): void => {
    const [oldest] = readings;
    if (readings.length <= max || oldest === undefined) return;
    all.delete(oldest);
    oldest.abort(new Problem('too-many', { headers: { 'retry-after': '1', connection: 'close' } }));
  };
  return {
    async limit(client: string, reading: Reading): Promise<Buffer<ArrayBuffer>> {
      all.set(reading, client);
      refuseOldest(
        [...all].filter(([, other]) => other === client).map(([each]) => each),
        maxPendingBodiesPerAddress,
      );
      refuseOldest([...all.keys()], maxPendingBodies);
      const timer = setTimeout(() => {
        const detail = `the request body did not arrive within ${anonymousBodyTimeoutMs / 1_000} s`;
        reading.abort(new Problem('bad-request', { detail, headers: { connection: 'close' } }));
      }, anonymousBodyTimeoutMs);
      try {
        return await reading.done;
      } finally {
        clearTimeout(timer);
        all.delete(reading);
      }
    },
  };
}
