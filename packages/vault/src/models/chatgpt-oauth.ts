import type * as Oidc from 'openid-client';
import { z } from 'zod';
import { formatReason } from '../contract/index.ts';
import { ModelError, errorCodeOrMessage } from './error.ts';

/** The URLs of the ChatGPT sign-in. Tokens are sent to them and to nothing else. */
export type ChatGptEndpoints = {
  issuer: string;
  authorization: string;
  token: string;
  revocation: string;
  jwks: string;
  /** The base URL of the API that accepts the access token. */
  resource: string;
};

/** `expiresAt` and `earliestRefreshAt` are in milliseconds since the epoch. */
export type ChatGptTokens = {
  accessToken: string;
  /** Each one can be used once. */
  refreshToken: string;
  expiresAt: number;
  /** An earlier refresh is refused and ends the sign-in; null if the server named no time. */
  earliestRefreshAt: number | null;
};

/** The result of a sign-in whose ID token was verified. */
export type ChatGptGrant = {
  /** The client that was registered for this account; later sign-ins use it again. */
  clientId: string;
  subject: string;
  email: string | null;
  /** Whether the user lets Keepsake use the ChatGPT plan. */
  allowsPlan: boolean;
  tokens: ChatGptTokens;
};

type ChatGptRegistration = {
  /** Identifies this installation. */
  hostId: string;
  /** Null before the first sign-in. */
  clientId: string | null;
};

type SignInAttempt = {
  /** The page on which the user signs in. */
  url: string;
  /** Exchanges the code in the callback URL for tokens and verifies the ID token. Throws a `ModelError`. */
  redeem(callbackUrl: URL): Promise<ChatGptGrant>;
};

/** Registers the client that the callback names. It is never used for tokens. */
const registrationClientId = 'dynamic_agent_client';
const planScope = 'chatgpt.tokens.use.direct';
const scope = `openid profile email offline_access resource.invoke ${planScope}`;
const requestTimeoutSeconds = 15;
/** The lifetime of an access token if the server does not name one. */
const defaultLifetimeSeconds = 3_600;

export async function startChatGptSignIn(
  endpoints: ChatGptEndpoints,
  { hostId, clientId }: ChatGptRegistration,
  { redirectUri, state }: { redirectUri: string; state: string },
): Promise<SignInAttempt> {
  const oidc = await import('openid-client');
  const [verifier, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(configure(oidc, endpoints, clientId ?? registrationClientId), {
    redirect_uri: redirectUri,
    scope,
    resource: endpoints.resource,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ext_agent_host_id: hostId,
    ...(clientId === null && { agent_name_hint: 'Keepsake' }),
  });
  return {
    url: url.href,
    async redeem(callbackUrl) {
      const issued = callbackUrl.searchParams.get('client_id') ?? clientId;
      const checks = {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      };
      const isError = callbackUrl.searchParams.has('error');
      if (!isError && !isIssuedClient(issued, clientId))
        throw new ModelError('bad-answer', 'ChatGPT did not register Keepsake for this account', {
          hint: 'sign in again with: keepsake config login chatgpt --new',
        });
      const config = configure(oidc, endpoints, issued ?? registrationClientId);
      const response = await oidc
        .authorizationCodeGrant(config, callbackUrl, checks, { resource: endpoints.resource })
        .catch(async (error: unknown) => {
          throw await toSignInError(oidc, endpoints, error);
        });
      const claims = response.claims();
      if (claims === undefined || issued === null) throw incompleteError();
      const { sub: subject, email } = claims;
      return {
        clientId: issued,
        subject,
        email: typeof email === 'string' ? email : null,
        allowsPlan: allowsPlan(response),
        tokens: toTokens(response),
      };
    },
  };
}

/**
 * Exchanges a refresh token, which cannot be used again. Throws a `ModelError` with the code `refused` if the sign-in
 * has ended; after other errors, the refresh token may still be valid.
 */
export async function refreshChatGptTokens(
  endpoints: ChatGptEndpoints,
  clientId: string,
  refreshToken: string,
): Promise<ChatGptTokens> {
  const oidc = await import('openid-client');
  const response = await oidc
    .refreshTokenGrant(configure(oidc, endpoints, clientId), refreshToken, { resource: endpoints.resource })
    .catch(async (error: unknown) => {
      throw await toRequestError(oidc, endpoints, error);
    });
  if (!allowsPlan(response)) throw signInEndedError();
  return toTokens(response);
}

/** Throws a `ModelError` if the server did not confirm that the token was revoked. */
export async function revokeChatGptToken(
  endpoints: ChatGptEndpoints,
  clientId: string,
  refreshToken: string,
): Promise<void> {
  const oidc = await import('openid-client');
  const config = configure(oidc, endpoints, clientId);
  await oidc
    .tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' })
    .catch(async (error: unknown) => {
      throw await toRequestError(oidc, endpoints, error);
    });
}

/** The error for a sign-in that expired, was revoked or was never made. */
export function signInEndedError(): ModelError {
  return new ModelError('refused', formatReason('signed-out', { service: 'ChatGPT' }), {
    hint: 'sign in again with: keepsake config login chatgpt',
  });
}

function configure(oidc: typeof Oidc, endpoints: ChatGptEndpoints, clientId: string): Oidc.Configuration {
  const config = new oidc.Configuration(
    {
      issuer: endpoints.issuer,
      authorization_endpoint: endpoints.authorization,
      token_endpoint: endpoints.token,
      revocation_endpoint: endpoints.revocation,
      jwks_uri: endpoints.jwks,
    },
    clientId,
    undefined,
    oidc.None(),
  );
  config.timeout = requestTimeoutSeconds;
  // Without this, the library checks the claims of the ID token but not its signature.
  oidc.enableNonRepudiationChecks(config);
  // The sign-in of OpenAI uses HTTPS. Only a provider in a test does not.
  if (new URL(endpoints.issuer).protocol === 'http:') oidc.allowInsecureRequests(config);
  return config;
}

function isIssuedClient(issued: string | null, known: string | null): boolean {
  return issued !== null && issued !== registrationClientId && (known === null || issued === known);
}

/** A response without a scope grants the requested one (RFC 6749, section 5.1). */
function allowsPlan({ scope: granted = scope }: Oidc.TokenEndpointResponse): boolean {
  return granted.split(' ').includes(planScope);
}

function toTokens(response: Oidc.TokenEndpointResponse): ChatGptTokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetime } = response;
  if (refreshToken === undefined) throw incompleteError();
  return {
    accessToken,
    refreshToken,
    expiresAt: Date.now() + (lifetime ?? defaultLifetimeSeconds) * 1_000,
    earliestRefreshAt: parseTime(response['earliest_refresh_at']),
  };
}

/** Parses a time in seconds since the epoch or in ISO 8601. */
function parseTime(value: unknown): number | null {
  if (typeof value === 'number') return value * 1_000;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

function incompleteError(): ModelError {
  return new ModelError('bad-answer', 'the answer of ChatGPT is incomplete', {
    hint: 'sign in again with: keepsake config login chatgpt',
  });
}

async function toSignInError(
  oidc: typeof Oidc,
  endpoints: ChatGptEndpoints,
  error: unknown,
): Promise<ModelError> {
  if (!(error instanceof oidc.AuthorizationResponseError)) return toRequestError(oidc, endpoints, error);
  return new ModelError('refused', `ChatGPT did not allow the sign-in (${error.error})`, {
    hint: 'run the command again and allow it in the browser, or use an API key: keepsake config key openai',
  });
}

/** The codes that OpenAI uses for a refresh token that will never work again. */
const endedPattern = /^(invalid_grant|token_expired|invalid_refresh_token|refresh_token_\w+)$/;

/**
 * Only an explicit code counts as the end of a sign-in: a proxy or a failing server must not end it. The original error
 * is not kept as cause, because it may contain tokens.
 */
async function toRequestError(
  oidc: typeof Oidc,
  { issuer }: ChatGptEndpoints,
  error: unknown,
): Promise<ModelError> {
  const answer = await readErrorAnswer(oidc, error);
  if (answer !== null) {
    if (endedPattern.test(answer.code)) return signInEndedError();
    const status = answer.code === '' ? answer.status : `${answer.status} (${answer.code})`;
    return new ModelError('unavailable', formatReason('answered', { address: issuer, status }), {
      hint: 'try again later',
    });
  }
  const isTimeout = error instanceof oidc.ClientError && error.code === 'OAUTH_TIMEOUT';
  if (isTimeout || error instanceof TypeError) {
    const problem = isTimeout ? 'timeout' : errorCodeOrMessage(error);
    return new ModelError('unreachable', formatReason('unreachable', { address: issuer, problem }), {
      hint: 'check the network connection and try again',
    });
  }
  const problem = error instanceof Error ? describeCause(error) : String(error);
  return new ModelError('bad-answer', `the answer of ChatGPT is not valid (${problem})`, {
    hint: 'sign in again with: keepsake config login chatgpt',
  });
}

/** The status and code of an error response; null if there was no response or it has another problem. */
async function readErrorAnswer(
  oidc: typeof Oidc,
  error: unknown,
): Promise<{ status: number; code: string } | null> {
  if (error instanceof oidc.ResponseBodyError) return { status: error.status, code: error.error };
  const response = error instanceof oidc.ClientError ? error.cause : null;
  if (!(response instanceof Response) || response.ok) return null;
  const body: unknown = await response.json().catch(() => null);
  // Some errors of OpenAI have an object where OAuth has a code.
  const code = nestedError.safeParse(body).data?.error.code ?? '';
  return { status: response.status, code };
}

const nestedError = z.object({ error: z.object({ code: z.string() }) });

/** The library puts the specific message, for example which claim is wrong, into the cause. */
function describeCause({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
