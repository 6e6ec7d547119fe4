import type { MiddlewareHandler } from 'hono';
import type { HttpParts } from './parts.ts';
import type { HttpEnv } from './request-env.ts';

/** Whoever opens an address in a browser gets a page that says what is wrong, never a problem document. */
export function showPage({ web }: Pick<HttpParts, 'web'>): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const { method } = c.req;
    const isOpened = method === 'GET' && c.req.header('accept')?.includes('text/html') === true;
    if (!isOpened || c.res.headers.get('content-type') !== 'application/problem+json') return;
    const page = web?.('/') ?? null;
    if (page !== null) c.res = new Response(page.body, { status: c.res.status, headers: page.headers });
  };
}
