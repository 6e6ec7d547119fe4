import { parse, serialize } from 'hono/utils/cookie';
import type { Clock } from '../../contract/index.ts';
import { createAddresses } from './addresses.ts';
import { hashOf, isSameHash } from './secrets.ts';
import { createSessions, sessionLife } from './sessions.ts';
import type { Tokens, TokenScope } from './tokens.ts';

/** Who asks. `write` includes `read`. */
export type Caller = { kind: 'owner' | 'token' | 'session'; id: string; name: string; scope: TokenScope };

export type Auth = {
  /** Why this request may not come from where it comes from; null when it may. */
  refusal(headers: Headers): 'wrong-host' | 'wrong-origin' | null;
  /** Null when it shows nothing that is valid. */
  identify(headers: Headers): Caller | null;
  /** Whether a browser vouches that one of our own pages asks. Another port of this machine is not ours. */
  isOwnPage(headers: Headers, isChange: boolean): boolean;
  /** For a one-time link; five minutes. */
  createCode(): string;
  /** The cookie of a new session; null for a code that is wrong, used or too old. */
  exchange(code: string, headers: Headers): string | null;
};

export type AuthOptions = {
  host: string;
  port: number;
  allowedHosts?: readonly string[] | undefined;
  /** Of the process that serves the vault: whoever can read it from the state folder is the same person. */
  secret: string;
  /** Asked each time: the database may have become another. */
  tokens: () => Pick<Tokens, 'check'>;
  clock: Clock;
};

export function createAuth({ host, port, allowedHosts, secret, tokens, clock }: AuthOptions): Auth {
  const addresses = createAddresses({ host, port, allowedHosts });
  const sessions = createSessions(clock);
  const ownerHash = hashOf(secret);
  // Cookies know no ports: two vaults on one machine must not take each other's for theirs.
  const cookieName = `keepsake-${port}`;

  const byBearer = (shown: string): Caller | null => {
    if (isSameHash(hashOf(shown), ownerHash))
      return { kind: 'owner', id: 'owner', name: 'keepsake', scope: 'write' };
    const token = tokens().check(shown);
    return token && { kind: 'token', id: token.id, name: token.name, scope: token.scope };
  };
  const byCookie = (cookie: string): Caller | null => {
    const shown = parse(cookie, cookieName)[cookieName];
    const id = shown === undefined ? null : sessions.find(shown);
    return id === null ? null : { kind: 'session', id, name: 'web', scope: 'write' };
  };

  return {
    refusal(headers) {
      if (!addresses.isHost(headers.get('host'))) return 'wrong-host';
      const origin = headers.get('origin');
      return origin === null || addresses.isOrigin(origin) ? null : 'wrong-origin';
    },
    identify(headers) {
      const authorization = headers.get('authorization');
      const cookie = headers.get('cookie');
      if (authorization === null) return cookie === null ? null : byCookie(cookie);
      const [, shown] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
      return shown === undefined ? null : byBearer(shown);
    },
    isOwnPage(headers, isChange) {
      const site = headers.get('sec-fetch-site');
      if (site !== null) return site === 'same-origin' || (site === 'none' && !isChange);
      // An origin that is not ours was refused before.
      return !isChange || headers.get('origin') !== null;
    },
    createCode: () => sessions.createCode(),
    exchange(code, headers) {
      const session = sessions.exchange(code);
      if (session === null) return null;
      return serialize(cookieName, session, {
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
        maxAge: sessionLife / 1_000,
        secure: headers.get('x-forwarded-proto') === 'https',
      });
    },
  };
}
