import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

/** Deviations from a successful sign-in. */
type Faults = {
  state?: string;
  nonce?: string;
  audience?: string;
  issuer?: string;
  /** Seconds from now until the ID token expires. */
  idTokenLifetime?: number;
  /** Signs the ID token with a key that is not published. */
  isForged?: boolean;
  scope?: string;
  /** The user does not allow the sign-in. */
  isDenied?: boolean;
  /** Does not name the client that was registered. */
  hasNoClient?: boolean;
  /** The response of the token endpoint. */
  tokenError?: { status: number; body: string; contentType?: string };
};

type Grant = { clientId: string; refreshToken: string; isEnded: boolean };

/** The sign-in of ChatGPT as OpenAI documents it. */
export type SignInService = {
  endpoints: {
    issuer: string;
    authorization: string;
    token: string;
    revocation: string;
    jwks: string;
    resource: string;
  };
  faults: Faults;
  /** The parameters of the requests to each endpoint, in order. */
  authorizations: URLSearchParams[];
  tokenRequests: URLSearchParams[];
  revocations: URLSearchParams[];
  /** In seconds. */
  accessTokenLifetime: number;
  /** Seconds from now, for the next tokens; null to name no time. */
  earliestRefresh: number | null;
  setUser(user: { subject: string; email: string }): void;
  /** Whether the API accepts this header. */
  accepts(authorization: string | undefined): boolean;
  /** The API does not accept this token any more, but it can be renewed. */
  revokeAccessToken(token: string): void;
  /** Ends all access tokens and refresh tokens, as the user does in the settings of ChatGPT. */
  revokeAll(): void;
  /** Acts as the browser of a user who allows everything; returns the last response. */
  visit(link: string): Promise<Response>;
  close(): void;
};

export async function startSignInService(resource = 'http://127.0.0.1:9/v1'): Promise<SignInService> {
  const [published, unpublished] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  let user = { subject: 'user-1', email: 'ana@example.org' };
  const codes = new Map<string, URLSearchParams & { clientId?: string }>();
  const grants: Grant[] = [];
  const spent = new Map<string, Grant>();
  const accessTokens = new Set<string>();

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);

  const authorize = (asked: URLSearchParams, response: ServerResponse): void => {
    service.authorizations.push(asked);
    const code = randomUUID();
    const isFirst = asked.get('client_id') === 'dynamic_agent_client';
    const clientId = isFirst ? `oaiapp_${randomUUID()}` : (asked.get('client_id') ?? '');
    codes.set(code, Object.assign(new URLSearchParams(asked), { clientId }));
    const callback = new URL(asked.get('redirect_uri') ?? '');
    callback.searchParams.set('state', service.faults.state ?? asked.get('state') ?? '');
    if (service.faults.isDenied === true) callback.searchParams.set('error', 'access_denied');
    else callback.searchParams.set('code', code);
    if (isFirst && service.faults.hasNoClient !== true) callback.searchParams.set('client_id', clientId);
    response.writeHead(302, { location: callback.href }).end();
  };

  const issueTokens = (grant: Grant) => {
    const accessToken = `access-${randomUUID()}`;
    accessTokens.add(accessToken);
    grant.refreshToken = `refresh-${randomUUID()}`;
    return {
      access_token: accessToken,
      refresh_token: grant.refreshToken,
      token_type: 'Bearer',
      expires_in: service.accessTokenLifetime,
      scope:
        service.faults.scope ??
        'openid profile email offline_access resource.invoke chatgpt.tokens.use.direct',
      ...(service.earliestRefresh !== null && {
        earliest_refresh_at: Math.floor(Date.now() / 1_000) + service.earliestRefresh,
      }),
    };
  };

  const signIdToken = (clientId: string, nonce: string): Promise<string> => {
    const { faults } = service;
    const now = Math.floor(Date.now() / 1_000);
    const lifetime = faults.idTokenLifetime ?? 3_600;
    return new SignJWT({ email: user.email, nonce: faults.nonce ?? nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setSubject(user.subject)
      .setIssuer(faults.issuer ?? issuer)
      .setAudience(faults.audience ?? clientId)
      .setIssuedAt(now + Math.min(0, lifetime - 60))
      .setExpirationTime(now + lifetime)
      .sign(faults.isForged === true ? unpublished.privateKey : published.privateKey);
  };

  const redeem = async (asked: URLSearchParams): Promise<object | null> => {
    const started = codes.get(asked.get('code') ?? '');
    codes.delete(asked.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      started !== undefined &&
      started.get('code_challenge') === challenge &&
      started.get('code_challenge_method') === 'S256' &&
      started.get('redirect_uri') === asked.get('redirect_uri') &&
      started.clientId === asked.get('client_id') &&
      asked.get('resource') === resource;
    if (!isRight || started.clientId === undefined) return null;
    const grant = { clientId: started.clientId, refreshToken: '', isEnded: false };
    grants.push(grant);
    const idToken = await signIdToken(started.clientId, started.get('nonce') ?? '');
    return { ...issueTokens(grant), id_token: idToken };
  };

  /** A refresh token that is used twice ends its sign-in. */
  const refresh = (asked: URLSearchParams): object | null => {
    const token = asked.get('refresh_token') ?? '';
    const reused = spent.get(token);
    if (reused !== undefined) reused.isEnded = true;
    const grant = grants.find((each) => each.refreshToken === token && !each.isEnded);
    if (grant === undefined || grant.clientId !== asked.get('client_id')) return null;
    spent.set(token, grant);
    return issueTokens(grant);
  };

  const answerToken = async (asked: URLSearchParams, response: ServerResponse): Promise<void> => {
    service.tokenRequests.push(asked);
    const { tokenError } = service.faults;
    if (tokenError !== undefined) {
      const { status, body, contentType = 'application/json' } = tokenError;
      response.writeHead(status, { 'content-type': contentType }).end(body);
      return;
    }
    const isCode = asked.get('grant_type') === 'authorization_code';
    const tokens = isCode ? await redeem(asked) : refresh(asked);
    response
      .writeHead(tokens === null ? 400 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(tokens ?? { error: 'invalid_grant' }));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer);
    if (pathname === '/api/accounts/authorize') return authorize(searchParams, response);
    if (pathname === '/.well-known/jwks.json')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: [jwk] }));
    const asked = new URLSearchParams(await text(request));
    if (pathname === '/api/accounts/oauth/token') return answerToken(asked, response);
    if (pathname !== '/api/accounts/oauth/revoke') return void response.writeHead(404).end();
    service.revocations.push(asked);
    for (const grant of grants) if (grant.refreshToken === asked.get('token')) grant.isEnded = true;
    response.writeHead(200).end();
  };

  const service: SignInService = {
    endpoints: {
      issuer,
      authorization: `${issuer}/api/accounts/authorize`,
      token: `${issuer}/api/accounts/oauth/token`,
      revocation: `${issuer}/api/accounts/oauth/revoke`,
      jwks: `${issuer}/.well-known/jwks.json`,
      resource,
    },
    faults: {},
    authorizations: [],
    tokenRequests: [],
    revocations: [],
    accessTokenLifetime: 3_600,
    earliestRefresh: null,
    setUser: (next) => void (user = next),
    accepts: (authorization = '') => accessTokens.has(authorization.replace('Bearer ', '')),
    revokeAccessToken: (token) => void accessTokens.delete(token),
    revokeAll() {
      accessTokens.clear();
      for (const grant of grants) grant.isEnded = true;
    },
    visit: (link) => fetch(link),
    close,
  };
  return service;
}
