import { Readable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HttpBindings } from '@hono/node-server';
import { errors } from 'oidc-provider';
import type { Client, Provider } from 'oidc-provider';
import type { Keepsake } from '../../app/index.ts';
import type { Clock } from '../../contract/index.ts';
import { escapeInvisible } from '../../vault/index.ts';
import { openMembers } from '../auth/members.ts';
import type { TokenScope } from '../auth/tokens.ts';
import { createAccessTokenVerifier } from './access-tokens.ts';
import { ownerAccountId, createProvider, supportedScopes } from './provider.ts';
import type { ProviderOptions } from './provider.ts';
import { openOAuthStore } from './oauth-store.ts';
import { rotateSigningKeys } from './signing-keys.ts';

/** The Node request and response. */
type Connection = Pick<HttpBindings, 'incoming' | 'outgoing'>;

/** How a remote application is shown to the user: its verified site, if any, and its self-declared name. */
type ClientIdentity = { name: string; site: string | null };

type ConsentRequest = {
  client: ClientIdentity;
  /** The redirect target for display: a host, `localhost`, or a private URI scheme. */
  returnsTo: string;
  scope: TokenScope;
};

/** Authorizes remote applications with OAuth 2.1 and RFC 9728; the user consents to each. */
export type OAuth = {
  /** The public URL of this server. */
  url: string;
  /** The `WWW-Authenticate` challenge. */
  challenge: string;
  /** Whether this path is handled here. Requests to it are not authenticated. */
  handlesPath(path: string): boolean;
  /** `body` is what was read from the request; null for a request without one. */
  handle(connection: Connection, body: Buffer | null): Promise<Response>;
  /** Verifies an access token; null if it is foreign or expired, or its grant was revoked. */
  verifyAccessToken(token: string): Promise<{
    grant: string;
    memberId: string | null;
    name: string;
    scope: TokenScope;
    expiresAt: number;
  } | null>;
  hasGrant(grant: string): boolean;
  /** Returns a consent request to the browser in which it was started; null in any other. */
  findConsentRequest(id: string, connection: Connection): Promise<ConsentRequest | null>;
  /** Resolves a consent request, with scope null for a denial; returns the URL to which the browser continues. */
  resolveConsent(
    id: string,
    scope: TokenScope | null,
    connection: Connection,
    memberId: string | null,
  ): Promise<string | null>;
  /** The grants of a member; with null, those of the owner. */
  grants(memberId: string | null): (ClientIdentity & { id: string; scope: TokenScope; createdAt: number })[];
  revoke(grant: string, memberId: string | null): boolean;
};

export type OAuthOptions = Pick<ProviderOptions, 'fetch'> & {
  keepsake: Pick<Keepsake, 'state'>;
  /** The public URL of the vault. */
  url: string;
  onError: (error: unknown) => void;
  /** Awaited before every response. */
  flushReplication?: (() => Promise<void>) | undefined;
  /** For the rotation of the signing keys. */
  clock?: Clock | undefined;
};

const keyRotationCheckIntervalMs = 60 * 60_000;

const metadataPath = '/.well-known/oauth-protected-resource';
const oauthPaths =
  /^\/(?:oauth\/|\.well-known\/(?:oauth-(?:protected-resource|authorization-server)(?:\/mcp)?|openid-configuration)$)/;

export async function openOAuth({
  keepsake,
  url,
  onError,
  flushReplication,
  fetch,
  clock = Date.now,
}: OAuthOptions): Promise<OAuth> {
  const { origin, host, protocol, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, '');
  const issuer = `${origin}${prefix}`;
  const resource = `${issuer}/mcp`;
  keepsake.state.ensureAdopted();
  const records = openOAuthStore(keepsake);
  const people = openMembers(keepsake);
  const isKnown = (id: string): boolean => people().find(id) !== null;
  const current = await openProvider({
    issuer,
    prefix,
    resource,
    records,
    isKnown,
    fetch,
    onError,
    flushReplication,
    clock,
  });
  const protectedResourceMetadata = {
    resource,
    resource_name: 'Keepsake',
    authorization_servers: [issuer],
    scopes_supported: supportedScopes,
    bearer_methods_supported: ['header'],
  };

  /** Forwarded headers are not trusted: host and scheme are those of the public URL. */
  const prepare = ({ incoming }: Connection): void => {
    delete incoming.headers['x-forwarded-host'];
    Object.assign(incoming.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) });
    Object.assign(incoming, { baseUrl: prefix });
  };
  const consent = createConsent({ resource, prepare, provider: async () => (await current()).provider });
  const readClientName = async (id: string): Promise<string> => {
    const named = id.startsWith('https:') ? undefined : await records().adapterFor('Client').find(id);
    return identifyClient(id, named?.client_name).name;
  };

  return {
    url: issuer,
    challenge: `Bearer realm="keepsake", resource_metadata="${origin}${metadataPath}${prefix}/mcp", scope="${supportedScopes.join(' ')}"`,
    handlesPath: (path) => oauthPaths.test(path),
    async handle(connection, body) {
      const { incoming, outgoing } = connection;
      const requestUrl = new URL(incoming.url ?? '/', origin);
      if (requestUrl.pathname.startsWith(metadataPath)) return Response.json(protectedResourceMetadata);
      prepare(connection);
      // A client that names no scope requests all of them; the user decides.
      if (requestUrl.pathname === '/oauth/authorize' && !requestUrl.searchParams.get('scope')) {
        requestUrl.searchParams.set('scope', supportedScopes.join(' '));
        incoming.url = `${requestUrl.pathname}${requestUrl.search}`;
      }
      if (requestUrl.pathname.endsWith('/mcp')) incoming.url = requestUrl.pathname.slice(0, -'/mcp'.length);
      const { handle } = await current();
      await handle(body === null ? incoming : replayBody(incoming, body), outgoing);
      return RESPONSE_ALREADY_SENT;
    },
    async verifyAccessToken(token) {
      const { read } = await current();
      const claims = await read(token);
      if (claims === null || !records().hasGrant(claims.grant)) return null;
      const { grant, scope, expiresAt } = claims;
      const memberId = claims.account === ownerAccountId ? null : claims.account;
      return { grant, memberId, scope, expiresAt, name: await readClientName(claims.client) };
    },
    hasGrant: (grant) => records().hasGrant(grant),
    ...consent,
    grants: (memberId) =>
      records()
        .listGrants()
        .filter((grant) => grant.account === (memberId ?? ownerAccountId))
        .map(({ id, client, clientName, createdAt, resources }) => ({
          ...identifyClient(client, clientName),
          id,
          createdAt,
          scope: resources[resource]?.split(' ').includes('write') === true ? 'write' : 'read',
        })),
    revoke: (grant, memberId) =>
      records()
        .listGrants()
        .some(({ id, account: of }) => id === grant && of === (memberId ?? ownerAccountId)) &&
      records().removeGrant(grant),
  };
}

/** A request with a body that was already read from the connection. */
function replayBody(incoming: Connection['incoming'], body: Buffer): Connection['incoming'] {
  const { method, url, headers, rawHeaders, socket, httpVersion, httpVersionMajor } = incoming;
  const baseUrl = 'baseUrl' in incoming ? incoming.baseUrl : '';
  const head = { method, url, headers, rawHeaders, socket, httpVersion, httpVersionMajor, baseUrl };
  return Object.assign(Readable.from([body]), head) as unknown as Connection['incoming'];
}

type Running = {
  provider: Provider;
  handle: ReturnType<Provider['callback']>;
  read: ReturnType<typeof createAccessTokenVerifier>;
};

type OpenProviderOptions = Omit<ProviderOptions, 'keys'> &
  Pick<OAuthOptions, 'onError' | 'flushReplication'> & { clock: Clock };

/** Returns the provider with the current signing keys, or with the previous ones if the current ones cannot be read. */
async function openProvider(options: OpenProviderOptions): Promise<() => Promise<Running>> {
  const { issuer, resource, records, clock, flushReplication, onError } = options;
  const start = async (): Promise<Running> => {
    const keys = await rotateSigningKeys(records(), clock());
    const provider = await createProvider({ ...options, keys });
    // The provider sends its response after the middleware, so the wait must be here.
    provider.use(async (ctx, next) => {
      await next();
      await flushReplication?.().catch((error: unknown) => ctx.throw(503, { cause: error }));
    });
    provider.on('server_error', (_, error) => onError(error));
    return {
      provider,
      handle: provider.callback(),
      read: createAccessTokenVerifier(keys, { issuer, resource }),
    };
  };
  let running = start();
  let nextCheckAt = clock() + keyRotationCheckIntervalMs;
  await running;
  return () => {
    if (clock() < nextCheckAt) return running;
    nextCheckAt = clock() + keyRotationCheckIntervalMs;
    const before = running;
    running = start().catch((error: unknown) => {
      onError(error);
      return before;
    });
    return running;
  };
}

type ConsentOptions = {
  resource: string;
  prepare: (connection: Connection) => void;
  provider: () => Promise<Provider>;
};

/** Shows consent requests and resolves them. */
function createConsent({
  resource,
  prepare,
  provider,
}: ConsentOptions): Pick<OAuth, 'findConsentRequest' | 'resolveConsent'> {
  const findInteraction = async (id: string, connection: Connection) => {
    prepare(connection);
    const { incoming, outgoing } = connection;
    const found = await (
      await provider()
    )
      .interactionDetails(incoming, outgoing)
      .catch(ignoreMissingInteraction);
    return found?.uid === id ? found : null;
  };
  return {
    async findConsentRequest(id, connection) {
      const interaction = await findInteraction(id, connection);
      if (interaction === null) return null;
      const {
        client_id: clientId,
        redirect_uri: returnsTo,
        scope,
      } = interaction.params as Record<string, string>;
      const client: Client | undefined = await (await provider()).Client.find(clientId ?? '');
      if (client === undefined) return null;
      return {
        client: identifyClient(client.clientId, client.clientName),
        returnsTo: formatRedirectTarget(returnsTo ?? client.redirectUris?.[0] ?? ''),
        scope: scope?.split(' ').includes('write') === true ? 'write' : 'read',
      };
    },
    async resolveConsent(id, scope, connection, memberId) {
      const interaction = await findInteraction(id, connection);
      if (interaction === null) return null;
      const { incoming, outgoing } = connection;
      const currentProvider = await provider();
      const answer = async () => {
        if (scope === null)
          return { error: 'access_denied', error_description: 'the user denied the request' };
        const accountId = memberId ?? ownerAccountId;
        const grant = new currentProvider.Grant({
          accountId,
          clientId: String(interaction.params['client_id']),
        });
        grant.addResourceScope(resource, scope === 'write' ? supportedScopes.join(' ') : 'read');
        return {
          login: { accountId, remember: false },
          consent: { grantId: await grant.save() },
        };
      };
      return currentProvider.interactionResult(incoming, outgoing, await answer(), {
        mergeWithLastSubmission: false,
      });
    },
  };
}

const maxClientNameLength = 80;

/** The name of a client, and its site if the client id is a URL. Anyone can register a name, so it is made safe to show. */
function identifyClient(id: string, name: string | undefined): ClientIdentity {
  const site = id.startsWith('https:') ? new URL(id).host : null;
  const visible = escapeInvisible((name ?? '').replaceAll(/\s+/g, ' ').trim());
  const shortened =
    visible.length > maxClientNameLength ? `${visible.slice(0, maxClientNameLength)}…` : visible;
  return { name: shortened === '' ? (site ?? id) : shortened, site };
}

/** The interaction has expired or belongs to another browser. */
function ignoreMissingInteraction(error: unknown): null {
  if (error instanceof errors.SessionNotFound) return null;
  throw error;
}

/** Formats a redirect URI so that a user recognises it. */
function formatRedirectTarget(address: string): string {
  const { protocol, host, hostname } = new URL(address);
  const isLoopbackHost = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (isLoopbackHost) return 'localhost';
  return protocol === 'https:' ? host : protocol;
}
