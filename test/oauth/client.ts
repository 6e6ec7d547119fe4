import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Browser } from './browser.ts';

/** A vault as a remote application sees it, and the user who authorizes it. */
export type OAuthVault = { url: string; resource: string; signedIn(): Promise<Browser> };

export const callback = 'http://127.0.0.1:4444/callback';

/** The parameters of an authorization request; undefined ones are omitted. */
export type AuthorizationParams = Record<string, string | undefined>;

export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export async function register(
  { url }: OAuthVault,
  metadata: object = { client_name: 'A program', redirect_uris: [callback] },
): Promise<Response> {
  return fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
}

export async function registerClient(vault: OAuthVault, metadata?: object): Promise<string> {
  const response = await register(vault, metadata);
  const { client_id: id } = (await response.json()) as { client_id: string };
  expect(response.status).toBe(201);
  return id;
}

export function authorizationUrl(
  { url, resource }: OAuthVault,
  challenge: string,
  params: AuthorizationParams,
): string {
  const query = {
    response_type: 'code',
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'read write',
    state: 'its-state',
    resource,
    ...params,
  };
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `${url}/oauth/authorize?${new URLSearchParams(entries as [string, string][]).toString()}`;
}

/** The URL of the consent page. */
export async function openConsent({ url }: OAuthVault, browser: Browser, address: string): Promise<string> {
  const response = await browser.open(address);
  const location = response.headers.get('location') ?? '';
  const prefix = new URL(url).pathname.replace(/\/$/, '');
  expect([response.status, location.replace(/[\w-]+$/, '')]).toEqual([303, `${prefix}/consent/`]);
  return new URL(location, url).href;
}

/** Consents, or denies with null; returns the redirect to the client. */
export async function decideConsent(
  browser: Browser,
  page: string,
  scope: 'read' | 'write' | null = 'write',
): Promise<URL> {
  const decided = await browser.ask(`${page}/decision`, { json: { scope } });
  expect(decided.status).toBe(200);
  const back = await browser.open(((await decided.json()) as { url: string }).url);
  expect(back.status).toBe(303);
  return new URL(back.headers.get('location') ?? '');
}

/** Runs the authorization until the client receives its code. */
export async function codeFor(
  vault: OAuthVault,
  client: string,
  { scope, params = {} }: { scope?: 'read' | 'write'; params?: AuthorizationParams } = {},
): Promise<{ code: string; verifier: string; browser: Browser; back: URL }> {
  const browser = await vault.signedIn();
  const { verifier, challenge } = newVerifier();
  const page = await openConsent(
    vault,
    browser,
    authorizationUrl(vault, challenge, { client_id: client, ...params }),
  );
  const back = await decideConsent(browser, page, scope);
  return { code: back.searchParams.get('code') ?? '', verifier, browser, back };
}

export type Issued = { access_token: string; refresh_token: string; scope: string; expires_in: number };

export async function exchange({ url }: OAuthVault, params: AuthorizationParams): Promise<Response> {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined) as [string, string][];
  return fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(entries) });
}

export async function tokensFor(
  vault: OAuthVault,
  client: string,
  options: Parameters<typeof codeFor>[2] = {},
): Promise<Issued> {
  const { code, verifier } = await codeFor(vault, client, options);
  const response = await exchange(vault, {
    grant_type: 'authorization_code',
    client_id: client,
    code,
    code_verifier: verifier,
    redirect_uri: options.params?.['redirect_uri'] ?? callback,
    resource: vault.resource,
  });
  const issued = (await response.json()) as Issued;
  expect([response.status, issued]).toEqual([200, expect.objectContaining({ token_type: 'Bearer' })]);
  return issued;
}

export async function refresh(
  vault: OAuthVault,
  client: string,
  token: string,
  scope?: string,
): Promise<Response> {
  return exchange(vault, { grant_type: 'refresh_token', client_id: client, refresh_token: token, scope });
}

/** The names of the tools that this token can list, or the status with which it is rejected. */
export async function toolsWith(
  { resource }: { resource: string },
  token: string,
): Promise<string[] | number> {
  const response = await fetch(resource, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  const text = await response.text();
  if (!response.ok) return response.status;
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const { result } = JSON.parse(data) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}
