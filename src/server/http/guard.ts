import type { MiddlewareHandler } from 'hono';
import type { Caller } from '../auth/auth.ts';
import { scopeNeeded } from '../auth/scope.ts';
import { createAllowance } from './allowance.ts';
import type { RouteParts } from './parts.ts';
import type { HttpEnv } from './request-env.ts';
import { Problem } from './problem.ts';

/** Every request passes it, whatever its route: where it comes from, who asks, what they may, how much of it. */
export function guard({ auth, clock, limits, web }: RouteParts): MiddlewareHandler<HttpEnv> {
  const allowance = createAllowance(limits, clock);

  const admit = (method: string, path: string, headers: Headers, isPage: boolean): Caller | null => {
    const refusal = auth.refusal(headers);
    if (refusal !== null) throw new Problem(refusal);
    const needed = isPage ? null : scopeNeeded(method, path);
    const caller = needed === null ? null : auth.identify(headers);
    if (needed === null) return caller;
    if (caller === null) throw new Problem('unauthorized');
    const isChange = method !== 'GET' && method !== 'HEAD';
    if (caller.kind === 'session' && !auth.isOwnPage(headers, isChange)) throw new Problem('wrong-origin');
    if (needed === 'write' && caller.scope !== 'write') throw new Problem('wrong-scope');
    return caller;
  };

  return async (c, next) => {
    const { method, path } = c.req;
    const isLook = method === 'HEAD';
    // The interface itself holds nothing of anybody.
    const page = isLook || method === 'GET' ? (web?.(path) ?? null) : null;
    const caller = admit(method, path, c.req.raw.headers, page !== null);
    c.set('caller', caller);
    const begun = allowance.begin(caller?.id ?? 'nobody');
    if ('wait' in begun) throw new Problem('too-many', { headers: { 'retry-after': `${begun.wait}` } });
    try {
      if (page !== null) return new Response(isLook ? null : page.body, page);
      return await next();
    } finally {
      begun.end();
    }
  };
}
