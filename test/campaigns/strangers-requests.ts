import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Sends one request from an address, and returns its status. */
type Send = (address: string) => Promise<number>;

export type Strangers = {
  /** Every kind of request that a caller without credentials can send. */
  kinds: Record<string, Send>;
  /** Connections with an incomplete body that the server has not closed yet. */
  slow: Set<Socket>;
};

type Target = {
  /** The local URL of the server. */
  url: string;
  publicUrl: string;
  /** A one-time link that was not opened. */
  link: string;
};

type Init = { method?: string; headers?: Record<string, string>; body?: string };

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const redirectUri = 'https://client.example/callback';

/** Registers a client that proves its identity with a key, and prepares the requests. */
export async function prepareStrangers({ url, publicUrl, link }: Target): Promise<Strangers> {
  const slow = new Set<Socket>();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'ES256', use: 'sig' };
  const { client_id: client } = await register(url, '192.0.2.1', {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [key] },
  });
  const from = (path: string, { headers, ...init }: Init = {}): Send => {
    return async (address) => {
      const response = await fetch(`${url}${path}`, {
        redirect: 'manual',
        ...init,
        headers: { ...headers, 'x-forwarded-for': address },
      });
      await response.arrayBuffer();
      return response.status;
    };
  };
  const withAssertion = (assertion: () => string): Send => {
    return (address) => {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: 'none',
        client_id: client,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion(),
      });
      return from('/oauth/token', { method: 'POST', headers: form, body: body.toString() })(address);
    };
  };
  const createAssertion = (lifetime: number): string =>
    signAssertion({ client, audience: publicUrl, lifetime, key: privateKey });
  const replayed = createAssertion(300);
  const registration = JSON.stringify({ client_name: 'x', redirect_uris: [redirectUri] });
  const kinds: Record<string, Send> = {
    'slow body': (address) => sendSlowly(url, address, slow),
    registration: from('/oauth/register', { method: 'POST', headers: json, body: registration }),
    authorization: from(toAuthorizationPath(client)),
    assertion: withAssertion(() => createAssertion(300)),
    'replayed assertion': withAssertion(() => replayed),
    'assertion of a century': withAssertion(() => createAssertion(100 * 365 * 86_400)),
    'passkey challenge': from('/api/sign-in/passkey/options', { method: 'POST' }),
    'forged passkey': from('/api/sign-in/passkey', { method: 'POST', headers: json, body: '{"id":"x"}' }),
    'link preview': from(new URL(link).pathname + new URL(link).search, { method: 'HEAD' }),
    'wrong link': from('/open?code=none'),
    page: from('/'),
    health: from('/api/health'),
  };
  return { kinds, slow };
}

export function toAuthorizationPath(client: string): string {
  const params = {
    client_id: client,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    state: 'x'.repeat(1_000),
  };
  return `/oauth/authorize?${new URLSearchParams(params).toString()}`;
}

/** Registers a client, which must succeed. */
export async function register(
  url: string,
  address: string,
  metadata: object = {},
): Promise<{ client_id: string }> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { ...json, 'x-forwarded-for': address },
    body: JSON.stringify({ client_name: 'A program', redirect_uris: [redirectUri], ...metadata }),
  });
  if (response.status !== 201) throw new Error(`registration: ${response.status} ${await response.text()}`);
  return response.json() as Promise<{ client_id: string }>;
}

type Assertion = { client: string; audience: string; lifetime: number; key: KeyObject };

function signAssertion({ client, audience, lifetime, key }: Assertion): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1_000) + lifetime;
  const claims = { iss: client, sub: client, aud: audience, jti: randomUUID(), exp };
  const text = `${encode({ alg: 'ES256', kid: 'key' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** Sends the first byte of a body and nothing more. Resolves with 0 when it is sent. */
function sendSlowly(url: string, address: string, open: Set<Socket>): Promise<number> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      resolve(0);
    });
    socket.resume();
    socket.write(
      `POST /oauth/register HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
      () => resolve(0),
    );
  });
}
