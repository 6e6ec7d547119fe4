import { parse, serialize } from 'hono/utils/cookie';
import type { Clock } from '../../contract/index.ts';
import { createHostAllowlist } from './host-allowlist.ts';
import type { OAuth } from '../oauth/oauth.ts';
import { scopeForRole } from './members.ts';
import type { Members, Role } from './members.ts';
import type { SessionStore } from './session-store.ts';
import { hashSecret, timingSafeEqualHashes } from './secrets.ts';
import { createSessions, sessionTtlMs } from './sessions.ts';
import type { Tokens, TokenScope } from './tokens.ts';

/** The authenticated sender of a request. The scope `write` includes `read`. */
export type Principal = {
  kind: 'owner' | 'token' | 'session';
  /**
   * Identifies the sender in limits, budgets, history and undo: `owner`, `token <id>` for a token or grant,
   * `person <id>` for an invited member. All sessions of a sender share it.
   */
  id: string;
  /** The browser session of the request; null for none. */
  sessionId: string | null;
  name: string;
  scope: TokenScope;
  /** The token or grant that access depends on: revoking it ends the access. Null for none. */
  credentialId: string | null;
  /** When the credential expires, in epoch milliseconds; undefined for never. */
  expiresAt?: number;
  /** The invited member that the credential belongs to; null for the owner of the machine and their clients. */
  memberId: string | null;
  role: Role;
  /** Whether the sender is a human, in the browser or on the command line. All others see only what models may see. */
  isUser: boolean;
};

export type Auth = {
  /** Checks Host and Origin; returns the problem code, or null if they are allowed. */
  checkOrigin(headers: Headers): 'wrong-host' | 'wrong-origin' | null;
  /** Null without a valid credential. */
  authenticate(headers: Headers): Principal | null;
  /** Authenticates a calendar application by the token in the address of the calendar feed, which is valid only there. */
  authenticateCalendar(secret: string): Principal | null;
  /** Authenticates a remote application by its OAuth access token, which is valid only for MCP. */
  authenticateOAuth(headers: Headers, path: string): Promise<Principal | null>;
  /**
   * Whether the browser reports that the request comes from a page of this server. Other ports of this machine do not
   * count.
   */
  isSameOriginRequest(headers: Headers, isChange: boolean): boolean;
  /** Whether the credential of an authenticated caller is still valid. */
  isStillValid(caller: Principal): boolean;
  /**
   * Creates the code of a one-time link, valid for five minutes. The session has at most the permissions of `maker`.
   */
  createLoginCode(maker?: Pick<Principal, 'credentialId' | 'memberId'> | null): string;
  /** Returns the cookie of a new session; null if the code is unknown, used or expired. */
  redeemLoginCode(code: string, headers: Headers): string | null;
  /** Signs out every browser. */
  revokeSessions(): void;
};

export type AuthOptions = {
  host: string;
  port: number;
  /** Path prefix of the vault, which limits the session cookie; omitted if the server has one vault. */
  prefix?: string | undefined;
  /** Overrides the name of the session cookie, to distinguish several vaults on one host. */
  cookieName?: string | undefined;
  allowedHosts?: readonly string[] | undefined;
  /**
   * The secret of the process that serves the vault: a client that can read it from the state folder acts as the owner.
   */
  secret: string;
  /** Called for each use: the database may be replaced while the process runs. */
  tokens: () => Pick<Tokens, 'verify' | 'verifyCalendar' | 'find'>;
  /** Omitted if the server has no invited members. */
  people?: (() => Pick<Members, 'find' | 'redeemInvitation'>) | undefined;
  sessions: () => SessionStore;
  clock: Clock;
  /** Omitted if remote applications are not allowed. */
  oauth?: Pick<OAuth, 'verifyAccessToken' | 'hasGrant' | 'url'> | undefined;
};

export function createAuth(options: AuthOptions): Auth {
  const { host, port, prefix = '', allowedHosts, secret, tokens, people = noMembers, clock, oauth } = options;
  const allowlist = createHostAllowlist({ host, port, allowedHosts });
  const sessions = createSessions(clock, options.sessions);
  const ownerHash = hashSecret(secret);
  // Cookies are shared by all ports of a host, so the name separates two vaults on one machine.
  const cookieName = options.cookieName ?? `keepsake-${port}`;

  const authenticateBearer = (bearerToken: string): Principal | null => {
    if (timingSafeEqualHashes(hashSecret(bearerToken), ownerHash))
      return { kind: 'owner', sessionId: null, ...localOwner, name: 'keepsake' };
    const token = tokens().verify(bearerToken);
    const client = token && toClient(token, token.maker, people());
    return client && { kind: 'token', sessionId: null, ...client };
  };
  const authenticateCookie = (cookie: string): Principal | null => {
    const sessionSecret = parse(cookie, cookieName)[cookieName];
    const session = sessionSecret === undefined ? null : sessions.find(sessionSecret);
    if (session === null) return null;
    const { id: sessionId, token } = session;
    const member = token === null ? null : people().find(token);
    if (member !== null) {
      const { role, name } = member;
      const id = `person ${member.id}`;
      const invited = { kind: 'session', id, sessionId, name, credentialId: null, isUser: true } as const;
      return { ...invited, memberId: member.id, role, scope: scopeForRole(role) };
    }
    if (token === null) return { kind: 'session', sessionId, ...localOwner, name: 'web' };
    const found = tokens().find(token);
    if (found === null || found.scope === 'calendar') return null;
    const client = toClient({ ...found, scope: found.scope }, found.maker, people());
    return client && { kind: 'session', sessionId, ...client, name: 'web' };
  };
  const isActiveCredential = (id: string | null): boolean =>
    id === null || tokens().find(id) !== null || oauth?.hasGrant(id) === true;
  const isPublic = (headers: Headers): boolean =>
    oauth?.url.startsWith('https:') === true && headers.get('host') === new URL(oauth.url).host;

  return {
    checkOrigin(headers) {
      if (!allowlist.isAllowedHost(headers.get('host'))) return 'wrong-host';
      const origin = headers.get('origin');
      return origin === null || allowlist.isAllowedOrigin(origin) ? null : 'wrong-origin';
    },
    authenticate(headers) {
      const authorization = headers.get('authorization');
      const cookie = headers.get('cookie');
      if (authorization === null) return cookie === null ? null : authenticateCookie(cookie);
      const bearerToken = parseBearerToken(headers);
      return bearerToken === undefined ? null : authenticateBearer(bearerToken);
    },
    authenticateCalendar(token) {
      const found = tokens().verifyCalendar(token);
      const client = found && toClient({ ...found, scope: 'read' }, found.maker, people());
      return client && { kind: 'token', sessionId: null, ...client };
    },
    authenticateOAuth: async (headers, path) =>
      path === '/mcp' ? authenticateApplication(headers, { oauth, people }) : null,
    isStillValid: ({ sessionId, credentialId, memberId, role, expiresAt = Infinity }) =>
      isActiveCredential(credentialId) &&
      (memberId === null || people().find(memberId)?.role === role) &&
      Date.now() < expiresAt &&
      (sessionId === null || sessions.isActive(sessionId)),
    isSameOriginRequest(headers, isChange) {
      const site = headers.get('sec-fetch-site');
      if (site !== null) return site === 'same-origin' || (site === 'none' && !isChange);
      // A foreign origin has already been rejected.
      return !isChange || headers.get('origin') !== null;
    },
    revokeSessions: () => sessions.revokeAll(),
    // A client of an invited member can only create a session for itself, not for the member.
    createLoginCode: (maker) => sessions.createCode(maker?.credentialId ?? maker?.memberId ?? null),
    redeemLoginCode(code, headers) {
      const invited = people().redeemInvitation(code);
      const session = sessions.exchange(invited === null ? code : sessions.createCode(invited));
      if (session === null) return null;
      return serialize(cookieName, session, {
        path: `${prefix}/`,
        httpOnly: true,
        sameSite: 'Strict',
        maxAge: sessionTtlMs / 1_000,
        secure: isPublic(headers) || headers.get('x-forwarded-proto') === 'https',
      });
    },
  };
}

/** Authenticates a remote application by its OAuth access token. */
async function authenticateApplication(
  headers: Headers,
  { oauth, people }: { oauth: AuthOptions['oauth']; people: NonNullable<AuthOptions['people']> },
): Promise<Principal | null> {
  const bearerToken = parseBearerToken(headers);
  const found = bearerToken === undefined ? null : ((await oauth?.verifyAccessToken(bearerToken)) ?? null);
  if (found === null) return null;
  const { grant, expiresAt, memberId } = found;
  const client = toClient({ ...found, id: grant }, memberId, people());
  return client && { kind: 'token', sessionId: null, ...client, expiresAt };
}

/** A token or grant. It allows no more than the member who created it may do; null if that member is gone. */
function toClient(
  { id, name, scope }: { id: string; name: string; scope: TokenScope },
  memberId: string | null,
  people: Pick<Members, 'find'>,
): Omit<Principal, 'kind' | 'sessionId'> | null {
  const role = memberId === null ? 'owner' : people.find(memberId)?.role;
  if (role === undefined) return null;
  return {
    id: `token ${id}`,
    name,
    scope: scopeForRole(role) === 'read' ? 'read' : scope,
    credentialId: id,
    memberId,
    role,
    isUser: false,
  };
}

/** The owner of the machine. */
const localOwner = {
  id: 'owner',
  scope: 'write',
  credentialId: null,
  memberId: null,
  role: 'owner',
  isUser: true,
} as const;

const noMembers = () => ({ find: () => null, redeemInvitation: () => null });

function parseBearerToken(headers: Headers): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}
