import { parse, serialize } from 'hono/utils/cookie';
import type { Clock } from '../../contract/index.ts';
import { createAddresses } from './addresses.ts';
import type { OAuth } from '../oauth/oauth.ts';
import { scopeOf } from './people.ts';
import type { People, Role } from './people.ts';
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
  /** Who was invited, of whom it is; null for whoever has the vault on their machine, and for their programs. */
  person: string | null;
  role: Role;
  /** Whether it is the person, in the browser or on the command line. Everybody else sees what models may see. */
  isPerson: boolean;
};

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
  createCode(maker?: Pick<Caller, 'token' | 'person'> | null): string;
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
  /** Left out where nobody is invited. */
  people?: (() => Pick<People, 'find' | 'accept'>) | undefined;
  sessions: () => KeptSessions;
  clock: Clock;
  /** Left out where nobody elsewhere is let in. */
  oauth?: Pick<OAuth, 'check' | 'has' | 'url'> | undefined;
};

export function createAuth(options: AuthOptions): Auth {
  const { host, port, prefix = '', allowedHosts, secret, tokens, people = nobody, clock, oauth } = options;
  const addresses = createAddresses({ host, port, allowedHosts });
  const sessions = createSessions(clock, options.sessions);
  const ownerHash = hashOf(secret);
  // Cookies know no ports: two vaults on one machine must not take each other's for theirs.
  const cookieName = options.cookieName ?? `keepsake-${port}`;

  const byBearer = (shown: string): Caller | null => {
    if (isSameHash(hashOf(shown), ownerHash)) {
      const owner = { kind: 'owner', id: 'owner', name: 'keepsake', scope: 'write', token: null } as const;
      return { ...owner, ...byThemselves, isPerson: true };
    }
    const token = tokens().check(shown);
    if (token === null) return null;
    const { id, name, scope } = token;
    return { kind: 'token', id, name, scope, token: id, ...byThemselves, isPerson: false };
  };
  const byCookie = (cookie: string): Caller | null => {
    const shown = parse(cookie, cookieName)[cookieName];
    const session = shown === undefined ? null : sessions.find(shown);
    if (session === null) return null;
    const { id, token } = session;
    const person = token === null ? null : people().find(token);
    if (person !== null) {
      const { role, name } = person;
      const invited = { kind: 'session', id, name, token: null, isPerson: true } as const;
      return { ...invited, person: person.id, role, scope: scopeOf(role) };
    }
    if (!isThere(token)) return null;
    return {
      kind: 'session',
      id,
      name: 'web',
      scope: 'write',
      token,
      ...byThemselves,
      isPerson: token === null,
    };
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
      return shown === undefined ? null : byBearer(shown);
    },
    identifyRemote: async (headers, path) =>
      path === '/mcp' ? identifyProgram(headers, { oauth, people }) : null,
    isStillValid: ({ kind, id, token, person, role, until = Infinity }) =>
      isThere(token) &&
      (person === null || people().find(person)?.role === role) &&
      Date.now() < until &&
      (kind !== 'session' || sessions.isOpen(id)),
    isOwnPage(headers, isChange) {
      const site = headers.get('sec-fetch-site');
      if (site !== null) return site === 'same-origin' || (site === 'none' && !isChange);
      // An origin that is not ours was refused before.
      return !isChange || headers.get('origin') !== null;
    },
    endSessions: () => sessions.endAll(),
    // A program of somebody who was invited opens no more than a program may.
    createCode: (maker) => sessions.createCode(maker?.token ?? maker?.person ?? null),
    exchange(code, headers) {
      const invited = people().accept(code);
      const session = sessions.exchange(invited === null ? code : sessions.createCode(invited));
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

/** A program elsewhere, by the token that OAuth gave it. */
async function identifyProgram(
  headers: Headers,
  { oauth, people }: { oauth: AuthOptions['oauth']; people: NonNullable<AuthOptions['people']> },
): Promise<Caller | null> {
  const shown = bearerIn(headers);
  const found = shown === undefined ? null : ((await oauth?.check(shown)) ?? null);
  if (found === null) return null;
  const { grant, name, until, person } = found;
  const invited = person === null ? null : people().find(person);
  if (person !== null && invited === null) return null;
  const role = invited?.role ?? 'owner';
  const scope = scopeOf(role) === 'read' ? 'read' : found.scope;
  return { kind: 'token', id: grant, name, scope, token: grant, until, person, role, isPerson: false };
}

/** Whoever has the vault on their machine, and what they have let in. */
const byThemselves = { person: null, role: 'owner' } as const;

const nobody = () => ({ find: () => null, accept: () => null });

function bearerIn(headers: Headers): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}
