import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { withSpan } from '../../trace/index.ts';
import type { HttpAppOptions } from './http-options.ts';
import type { HttpEnv } from './request-env.ts';

/** Set on every response, unless the route has set its own. */
const defaultHeaders: Record<string, string> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The secret of a share link is part of its path. */
function withoutSecret(path: string): string {
  return path.replace(/^\/s\/[^/]+/i, '/s/[secret]');
}

/** Assigns an id to every request and logs it, never with its query, headers, body or a secret. */
export function requestLogger({ log }: Pick<HttpAppOptions, 'log'>): MiddlewareHandler<HttpEnv> {
  return (c, next) => {
    const { method } = c.req;
    const parent = { traceparent: c.req.header('traceparent'), tracestate: c.req.header('tracestate') };
    return withSpan({ name: 'request', method, parent }, async (work) => {
      const id = randomUUID();
      const start = performance.now();
      c.set('requestId', id);
      c.set('caller', null);
      await next();
      const { headers, status } = c.res;
      headers.set('x-request-id', id);
      for (const [name, value] of Object.entries(defaultHeaders))
        if (!headers.has(name)) headers.set(name, value);
      work.status = status;
      log({
        event: 'request',
        id,
        method,
        path: withoutSecret(c.req.path),
        status,
        ms: Math.round((performance.now() - start) * 10) / 10,
        caller: c.get('caller')?.kind ?? null,
      });
    });
  };
}
