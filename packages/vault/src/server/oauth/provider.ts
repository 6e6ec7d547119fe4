import { Provider, errors, interactionPolicy } from 'oidc-provider';
import type { AllClientMetadata, Configuration } from 'oidc-provider';
import { generateSecret } from '../auth/secrets.ts';
import type { OAuthStore } from './oauth-store.ts';
import { signingAlgorithm } from './signing-keys.ts';
import type { SigningKey } from './signing-keys.ts';

/** Account id of the owner of the machine; all other accounts are invited members. */
export const ownerAccountId = 'person';
export const supportedScopes = ['read', 'write'] as const;

const minute = 60;
const day = 24 * 60 * minute;
/** A used assertion is stored until it expires, so that it cannot be used again. */
const maxAssertionLifetime = 5 * minute;
/** The clock of a client may be ahead, and 5 minutes is a common lifetime. */
const maxClockSkew = minute / 2;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type ProviderOptions = {
  /** The public URL of this server, which is also the issuer of its tokens. */
  issuer: string;
  /** The path of that URL. */
  prefix: string;
  /** The audience of tokens: the MCP URL of the vault. */
  resource: string;
  records: () => OAuthStore;
  /** The active key first. */
  keys: readonly SigningKey[];
  /** Whether a member with this id exists. */
  isKnown: (id: string) => boolean;
  /** Fetches client metadata documents. */
  fetch?: Fetch | undefined;
};

/** The OAuth 2.1 provider of one vault. Sign-in and consent happen at `/consent/<id>`. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { issuer, prefix, resource, records, keys } = options;
  const cookies = (await records().getOrCreateKey('cookies', async () => ({ key: generateSecret() }))) as {
    key: string;
  };
  const isSecure = issuer.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure } as const;
  const configuration: Configuration = {
    adapter: (model) => records().adapterFor(model),
    jwks: { keys: keys.map(({ key }) => ({ ...key, kty: 'EC' })) },
    scopes: [...supportedScopes, 'offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    enabledJWA: {
      idTokenSigningAlgValues: [signingAlgorithm],
      clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'Ed25519'],
    },
    assertJwtClientAuthClaimsAndHeader: (_, claims) => assertShortLived(claims),
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
        allowFetch: (_, id) => isFetchableUrl(id),
      },
      resourceIndicators: {
        enabled: true,
        // For clients without resource indicators: there is only one resource.
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_, named) {
          if (named !== resource) throw new errors.InvalidTarget(`the resource here is ${resource}`);
          return {
            scope: supportedScopes.join(' '),
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 60 * minute,
            jwt: { sign: { alg: signingAlgorithm } },
          };
        },
      },
    },
    extraClientMetadata: {
      properties: ['keepsake'],
      validator: (_, __, ___, metadata) => sanitizeClientMetadata(metadata),
    },
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
    interactions: { policy: createConsentPolicy(), url: (_, { uid }) => `${prefix}/consent/${uid}` },
    loadExistingGrant: ({ oidc }) => {
      const agreed = oidc.result?.consent?.grantId;
      return agreed === undefined ? undefined : oidc.provider.Grant.find(agreed);
    },
    findAccount: (_, id) =>
      id === ownerAccountId || options.isKnown(id)
        ? { accountId: id, claims: () => ({ sub: id }) }
        : undefined,
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
  // Trusts the forwarded headers, which the caller sets itself.
  provider.proxy = true;
  return provider;
}

function assertShortLived({ exp }: { exp?: unknown }): void {
  if (!(Number(exp) <= Date.now() / 1_000 + maxAssertionLifetime + maxClockSkew))
    throw new errors.InvalidClientAuth('the assertion must expire within 5 minutes');
}

/** A public client cannot prove its identity, so every authorization asks for consent. */
function createConsentPolicy(): interactionPolicy.DefaultPolicy {
  const { Check, Prompt, base } = interactionPolicy;
  const policy = base();
  policy.clear();
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('not_asked', 'the user has to consent', 'consent_required', ({ oidc }) =>
        oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    ),
  );
  return policy;
}

/**
 * Keeps only supported client metadata and sets the other fields to fixed values. Every client counts as native: it may
 * redirect to any https URL, to a loopback address on any port, or to a private scheme, but not to other http URLs.
 */
function sanitizeClientMetadata(metadata: AllClientMetadata): void {
  const used = new Set(['client_id', 'client_name', 'client_uri', 'redirect_uris', 'jwks', 'jwks_uri']);
  const isProving = metadata.token_endpoint_auth_method === 'private_key_jwt';
  for (const name of Object.keys(metadata)) if (!used.has(name)) delete metadata[name];
  Object.assign(metadata, {
    application_type: 'native',
    token_endpoint_auth_method: isProving ? 'private_key_jwt' : 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    id_token_signed_response_alg: signingAlgorithm,
  });
}

/**
 * Allows only https URLs with a domain name and the default port, so that no IP address and no service on another port
 * is contacted.
 */
function isFetchableUrl(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.protocol !== 'https:' || url.port !== '' || url.username !== '') return false;
  return /\.[a-z][a-z0-9-]*$/i.test(url.hostname) && url.pathname.length > 1;
}

/** Requires the dispatcher of the library, which has a timeout and refuses connections to private addresses. */
async function fetchSafely(url: string, init: RequestInit, fetch: Fetch): Promise<Response> {
  if (!isFetchableUrl(url))
    throw new Error('the URL of client metadata must use https, a domain name and the default port');
  if (!('dispatcher' in init))
    throw new Error('refusing to fetch without the dispatcher that blocks private addresses');
  return fetch(url, { ...init, redirect: 'manual' });
}
