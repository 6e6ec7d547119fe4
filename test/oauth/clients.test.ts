import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, textOf } from '../mcp/clients.ts';
import type { OAuthOptions } from '../../packages/vault/src/server/oauth/oauth.ts';
import { createBrowser } from './browser.ts';
import {
  authorizationUrl,
  decideConsent,
  callback,
  exchange,
  openConsent,
  newVerifier,
  registerClient,
} from './client.ts';
import { publicVault } from './public-vault.ts';
import type { PublicVault } from './public-vault.ts';
import { connectAs, createClientProvider } from './sdk-client.ts';

const published = 'https://app.example.org/oauth/client.json';
const metadata = {
  client_id: published,
  client_name: 'An app',
  redirect_uris: [callback],
  token_endpoint_auth_method: 'none',
};

/** A fetch that serves only this document. */
const web = (document: object): OAuthOptions['fetch'] => {
  return async (url) => (url === published ? Response.json(document) : new Response(null, { status: 404 }));
};

it('the name that a client registered is shown on one line, without invisible characters, and shortened', async () => {
  const vault = await publicVault();
  const shownName = async (client_name: string): Promise<string> => {
    const client_id = await registerClient(vault, { client_name, redirect_uris: [callback] });
    const browser = await vault.signedIn();
    const page = await openConsent(
      vault,
      browser,
      authorizationUrl(vault, newVerifier().challenge, { client_id }),
    );
    const { client } = (await (await browser.ask(`${page}/request`)).json()) as { client: { name: string } };
    return client.name;
  };
  expect(await shownName('Claude\u202E\n\n  Code')).toBe(String.raw`Claude\u{202e} Code`);
  expect(await shownName(`Claude${' '.repeat(5_000)}(verified)`)).toBe('Claude (verified)');
  expect(await shownName('x'.repeat(500))).toBe(`${'x'.repeat(80)}…`);
});

describe('MCP SDK client', () => {
  it.each([
    { way: 'registers', by: undefined },
    { way: 'publishes its metadata', by: published },
  ])('$way, gets consent, reads and writes, and refreshes an expired token', async ({ by }) => {
    const vault = await publicVault({ 'a.md': '# A\nhello\n' }, { fetch: web(metadata) });
    const provider = createClientProvider(by);
    await expect(connectAs(vault, provider)).rejects.toThrow(UnauthorizedError);
    const browser = await vault.signedIn();
    const page = await openConsent(vault, browser, String(provider.authorizationUrl));
    const shown = (await (await browser.ask(`${page}/request`)).json()) as object;
    const site = by === undefined ? null : 'app.example.org';
    expect(shown).toEqual({ client: { name: 'An app', site }, returnsTo: 'localhost', scope: 'write' });
    const back = await decideConsent(browser, page);
    const transport = new StreamableHTTPClientTransport(new URL(vault.resource), { authProvider: provider });
    await transport.finishAuth(back.searchParams);
    const client = await connectAs(vault, provider);
    expect(textOf(await call(client, 'vault_read', { paths: 'a.md' }))).toContain('hello');
    const written = await call(client, 'vault_write', { path: 'b.md', content: 'new\n' });
    expect(written.isError ?? false).toBe(false);
    provider.expire();
    const later = await connectAs(vault, provider);
    expect(textOf(await call(later, 'vault_read', { paths: 'b.md' }))).toContain('new');
    const [change] = vault.keepsake.changes.list({ limit: 1 });
    expect(change).toMatchObject({ paths: expect.arrayContaining(['vault/b.md']) });
    expect(vault.oauth.grants(null)).toEqual([expect.objectContaining({ site, scope: 'write' })]);
  });
});

describe('client metadata document', () => {
  const answer = async (vault: PublicVault, client_id: string): Promise<string> => {
    const address = authorizationUrl(vault, newVerifier().challenge, { client_id });
    const response = await createBrowser().open(address);
    if (response.headers.get('location')?.startsWith('/consent/') === true) return 'asks the person';
    return `${response.status} ${(await response.text()).split(':')[0]}`;
  };

  it('is accepted only if it is valid and its client_id is its own URL', async () => {
    expect(await answer(await publicVault({}, { fetch: web(metadata) }), published)).toBe('asks the person');
    for (const wrong of [
      { ...metadata, client_id: 'https://app.example.org/other.json' },
      { ...metadata, client_secret: 'secret' },
      { ...metadata, redirect_uris: ['https://evil.example/callback'] },
      { ...metadata, redirect_uris: undefined },
      { ...metadata, more: 'x'.repeat(6_000) },
      [metadata],
    ])
      expect(await answer(await publicVault({}, { fetch: web(wrong) }), published)).toMatch(
        /^40[01] invalid/,
      );
  });

  it('is fetched only from public domain names and without redirects', async () => {
    const fetches: { url: string; redirect: unknown; hasSignal: boolean }[] = [];
    const vault = await publicVault(
      {},
      {
        async fetch(url, init) {
          fetches.push({
            url,
            redirect: init.redirect,
            hasSignal: init.signal instanceof AbortSignal,
          });
          return Response.redirect('https://127.0.0.1/client.json');
        },
      },
    );
    for (const address of [
      'http://app.example.org/client.json',
      'https://app.example.org',
      'https://app.example.org:8443/client.json',
      'https://user@app.example.org/client.json',
      'https://127.0.0.1/client.json',
      'https://2130706433/client.json',
      'https://0x7f.1/client.json',
      'https://[::1]/client.json',
      'https://[::ffff:7f00:1]/client.json',
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/client.json',
      'https://intranet/client.json',
      'https://app.example.org/../client.json',
      'https://app.example.org/client.json#part',
    ])
      expect([address, await answer(vault, address)]).toEqual([
        address,
        expect.stringMatching(/^40[01] invalid/),
      ]);
    expect(fetches).toEqual([]);
    // Redirects are not followed.
    expect(await answer(vault, published)).toMatch(/^40[01] invalid/);
    expect(fetches.length).toBeGreaterThan(0);
    for (const each of fetches) expect(each).toEqual({ url: published, redirect: 'manual', hasSignal: true });
  });

  it('is not fetched from a private address behind a public name', async () => {
    let requests = 0;
    const inside = createServer((_, response) => {
      requests += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
    });
    inside.listen(0, '127.0.0.1');
    await once(inside, 'listening');
    onTestFinished(() => {
      inside.close();
      inside.closeAllConnections();
    });
    const { port } = inside.address() as AddressInfo;
    // Simulates a name that resolves to it.
    const there = `http://localhost:${port}/`;
    const named = await publicVault({}, { fetch: (_, init) => fetch(there, init) });
    expect(await answer(named, published)).toMatch(/^40[01] invalid/);
    expect(requests).toBe(0);
    const unchecked = await publicVault({}, { fetch: () => fetch(there) });
    expect(await answer(unchecked, published)).toBe('asks the person');
    expect(requests).toBe(1);
  });
});

describe('unauthenticated callers', () => {
  const program = { client_name: 'A program', redirect_uris: [callback] };
  const registerFrom = async ({ url }: PublicVault, address: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const init = { method: 'POST', headers, body: JSON.stringify(program) };
    return (await fetch(`${url}/oauth/register`, init)).status;
  };

  it('register a limited number of clients per address', async () => {
    const vault = await publicVault();
    const statuses: number[] = [];
    for (let made = 0; made < 60; made += 1) statuses.push(await registerFrom(vault, '203.0.113.1'));
    expect(statuses.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 201));
    expect(statuses.slice(50)).toContain(429);
    expect(await registerFrom(vault, '203.0.113.2')).toBe(201);
  });

  it('authenticate only with assertions that expire within five minutes', async () => {
    const vault = await publicVault();
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'ES256', use: 'sig' };
    const client = await registerClient(vault, {
      ...program,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk] },
    });
    const tokenWith = async (lifetime: number): Promise<string> => {
      const assertion = await new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'key' })
        .setIssuer(client)
        .setSubject(client)
        .setAudience(vault.url)
        .setExpirationTime(Math.floor(Date.now() / 1_000) + lifetime)
        .sign(privateKey);
      const response = await exchange(vault, {
        grant_type: 'refresh_token',
        refresh_token: 'none',
        client_id: client,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      });
      return `${response.status} ${((await response.json()) as { error: string }).error}`;
    };
    expect(await tokenWith(300)).toBe('400 invalid_grant');
    expect(await tokenWith(360)).toBe('401 invalid_client');
    const { durable } = vault.keepsake.state.databases();
    const rows = durable.prepare(`select until from oauth where model = 'ReplayDetection'`).all();
    expect(rows).toHaveLength(1);
  });
});
