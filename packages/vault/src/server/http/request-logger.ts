import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { withSpan } from '../../trace/index.ts';
import type { HttpAppOptions } from './http-options.ts';
import type { HttpApp, HttpEnv } from './request-env.ts';

/** Set on every response, unless the route has set its own. */
const defaultHeaders: Record<string, string> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The route of a request, as in the OpenAPI document; null for unknown paths, the web interface and OAuth. */
function findRoute({ router }: HttpApp, method: string, path: string): string | null {
  const [matches] = router.match(method === 'HEAD' ? 'GET' : method, path);
  const pattern = matches.at(-1)?.[0][1].path ?? '*';
  // Middleware matches every path below its own.
  return pattern.endsWith('*') ? null : pattern.replaceAll(/:(\w+)(?:\{.+?\})?/g, '{$1}');
}

/**
 * Assigns an id to every request and logs it with its route: never with its path, query, headers or body, which may contain
 * secrets.
 */
export function requestLogger({
  log,
  routes,
}: Pick<HttpAppOptions, 'log'> & { routes: HttpApp }): MiddlewareHandler<HttpEnv> {
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
        route: findRoute(routes, method, c.req.path),
        status,
        ms: Math.round((performance.now() - start) * 10) / 10,
        caller: c.get('caller')?.kind ?? null,
      });
    });
  };
}
