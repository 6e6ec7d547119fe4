import { parse, serialize } from 'hono/utils/cookie';
import type { Clock } from '../../contract/index.ts';
import { createAddresses } from './addresses.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { KeptSessions } from './kept-sessions.ts';
import { hashOf, isSameHash } from './secrets.ts';
import { createSessions, sessionLife } from './sessions.ts';
import type { Tokens, TokenScope } from './tokens.ts';

/** Who asks. `write` includes `read`. */
export type Caller = {
  kind: 'owner' | 'token' | 'session';
  id: string;
  name: string;
  scope: TokenScope;
  /** The token or grant that it needs to be there; null for none. */
  token: string | null;
  /** When what it shows expires, by the clock of the machine; left out where it does not. */
  until?: number;
  /** Whether it is the person, in the browser or on the command line. Everybody else sees what models may see. */
  isPerson: boolean;
};

/** With which a process of the person says that it asks for a model. */
export const readerHeader = 'x-keepsake-reader';

export type Auth = {
  /** Why this request may not come from where it comes from; null when it may. */
  refusal(headers: Headers): 'wrong-host' | 'wrong-origin' | null;
  /** Null when it shows nothing that is valid. */
  identify(headers: Headers): Caller | null;
  /** A program elsewhere that the person has let in; its tokens are for MCP, and open nothing else. */
  identifyRemote(headers: Headers, path: string): Promise<Caller | null>;
  /** Whether a browser vouches that one of our own pages asks. Another port of this machine is not ours. */
  isOwnPage(headers: Headers, isChange: boolean): boolean;
  /** Whether a caller who was let in would still be. */
  isStillValid(caller: Caller): boolean;
  /** For a one-time link; five minutes. The session that it opens may do no more than whoever made it. */
  createCode(maker?: Caller | null): string;
  /** The cookie of a new session; null for a code that is wrong, used or too old. */
  exchange(code: string, headers: Headers): string | null;
  /** Signs every browser out. */
  endSessions(): void;
};

export type AuthOptions = {
  host: string;
  port: number;
  /** Before every address that sessions are for; left out where there is nothing else. */
  prefix?: string | undefined;
  /** Of the cookie, where there are others beside it. */
  cookieName?: string | undefined;
  allowedHosts?: readonly string[] | undefined;
  /** Of the process that serves the vault: whoever can read it from the state folder is the same person. */
  secret: string;
  /** Asked each time: the database may have become another. */
  tokens: () => Pick<Tokens, 'check' | 'has'>;
  sessions: () => KeptSessions;
  clock: Clock;
  /** Left out where nobody elsewhere is let in. */
  oauth?: Pick<OAuth, 'check' | 'has' | 'url'> | undefined;
};

export function createAuth(options: AuthOptions): Auth {
  const { host, port, prefix = '', allowedHosts, secret, tokens, clock, oauth } = options;
  const addresses = createAddresses({ host, port, allowedHosts });
  const sessions = createSessions(clock, options.sessions);
  const ownerHash = hashOf(secret);
  // Cookies know no ports: two vaults on one machine must not take each other's for theirs.
  const cookieName = options.cookieName ?? `keepsake-${port}`;

  const byBearer = (shown: string, isModel: boolean): Caller | null => {
    if (isSameHash(hashOf(shown), ownerHash)) {
      const owner = { kind: 'owner', id: 'owner', name: 'keepsake', scope: 'write', token: null } as const;
      return { ...owner, isPerson: !isModel };
    }
    const token = tokens().check(shown);
    if (token === null) return null;
    const { id, name, scope } = token;
    return { kind: 'token', id, name, scope, token: id, isPerson: false };
  };
  const byCookie = (cookie: string): Caller | null => {
    const shown = parse(cookie, cookieName)[cookieName];
    const session = shown === undefined ? null : sessions.find(shown);
    if (session === null || !isThere(session.token)) return null;
    const { id, token } = session;
    return { kind: 'session', id, name: 'web', scope: 'write', token, isPerson: token === null };
  };
  const isThere = (token: string | null): boolean =>
    token === null || tokens().has(token) || oauth?.has(token) === true;
  const isPublic = (headers: Headers): boolean =>
    oauth?.url.startsWith('https:') === true && headers.get('host') === new URL(oauth.url).host;

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
      const shown = bearerIn(headers);
      return shown === undefined ? null : byBearer(shown, headers.get(readerHeader) === 'model');
    },
    async identifyRemote(headers, path) {
      const shown = path === '/mcp' ? bearerIn(headers) : undefined;
      const found = shown === undefined ? null : ((await oauth?.check(shown)) ?? null);
      if (found === null) return null;
      const { grant, name, scope, until } = found;
      return { kind: 'token', id: grant, name, scope, token: grant, until, isPerson: false };
    },
    isStillValid: ({ kind, id, token, until = Infinity }) =>
      isThere(token) && Date.now() < until && (kind !== 'session' || sessions.isOpen(id)),
    isOwnPage(headers, isChange) {
      const site = headers.get('sec-fetch-site');
      if (site !== null) return site === 'same-origin' || (site === 'none' && !isChange);
      // An origin that is not ours was refused before.
      return !isChange || headers.get('origin') !== null;
    },
    endSessions: () => sessions.endAll(),
    createCode: (maker) => sessions.createCode(maker?.token ?? null),
    exchange(code, headers) {
      const session = sessions.exchange(code);
      if (session === null) return null;
      return serialize(cookieName, session, {
        path: `${prefix}/`,
        httpOnly: true,
        sameSite: 'Strict',
        maxAge: sessionLife / 1_000,
        secure: isPublic(headers) || headers.get('x-forwarded-proto') === 'https',
      });
    },
  };
}

function bearerIn(headers: Headers): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}
