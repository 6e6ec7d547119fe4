import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HttpBindings } from '@hono/node-server';
import { errors } from 'oidc-provider';
import type { Client, Provider } from 'oidc-provider';
import type { Keepsake } from '../../app/index.ts';
import type { Clock } from '../../contract/index.ts';
import { openPeople } from '../auth/people.ts';
import type { TokenScope } from '../auth/tokens.ts';
import { createTokenCheck } from './access-tokens.ts';
import { account, createProvider, scopes } from './provider.ts';
import type { ProviderOptions } from './provider.ts';
import { openRecords } from './records.ts';
import { keepSigningKeys } from './signing-keys.ts';

/** A request and its answer, as Node.js has them. */
type Connection = Pick<HttpBindings, 'incoming' | 'outgoing'>;

/** A program elsewhere, as the person knows it: by the site that vouches for it, else by the name that it gives itself. */
type KnownClient = { name: string; site: string | null };

type ConsentRequest = {
  client: KnownClient;
  /** Where the browser goes afterwards: a site, `localhost`, or the scheme of a program. */
  returnsTo: string;
  scope: TokenScope;
};

/** How programs elsewhere are let in: as RFC 9728 and OAuth 2.1 describe it, by the person. */
export type OAuth = {
  /** Under which others reach this server. */
  url: string;
  /** What somebody is told who shows nothing that is valid. */
  challenge: string;
  /** Whether an address belongs to it. Whoever asks there has shown nothing yet. */
  owns(path: string): boolean;
  answer(connection: Connection): Promise<Response>;
  /** Who shows this access token; null when it is not one of ours, has expired, or the person has taken it back. */
  check(
    token: string,
  ): Promise<{ grant: string; person: string | null; name: string; scope: TokenScope; until: number } | null>;
  has(grant: string): boolean;
  /** What a client asks for, in the browser that it was asked in; null for any other. */
  find(id: string, connection: Connection): Promise<ConsentRequest | null>;
  /** What the person answers, null for a no; gives where the browser goes on. */
  decide(
    id: string,
    scope: TokenScope | null,
    connection: Connection,
    person: string | null,
  ): Promise<string | null>;
  /** Of whoever was invited; of nobody who was for null. */
  grants(person: string | null): (KnownClient & { id: string; scope: TokenScope; createdAt: number })[];
  revoke(grant: string, person: string | null): boolean;
};

export type OAuthOptions = Pick<ProviderOptions, 'fetch'> & {
  keepsake: Pick<Keepsake, 'state'>;
  /** Under which others reach the vault. */
  url: string;
  onError: (error: unknown) => void;
  /** Awaited before every answer. */
  settle?: (() => Promise<void>) | undefined;
  /** For the keys that sign. */
  clock?: Clock | undefined;
};

/** How often it is looked whether it is time for another key. */
const lookEvery = 60 * 60_000;

const metadataPath = '/.well-known/oauth-protected-resource';
const ownPaths =
  /^\/(?:oauth\/|\.well-known\/(?:oauth-(?:protected-resource|authorization-server)(?:\/mcp)?|openid-configuration)$)/;

export async function openOAuth({
  keepsake,
  url,
  onError,
  settle,
  fetch,
  clock = Date.now,
}: OAuthOptions): Promise<OAuth> {
  const { origin, host, protocol, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, '');
  const issuer = `${origin}${prefix}`;
  const resource = `${issuer}/mcp`;
  keepsake.state.adopt();
  const records = openRecords(keepsake);
  const people = openPeople(keepsake);
  const isKnown = (id: string): boolean => people().find(id) !== null;
  const current = await openProvider({
    issuer,
    prefix,
    resource,
    records,
    isKnown,
    fetch,
    onError,
    settle,
    clock,
  });
  const described = {
    resource,
    resource_name: 'Keepsake',
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  };

  /** What others put before it says nothing of us: there is one address. */
  const prepare = ({ incoming }: Connection): void => {
    delete incoming.headers['x-forwarded-host'];
    Object.assign(incoming.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) });
    Object.assign(incoming, { baseUrl: prefix });
  };
  const consent = createConsent({ resource, prepare, provider: async () => (await current()).provider });
  const nameOf = async (id: string): Promise<string> => {
    const named = id.startsWith('https:') ? undefined : await records().of('Client').find(id);
    return known(id, named?.client_name).name;
  };

  return {
    url: issuer,
    challenge: `Bearer realm="keepsake", resource_metadata="${origin}${metadataPath}${prefix}/mcp", scope="${scopes.join(' ')}"`,
    owns: (path) => ownPaths.test(path),
    async answer(connection) {
      const { incoming, outgoing } = connection;
      const asked = new URL(incoming.url ?? '/', origin);
      if (asked.pathname.startsWith(metadataPath)) return Response.json(described);
      prepare(connection);
      // Who does not say what it wants may ask for all there is; the person decides.
      if (asked.pathname === '/oauth/authorize' && !asked.searchParams.get('scope')) {
        asked.searchParams.set('scope', scopes.join(' '));
        incoming.url = `${asked.pathname}${asked.search}`;
      }
      if (asked.pathname.endsWith('/mcp')) incoming.url = asked.pathname.slice(0, -'/mcp'.length);
      const { handle } = await current();
      await handle(incoming, outgoing);
      return RESPONSE_ALREADY_SENT;
    },
    async check(token) {
      const { read } = await current();
      const shown = await read(token);
      if (shown === null || !records().hasGrant(shown.grant)) return null;
      const { grant, scope, until } = shown;
      const person = shown.account === account ? null : shown.account;
      return { grant, person, scope, until, name: await nameOf(shown.client) };
    },
    has: (grant) => records().hasGrant(grant),
    ...consent,
    grants: (person) =>
      records()
        .grants()
        .filter((grant) => grant.account === (person ?? account))
        .map(({ id, client, clientName, madeAt, resources }) => ({
          ...known(client, clientName),
          id,
          createdAt: madeAt,
          scope: resources[resource]?.split(' ').includes('write') === true ? 'write' : 'read',
        })),
    revoke: (grant, person) =>
      records()
        .grants()
        .some(({ id, account: of }) => id === grant && of === (person ?? account)) &&
      records().removeGrant(grant),
  };
}

type Running = {
  provider: Provider;
  handle: ReturnType<Provider['callback']>;
  read: ReturnType<typeof createTokenCheck>;
};

type ProviderParts = Omit<ProviderOptions, 'keys'> &
  Pick<OAuthOptions, 'onError' | 'settle'> & { clock: Clock };

/** Gives the provider with the signing keys of now; where they cannot be read, with those of before. */
async function openProvider(parts: ProviderParts): Promise<() => Promise<Running>> {
  const { issuer, resource, records, clock, settle, onError } = parts;
  const start = async (): Promise<Running> => {
    const keys = await keepSigningKeys(records(), clock());
    const provider = await createProvider({ ...parts, keys });
    // It answers on the connection itself, once everything that is used here is done.
    provider.use(async (ctx, next) => {
      await next();
      await settle?.().catch((error: unknown) => ctx.throw(503, { cause: error }));
    });
    provider.on('server_error', (_, error) => onError(error));
    return { provider, handle: provider.callback(), read: createTokenCheck(keys, { issuer, resource }) };
  };
  let running = start();
  let lookAt = clock() + lookEvery;
  await running;
  return () => {
    if (clock() < lookAt) return running;
    lookAt = clock() + lookEvery;
    const before = running;
    running = start().catch((error: unknown) => {
      onError(error);
      return before;
    });
    return running;
  };
}

type ConsentParts = {
  resource: string;
  prepare: (connection: Connection) => void;
  provider: () => Promise<Provider>;
};

/** What the person is asked when a program wants to be let in, and what they answer. */
function createConsent({ resource, prepare, provider }: ConsentParts): Pick<OAuth, 'find' | 'decide'> {
  const interactionOf = async (id: string, connection: Connection) => {
    prepare(connection);
    const { incoming, outgoing } = connection;
    const found = await (await provider()).interactionDetails(incoming, outgoing).catch(nullIfGone);
    return found?.uid === id ? found : null;
  };
  return {
    async find(id, connection) {
      const asked = await interactionOf(id, connection);
      if (asked === null) return null;
      const { client_id: clientId, redirect_uri: returnsTo, scope } = asked.params as Record<string, string>;
      const client: Client | undefined = await (await provider()).Client.find(clientId ?? '');
      if (client === undefined) return null;
      return {
        client: known(client.clientId, client.clientName),
        returnsTo: whereTo(returnsTo ?? client.redirectUris?.[0] ?? ''),
        scope: scope?.split(' ').includes('write') === true ? 'write' : 'read',
      };
    },
    async decide(id, scope, connection, person) {
      const asked = await interactionOf(id, connection);
      if (asked === null) return null;
      const { incoming, outgoing } = connection;
      const present = await provider();
      const answer = async () => {
        if (scope === null) return { error: 'access_denied', error_description: 'the person said no' };
        const accountId = person ?? account;
        const grant = new present.Grant({ accountId, clientId: String(asked.params['client_id']) });
        grant.addResourceScope(resource, scope === 'write' ? scopes.join(' ') : 'read');
        return {
          login: { accountId, remember: false },
          consent: { grantId: await grant.save() },
        };
      };
      return present.interactionResult(incoming, outgoing, await answer(), {
        mergeWithLastSubmission: false,
      });
    },
  };
}

/** The name of a client, and the site that it says it is of. */
function known(id: string, name: string | undefined): KnownClient {
  const site = id.startsWith('https:') ? new URL(id).host : null;
  return { name: name ?? site ?? id, site };
}

/** That it belongs to another browser, or is over. */
function nullIfGone(error: unknown): null {
  if (error instanceof errors.SessionNotFound) return null;
  throw error;
}

/** As a person would recognise it. */
function whereTo(address: string): string {
  const { protocol, host, hostname } = new URL(address);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (isHere) return 'localhost';
  return protocol === 'https:' ? host : protocol;
}
