import type { MiddlewareHandler } from 'hono';
import { LimitError } from '../../contract/index.ts';
import type { GetLimits } from '../../contract/index.ts';
import type { Principal } from '../auth/auth.ts';
import { isCalendarPath, isSelfService, requiredScope } from '../auth/required-scope.ts';
import { requireAccess } from './authorize.ts';
import type { BodyReader } from './read-body.ts';
import { readClientAddress } from './client-address.ts';
import type { HttpLimits } from './limits.ts';
import { createRequestLimiter, ResponseBacklogError } from './request-limiter.ts';
import type { RouteContext } from './http-options.ts';
import type { HttpEnv } from './request-env.ts';
import { Problem } from './problem.ts';
import { createRoundRobinQueue } from './round-robin-queue.ts';
import { createTokenBucket } from './token-bucket.ts';
import type { Rate } from './token-bucket.ts';

/** Checks origin, credential, scope and limits of every request, before its route. */
export function accessControl({
  auth,
  clock,
  limits,
  web,
  oauth,
  vaultLimits,
  hasPublicUrl,
  readBody = (_c, _client, next) => next(),
}: Pick<RouteContext, 'auth' | 'clock' | 'limits' | 'web' | 'oauth'> & {
  vaultLimits: GetLimits;
  hasPublicUrl: boolean;
  /** Omitted if no route has a body. */
  readBody?: BodyReader;
}): MiddlewareHandler<HttpEnv> {
  const limiter = createRequestLimiter(limits, clock);
  const requests = createTokenBucket(clock);
  const startAnonymous = createRoundRobinQueue();
  /** Called only for authenticated requests, so that others cannot use up the limit of the vault. */
  const checkVaultRateLimit = (): void => {
    const { requests: maxPerMinute } = vaultLimits();
    const isEmpty =
      maxPerMinute === undefined
        ? null
        : requests.take({ burst: maxPerMinute, perSecond: maxPerMinute / 60 });
    if (maxPerMinute !== undefined && isEmpty !== null)
      throw new LimitError('requests', maxPerMinute, isEmpty.wait);
  };

  const authorize = async (
    method: string,
    path: string,
    headers: Headers,
    isPage: boolean,
    calendarToken?: string,
  ): Promise<Principal | null> => {
    const refusal = auth.checkOrigin(headers);
    if (refusal !== null) throw new Problem(refusal);
    const scope = isPage || oauth?.handlesPath(path) === true ? null : requiredScope(method, path);
    if (scope === null) return null;
    const caller =
      scope === 'read' && calendarToken !== undefined && isCalendarPath(path)
        ? auth.authenticateCalendar(calendarToken)
        : (auth.authenticate(headers) ?? (await auth.authenticateOAuth(headers, path)));
    if (caller === null)
      throw new Problem('unauthorized', path === '/mcp' ? bearerChallenge(headers, oauth) : {});
    const isChange = method !== 'GET' && method !== 'HEAD';
    if (caller.kind === 'session' && !auth.isSameOriginRequest(headers, isChange))
      throw new Problem('wrong-origin');
    const isAllowed = caller.scope === 'write' || (caller.isUser && isSelfService(path));
    if (scope === 'write' && !isAllowed) throw new Problem('wrong-scope');
    return caller;
  };

  return async (c, next) => {
    const { method, path } = c.req;
    const isHead = method === 'HEAD';
    // The web interface itself contains no user data.
    const page = isHead || method === 'GET' ? (web?.(path, c.req.header('accept-encoding')) ?? null) : null;
    const caller = await authorize(method, path, c.req.raw.headers, page !== null, c.req.query('token'));
    c.set('caller', caller);
    if (caller !== null) checkVaultRateLimit();
    const address = readClientAddress(c.env?.incoming, { hasPublicUrl });
    const isStatic = page !== null || path === '/api/health';
    const { client, rate } =
      caller === null
        ? selectAnonymousQuota(address, isStatic ? 'static' : path, limits)
        : { client: caller.id, rate: { burst: limits.burst, perSecond: limits.requestsPerSecond } };
    const permit = limiter.acquire(client, rate);
    if ('wait' in permit) throw rateLimited(permit.wait);
    const outgoing = c.env?.outgoing;
    try {
      // The body is read before a parallel slot is taken, so that slow senders do not occupy the slots.
      await readBody(c, caller?.id ?? address, async () => {
        if (caller === null) await startAnonymous(address);
        const respond = async (): Promise<void> => {
          // The body may have taken long to arrive, and other requests may have run before.
          requireAccess(caller, auth);
          if (page !== null) c.res = new Response(isHead ? null : page.body, page);
          else await next();
        };
        await (isLongRunning(method, path) ? respond() : permit.run(respond));
      });
      if (requiredScope(method, path) === 'read') requireAccess(caller, auth);
      return undefined;
    } catch (error) {
      throw error instanceof ResponseBacklogError ? rateLimited(1) : error;
    } finally {
      const type = c.finalized ? c.res.headers.get('content-type') : null;
      const isStream = type?.startsWith('text/event-stream') === true;
      // Streams have a separate limit.
      if (outgoing === undefined || isStream || outgoing.destroyed) permit.release();
      else {
        permit.trackResponse(outgoing);
        outgoing.once('close', () => permit.release());
      }
    }
  };
}

/** With OAuth, the challenge tells clients where to get a token. */
function bearerChallenge(headers: Headers, oauth: RouteContext['oauth']) {
  if (oauth === undefined) return {};
  const isWrong = headers.has('authorization') ? ', error="invalid_token"' : '';
  return { headers: { 'www-authenticate': `${oauth.challenge}${isWrong}` } };
}

/** Requests that wait for a model or for the queue must not block other requests of the same client. */
function isLongRunning(method: string, path: string): boolean {
  return (
    (method === 'POST' && /\/(?:answers|updates|documents|imports|answer|model\/test|mcp)$/.test(path)) ||
    (method === 'GET' && /\/updates\/[^/]+$/.test(path))
  );
}

/** Requests to the authorization server may store a record. It accepts paths in upper case and with a slash at the end. */
const recordPaths = /^\/oauth\/(?:(register|authorize|token|revoke)(?:\/|$))?/i;
const recordPeriodSeconds = 600;

/**
 * Callers without credentials are counted by address. Pages and health (`static`) are counted apart, so that they are
 * available whatever else that address does, and so are requests that store a record.
 */
function selectAnonymousQuota(
  address: string,
  path: string,
  limits: HttpLimits,
): { client: string; rate: Rate } {
  const { anonymousBurst, anonymousRequestsPerSecond, maxAnonymousRecords } = limits;
  if (path === 'static')
    return {
      client: `static ${address}`,
      rate: { burst: limits.burst, perSecond: limits.requestsPerSecond },
    };
  const [isRecord, kind = 'other'] = recordPaths.exec(path) ?? [];
  if (isRecord !== undefined)
    return {
      client: `oauth ${kind.toLowerCase()} ${address}`,
      rate: { burst: maxAnonymousRecords, perSecond: maxAnonymousRecords / recordPeriodSeconds },
    };
  return {
    client: `anonymous ${address}`,
    rate: { burst: anonymousBurst, perSecond: anonymousRequestsPerSecond },
  };
}

function rateLimited(wait: number): Problem {
  return new Problem('too-many', { headers: { 'retry-after': `${wait}` } });
}
