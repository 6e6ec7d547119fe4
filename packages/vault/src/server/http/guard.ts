import type { MiddlewareHandler } from 'hono';
import { LimitError } from '../../contract/index.ts';
import type { ReadLimits } from '../../contract/index.ts';
import type { Caller } from '../auth/auth.ts';
import { isOwnAffair, scopeNeeded } from '../auth/scope.ts';
import { createAllowance, TooMuchUnread } from './allowance.ts';
import type { RouteParts } from './parts.ts';
import type { HttpEnv } from './request-env.ts';
import { Problem } from './problem.ts';
import { createTokenBucket } from './token-bucket.ts';

/** Every request passes it, whatever its route: where it comes from, who asks, what they may, how much of it. */
export function guard({
  auth,
  clock,
  limits,
  web,
  oauth,
  vaultLimits,
}: Pick<RouteParts, 'auth' | 'clock' | 'limits' | 'web' | 'oauth'> & {
  /** Of the vault that is behind it. */
  vaultLimits: ReadLimits;
}): MiddlewareHandler<HttpEnv> {
  const allowance = createAllowance(limits, clock);
  const requests = createTokenBucket(clock);
  /** Those who are nobody cannot use up what others may. */
  const countForVault = (): void => {
    const { requests: most } = vaultLimits();
    const isEmpty = most === undefined ? null : requests.take({ burst: most, perSecond: most / 60 });
    if (most !== undefined && isEmpty !== null) throw new LimitError('requests', most, isEmpty.wait);
  };

  const admit = async (
    method: string,
    path: string,
    headers: Headers,
    isPage: boolean,
  ): Promise<Caller | null> => {
    const refusal = auth.refusal(headers);
    if (refusal !== null) throw new Problem(refusal);
    const needed = isPage || oauth?.owns(path) === true ? null : scopeNeeded(method, path);
    if (needed === null) return null;
    const caller = auth.identify(headers) ?? (await auth.identifyRemote(headers, path));
    if (caller === null) throw new Problem('unauthorized', path === '/mcp' ? challenged(headers) : {});
    const isChange = method !== 'GET' && method !== 'HEAD';
    if (caller.kind === 'session' && !auth.isOwnPage(headers, isChange)) throw new Problem('wrong-origin');
    const isAllowed = caller.scope === 'write' || (caller.isPerson && isOwnAffair(path));
    if (needed === 'write' && !isAllowed) throw new Problem('wrong-scope');
    return caller;
  };

  /** Where programs elsewhere are let in, they are told how. */
  const challenged = (headers: Headers) => {
    if (oauth === undefined) return {};
    const isWrong = headers.has('authorization') ? ', error="invalid_token"' : '';
    return { headers: { 'www-authenticate': `${oauth.challenge}${isWrong}` } };
  };

  /** What is answered after somebody else has worked on it keeps nothing else from its turn. */
  const isLong = (method: string, path: string): boolean =>
    (method === 'POST' && /\/(?:answers|updates|documents|answer|model\/test|mcp)$/.test(path)) ||
    (method === 'GET' && /\/updates\/[^/]+$/.test(path));

  return async (c, next) => {
    const { method, path } = c.req;
    const isLook = method === 'HEAD';
    // The interface itself holds nothing of anybody.
    const page = isLook || method === 'GET' ? (web?.(path) ?? null) : null;
    const caller = await admit(method, path, c.req.raw.headers, page !== null);
    c.set('caller', caller);
    if (caller !== null) countForVault();
    const begun = allowance.begin(caller?.id ?? 'nobody');
    if ('wait' in begun) throw tooMany(begun.wait);
    const outgoing = page === null ? c.env?.outgoing : undefined;
    try {
      if (page !== null) return new Response(isLook ? null : page.body, page);
      await (isLong(method, path) ? next() : begun.work(next));
      // It may have taken long; what only reads is told to nobody who could not ask for it now.
      if (caller !== null && scopeNeeded(method, path) === 'read' && !auth.isStillValid(caller))
        throw new Problem('unauthorized');
      return undefined;
    } catch (error) {
      throw error instanceof TooMuchUnread ? tooMany(1) : error;
    } finally {
      const type = c.finalized ? c.res.headers.get('content-type') : null;
      const isStream = type?.startsWith('text/event-stream') === true;
      // Streams have a limit of their own.
      if (outgoing === undefined || isStream || outgoing.destroyed) begun.end();
      else {
        begun.sending(outgoing);
        outgoing.once('close', () => begun.end());
      }
    }
  };
}

function tooMany(wait: number): Problem {
  return new Problem('too-many', { headers: { 'retry-after': `${wait}` } });
}
