import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { traced } from '../../trace/index.ts';
import type { HttpParts } from './parts.ts';
import type { HttpEnv } from './request-env.ts';

/** On every answer, unless a route knows better. */
const usualHeaders: Record<string, string> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Gives every request an id and a line in the log: never its query, its headers or its body. */
export function observe({ log }: Pick<HttpParts, 'log'>): MiddlewareHandler<HttpEnv> {
  return (c, next) => {
    const { method } = c.req;
    const parent = { traceparent: c.req.header('traceparent'), tracestate: c.req.header('tracestate') };
    return traced({ work: 'request', method, parent }, async (work) => {
      const id = randomUUID();
      const start = performance.now();
      c.set('requestId', id);
      c.set('caller', null);
      await next();
      const { headers, status } = c.res;
      headers.set('x-request-id', id);
      for (const [name, value] of Object.entries(usualHeaders))
        if (!headers.has(name)) headers.set(name, value);
      work.status = status;
      log({
        event: 'request',
        id,
        method,
        path: c.req.path,
        status,
        ms: Math.round((performance.now() - start) * 10) / 10,
        caller: c.get('caller')?.kind ?? null,
      });
    });
  };
}
