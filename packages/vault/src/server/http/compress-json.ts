import type { MiddlewareHandler } from 'hono';
import { compress, selectEncoding } from '../web/encoding.ts';
import type { HttpEnv } from './request-env.ts';

/**
 * The routes whose responses are compressed: lists of the vault. The length of a compressed response tells how much of it
 * repeats, so no response that contains both a secret and input of the request is compressed: tokens, links and
 * invitations, search results, files and streams.
 */
const compressedPaths =
  /^\/api\/vaults\/[^/]+\/(?:tree|status|inbox|projects|today|history|history\/days|updates|answers)$/;

const minCompressedBytes = 2_000;

/** Compresses large JSON responses of GET requests. */
export function compressJson(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    if (c.req.method !== 'GET' || !compressedPaths.test(c.req.path)) return;
    if (c.res.status !== 200 || c.res.headers.get('content-type') !== 'application/json') return;
    c.res.headers.append('vary', 'accept-encoding');
    const encoding = selectEncoding(c.req.header('accept-encoding'));
    if (encoding === null) return;
    const { headers, status } = c.res;
    const body = Buffer.from(await c.res.arrayBuffer());
    const isLarge = body.length >= minCompressedBytes;
    if (isLarge) headers.set('content-encoding', encoding);
    headers.delete('content-length');
    c.res = undefined;
    c.res = new Response(new Uint8Array(isLarge ? await compress(body, encoding) : body), {
      status,
      headers,
    });
  };
}
