import { Provider, errors, interactionPolicy } from 'oidc-provider';
import type { AllClientMetadata, Configuration } from 'oidc-provider';
import { newSecret } from '../auth/secrets.ts';
import type { Records } from './records.ts';
import { signing } from './signing-keys.ts';
import type { SigningKey } from './signing-keys.ts';

/** Whoever has the vault on their machine; everybody else was invited. */
export const account = 'person';
export const scopes = ['read', 'write'] as const;

const minute = 60;
const day = 24 * 60 * minute;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type ProviderOptions = {
  /** Under which others reach this server; also the name under which it issues tokens. */
  issuer: string;
  /** The path of that address. */
  prefix: string;
  /** What tokens are for: the address of the vault's MCP. */
  resource: string;
  records: () => Records;
  /** The one that signs first. */
  keys: readonly SigningKey[];
  /** Whether somebody was invited who has this id. */
  isKnown: (id: string) => boolean;
  /** Brings the metadata that clients publish. */
  fetch?: Fetch | undefined;
};

/** OAuth 2.1 for one vault. Who the person is and what they agree to is found out elsewhere, at `/consent/<id>`. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { issuer, prefix, resource, records, keys } = options;
  const cookies = (await records().key('cookies', async () => ({ key: newSecret() }))) as { key: string };
  const isSecure = issuer.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure } as const;
  const configuration: Configuration = {
    adapter: (model) => records().of(model),
    jwks: { keys: keys.map(({ key }) => ({ ...key, kty: 'EC' })) },
    scopes: [...scopes, 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: { id_token_signed_response_alg: signing },
    enabledJWA: {
      idTokenSigningAlgValues: [signing],
      clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'Ed25519'],
    },
    pkce: { required: () => true },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
      end_session: '/oauth/session',
    },
    cookies: { keys: [cookies.key], long: { ...cookie, path: `${prefix}/` }, short: cookie },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (_, id) => isFetched(id),
      },
      resourceIndicators: {
        enabled: true,
        // For clients that know of none: there is one.
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_, named) {
          if (named !== resource) throw new errors.InvalidTarget(`the resource here is ${resource}`);
          return {
            scope: scopes.join(' '),
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 60 * minute,
            jwt: { sign: { alg: signing } },
          };
        },
      },
    },
    extraClientMetadata: { properties: ['keepsake'], validator: (_, __, ___, given) => reduce(given) },
    extraTokenClaims: (_, token) => ('grantId' in token ? { grant: token.grantId } : undefined),
    ttl: {
      AccessToken: 60 * minute,
      AuthorizationCode: minute,
      Interaction: 10 * minute,
      Session: 10 * minute,
      RefreshToken: 30 * day,
      Grant: 365 * day,
    },
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    interactions: { policy: askEachTime(), url: (_, { uid }) => `${prefix}/consent/${uid}` },
    loadExistingGrant: ({ oidc }) => {
      const agreed = oidc.result?.consent?.grantId;
      return agreed === undefined ? undefined : oidc.provider.Grant.find(agreed);
    },
    findAccount: (_, id) =>
      id === account || options.isKnown(id) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    fetch: (url, init = {}) => fetchSafely(new Request(url).url, init, options.fetch ?? globalThis.fetch),
    fetchResponseBodyLimits: { jwks_uri: 64_000, sector_identifier_uri: 0 },
    clientBasedCORS: () => false,
    renderError(ctx, { error, error_description: what }) {
      ctx.type = 'text/plain';
      ctx.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
      ctx.body = `${error}${what === undefined ? '' : `: ${what}`}\n`;
    },
  };
  const provider = new Provider(issuer, configuration);
  // What it believes of host and scheme is set by whoever hands requests over.
  provider.proxy = true;
  return provider;
}

/** A client that runs on somebody's machine can be anybody: the person is asked whenever one wants in. */
function askEachTime(): interactionPolicy.DefaultPolicy {
  const { Check, Prompt, base } = interactionPolicy;
  const policy = base();
  policy.clear();
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('not_asked', 'the person has to agree', 'consent_required', ({ oidc }) =>
        oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    ),
  );
  return policy;
}

/**
 * Of what a client says of itself, what is of use here; the rest is as it is for all. As a native client it may be sent back to
 * https anywhere, to a loopback address on any port, or to a scheme of its own; by http to nowhere else.
 */
function reduce(metadata: AllClientMetadata): void {
  const used = new Set(['client_id', 'client_name', 'client_uri', 'redirect_uris', 'jwks', 'jwks_uri']);
  const isProving = metadata.token_endpoint_auth_method === 'private_key_jwt';
  for (const name of Object.keys(metadata)) if (!used.has(name)) delete metadata[name];
  Object.assign(metadata, {
    application_type: 'native',
    token_endpoint_auth_method: isProving ? 'private_key_jwt' : 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    id_token_signed_response_alg: signing,
  });
}

/** Only names, on the usual port: neither a machine by its number nor a service beside the web. */
function isFetched(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.protocol !== 'https:' || url.port !== '' || url.username !== '') return false;
  return /\.[a-z][a-z0-9-]*$/i.test(url.hostname) && url.pathname.length > 1;
}

/** The library gives up after a moment, and ends connections to addresses that are not public. */
async function fetchSafely(url: string, init: RequestInit, fetch: Fetch): Promise<Response> {
  if (!isFetched(url)) throw new Error('not an address that is fetched');
  if (!('dispatcher' in init)) throw new Error('private addresses could not be told');
  return fetch(url, { ...init, redirect: 'manual' });
}
