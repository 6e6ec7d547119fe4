import type { MiddlewareHandler } from 'hono';
import type { HttpAppOptions } from './http-options.ts';
import type { HttpEnv } from './request-env.ts';

/** Responds to browser navigation with the web interface in place of a problem document. */
export function htmlErrorPage({ web }: Pick<HttpAppOptions, 'web'>): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const { method } = c.req;
    const isOpened = method === 'GET' && c.req.header('accept')?.includes('text/html') === true;
    if (!isOpened || c.res.headers.get('content-type') !== 'application/problem+json') return;
    const page = web?.('/') ?? null;
    if (page !== null) c.res = new Response(page.body, { status: c.res.status, headers: page.headers });
  };
}
