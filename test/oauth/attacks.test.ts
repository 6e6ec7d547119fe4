import { generateKeyPair, importJWK, SignJWT, decodeJwt, exportJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { openTokens } from '../../packages/vault/src/server/index.ts';
import { openOAuthStore } from '../../packages/vault/src/server/oauth/oauth-store.ts';
import { createBrowser } from './browser.ts';
import {
  authorizationUrl,
  decideConsent,
  callback,
  codeFor,
  openConsent,
  exchange,
  newVerifier,
  refresh,
  register,
  registerClient,
  tokensFor,
  toolsWith,
} from './client.ts';
import type { Issued } from './client.ts';
import { publicVault } from './public-vault.ts';
import type { PublicVault } from './public-vault.ts';

/** The immediate response of the authorization server, before consent: an error redirect to the client, or an error page. */
async function immediateResponse(
  vault: PublicVault,
  params: Record<string, string | undefined>,
): Promise<string> {
  const address = authorizationUrl(vault, newVerifier().challenge, params);
  const response = await createBrowser().open(address);
  const location = response.headers.get('location') ?? '';
  if (location.startsWith('/consent/')) return 'asks the person';
  if (location === '') return `${response.status} ${(await response.text()).split(':')[0]}`;
  const { host, searchParams, hash } = new URL(location);
  return `tells ${host} ${searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')}`;
}

async function errorOf(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as { error: string }).error}`;
}

describe('authorization code', () => {
  it('is single-use, and reuse revokes the tokens issued for it', async () => {
    const vault = await publicVault();
    const client = await registerClient(vault);
    const { code, verifier } = await codeFor(vault, client);
    const shown = { grant_type: 'authorization_code', client_id: client, code, code_verifier: verifier };
    const first = await exchange(vault, { ...shown, redirect_uri: callback });
    const issued = (await first.json()) as Issued;
    expect(await toolsWith(vault, issued.access_token)).toContain('vault_read');
    expect(await errorOf(await exchange(vault, { ...shown, redirect_uri: callback }))).toBe(
      '400 invalid_grant',
    );
    expect(await toolsWith(vault, issued.access_token)).toBe(401);
    expect(await errorOf(await refresh(vault, client, issued.refresh_token))).toBe('400 invalid_grant');
    expect(vault.oauth.grants(null)).toEqual([]);
  });

  it('is redeemed once under concurrency', async () => {
    const vault = await publicVault();
    const client = await registerClient(vault);
    const { code, verifier } = await codeFor(vault, client);
    const shown = { grant_type: 'authorization_code', client_id: client, code, code_verifier: verifier };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => exchange(vault, { ...shown, redirect_uri: callback })),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('is bound to the PKCE verifier, the client and the redirect URI', async () => {
    const vault = await publicVault();
    const [client, other] = [await registerClient(vault), await registerClient(vault)];
    const tries = [
      { code_verifier: undefined },
      { code_verifier: newVerifier().verifier },
      { client_id: other },
      { redirect_uri: 'http://127.0.0.1:4444/elsewhere' },
      { resource: `${vault.url}/other` },
    ];
    for (const wrong of tries) {
      const { code, verifier } = await codeFor(vault, client);
      const right = { grant_type: 'authorization_code', client_id: client, code, code_verifier: verifier };
      const response = await exchange(vault, { ...right, redirect_uri: callback, ...wrong });
      expect([wrong, await errorOf(response)]).toEqual([
        wrong,
        expect.stringMatching(/^400 (invalid_grant|invalid_target|invalid_request)$/),
      ]);
    }
  });
});

describe('authorization request', () => {
  it('is rejected without an S256 challenge, for another resource or with another response type', async () => {
    const vault = await publicVault();
    const client_id = await registerClient(vault);
    expect(await immediateResponse(vault, { client_id })).toBe('asks the person');
    for (const wrong of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { resource: 'https://notes.example.org/mcp' },
      { resource: `${vault.url}/mcp/` },
      { resource: `${vault.url}/api/vaults/default` },
      { response_type: 'token' },
      { response_type: 'code id_token' },
      { response_mode: 'web_message' },
      { prompt: 'none' },
    ])
      expect([wrong, await immediateResponse(vault, { client_id, ...wrong })]).toEqual([
        wrong,
        expect.stringMatching(/^tells 127\.0\.0\.1:4444 (invalid|unsupported|unauthorized|consent|unmet)/),
      ]);
  });

  it('redirects only to registered URIs', async () => {
    const vault = await publicVault();
    const known = 'https://app.example.org/callback';
    const client_id = await registerClient(vault, { client_name: 'App', redirect_uris: [known, callback] });
    expect(await immediateResponse(vault, { client_id, redirect_uri: known })).toBe('asks the person');
    // A local application cannot know its port in advance; nothing else may differ.
    expect(
      await immediateResponse(vault, { client_id, redirect_uri: 'http://127.0.0.1:50123/callback' }),
    ).toBe('asks the person');
    for (const redirect_uri of [
      `${known}/more`,
      `${known}?more=1`,
      `${known}#part`,
      'https://app.example.org/callback/../other',
      'https://app.example.org.evil.example/callback',
      'https://app.example.org@evil.example/callback',
      'https://user@app.example.org/callback',
      'https://app.example.org:8443/callback',
      'http://app.example.org/callback',
      'https://evil.example/callback',
      'http://127.0.0.1:4444/other',
      'http://localhost:4444/callback',
      'http://127.0.0.1.evil.example:4444/callback',
      'http://user@127.0.0.1:4444/callback',
      'javascript:alert(1)',
      '//evil.example/callback',
    ])
      expect([redirect_uri, await immediateResponse(vault, { client_id, redirect_uri })]).toEqual([
        redirect_uri,
        expect.stringMatching(/^400 invalid_/),
      ]);
  });

  it('is not possible for a client with an insecure redirect URI', async () => {
    const vault = await publicVault();
    for (const uri of [
      'http://app.example.org/callback',
      'https://app.example.org/callback#part',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://localhost/callback',
    ]) {
      const refused = await register(vault, {
        client_name: 'App',
        redirect_uris: [uri],
        application_type: 'web',
      });
      expect([uri, await errorOf(refused)]).toEqual([uri, expect.stringMatching(/^400 invalid_/)]);
    }
    expect(await errorOf(await register(vault, { client_name: 'App' }))).toMatch(/^400 invalid_/);
  });
});

describe('consent', () => {
  it('requires the signed-in user, the same browser and a same-origin page', async () => {
    const vault = await publicVault();
    const client = await registerClient(vault, {
      client_name: 'A program',
      redirect_uris: ['https://app.example.org/back'],
    });
    const params = { client_id: client, redirect_uri: 'https://app.example.org/back' };
    const address = authorizationUrl(vault, newVerifier().challenge, params);
    const [own, stranger] = [await vault.signedIn(), createBrowser()];
    const yes = { json: { scope: 'write' } };
    // A user who is not signed in.
    const theirs = await openConsent(vault, stranger, address);
    expect((await stranger.ask(`${theirs}/request`)).status).toBe(401);
    expect((await stranger.ask(`${theirs}/decision`, yes)).status).toBe(401);
    // The signed-in user, led to a request that an attacker started: consent would go to the attacker.
    expect((await own.ask(`${theirs}/request`)).status).toBe(404);
    expect((await own.ask(`${theirs}/decision`, yes)).status).toBe(404);
    const page = await openConsent(vault, own, address);
    expect(await (await own.ask(`${page}/request`)).json()).toEqual({
      client: { name: 'A program', site: null },
      returnsTo: 'app.example.org',
      scope: 'write',
    });
    // Another site in the same browser.
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ] as Record<string, string>[])
      expect((await own.ask(`${page}/decision`, { ...yes, headers })).status).toBe(403);
    // A form on another site, which a browser sends without a preflight.
    const form = { ...yes, headers: { 'content-type': 'text/plain' } };
    expect((await own.ask(`${page}/decision`, form)).status).toBeGreaterThanOrEqual(400);
    // A client with a write token.
    const { secret } = openTokens(vault.keepsake)().create('a program', 'write');
    const headers = { authorization: `Bearer ${secret}` };
    expect((await own.ask(`${page}/decision`, { ...yes, headers })).status).toBe(403);
    expect(vault.oauth.grants(null)).toEqual([]);
    expect((await decideConsent(own, page, null)).searchParams.get('error')).toBe('access_denied');
    // It cannot be resolved twice.
    expect((await own.ask(`${page}/decision`, yes)).status).toBe(404);
    expect(vault.oauth.grants(null)).toEqual([]);
  });

  it('grants no more than the requested scope', async () => {
    const vault = await publicVault();
    const issued = await tokensFor(vault, await registerClient(vault), {
      params: { scope: 'read' },
      scope: 'write',
    });
    expect(issued.scope).toBe('read');
    expect(await toolsWith(vault, issued.access_token)).not.toContain('vault_write');
  });
});

describe('access token', () => {
  it('is accepted only by /mcp', async () => {
    const vault = await publicVault({ 'a.md': '# A\n' });
    const { access_token: token } = await tokensFor(vault, await registerClient(vault));
    const headers = { authorization: `Bearer ${token}` };
    for (const path of [
      '/api/vaults/default/tree',
      '/api/vaults/default/grants',
      '/api/vaults/default/tokens',
    ])
      expect((await fetch(`${vault.url}${path}`, { headers })).status).toBe(401);
    expect((await fetch(`${vault.url}/api/vaults/default/links`, { method: 'POST', headers })).status).toBe(
      401,
    );
  });

  it('is rejected from another vault or issuer, for another audience, or if modified', async () => {
    const [vault, other] = [await publicVault(), await publicVault()];
    const { access_token: token } = await tokensFor(vault, await registerClient(vault));
    expect(await toolsWith(vault, token)).toContain('vault_read');
    expect(await toolsWith(other, token)).toBe(401);
    const own = await openOAuthStore(vault.keepsake)().getOrCreateKey('signing', async () => ({}));
    const key = await importJWK(own, 'ES256');
    const originalClaims = decodeJwt(token);
    const sign = (claims: object, header: object = {}, by = key): Promise<string> =>
      new SignJWT({ ...originalClaims, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
        .sign(by);
    expect(await toolsWith(vault, await sign({}))).toContain('vault_read');
    const stranger = await generateKeyPair('ES256');
    const past = Math.floor(Date.now() / 1_000) - 60;
    for (const forged of [
      await sign({ aud: other.resource }),
      await sign({ aud: [vault.resource, other.resource] }),
      await sign({ aud: vault.url }),
      await sign({ iss: other.url }),
      await sign({ iss: `${vault.url}/` }),
      await sign({ exp: past }),
      await sign({ exp: undefined }),
      await sign({ scope: 'openid' }),
      await sign({ grant: 'another' }),
      await sign({ grant: undefined }),
      await sign({}, { typ: 'JWT' }),
      await sign({}, {}, stranger.privateKey),
      await sign({}, { jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
      `${token.split('.').slice(0, 2).join('.')}.`,
      `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${token.split('.')[1]}.`,
    ])
      expect([decodeJwt(forged), await toolsWith(vault, forged)]).toEqual([decodeJwt(forged), 401]);
  });

  it('is revoked with its grant, closing its streams', async () => {
    const vault = await publicVault();
    const issued = await tokensFor(vault, await registerClient(vault));
    const listening = await fetch(vault.resource, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${issued.access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
          notifications: { resourcesListChanged: true },
        },
      }),
    });
    expect([listening.status, listening.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const browser = await vault.signedIn();
    const grants = `${vault.url}/api/vaults/default/grants`;
    const { grants: listed } = (await (await browser.ask(grants)).json()) as { grants: { id: string }[] };
    expect(listed).toEqual([expect.objectContaining({ name: 'A program', scope: 'write' })]);
    expect((await browser.ask(`${grants}/${listed[0]?.id}`, { method: 'DELETE' })).status).toBe(204);
    for await (const _ of listening.body!);
    expect(await toolsWith(vault, issued.access_token)).toBe(401);
  });
});

describe('refresh token', () => {
  it('is single-use, and reuse revokes everything issued from it', async () => {
    const vault = await publicVault();
    const client = await registerClient(vault);
    const first = await tokensFor(vault, client);
    const second = (await (await refresh(vault, client, first.refresh_token)).json()) as Issued;
    expect(await toolsWith(vault, second.access_token)).toContain('vault_read');
    expect(await errorOf(await refresh(vault, client, first.refresh_token))).toBe('400 invalid_grant');
    expect(await errorOf(await refresh(vault, client, second.refresh_token))).toBe('400 invalid_grant');
    for (const { access_token } of [first, second]) expect(await toolsWith(vault, access_token)).toBe(401);
  });

  it('is bound to its client, scope and resource', async () => {
    const vault = await publicVault();
    const [client, other] = [await registerClient(vault), await registerClient(vault)];
    const issued = await tokensFor(vault, client, { scope: 'read' });
    expect(await errorOf(await refresh(vault, other, issued.refresh_token))).toBe('400 invalid_grant');
    expect(await errorOf(await refresh(vault, client, issued.refresh_token, 'read write'))).toBe(
      '400 invalid_scope',
    );
    const elsewhere = { grant_type: 'refresh_token', client_id: client, refresh_token: issued.refresh_token };
    expect(await errorOf(await exchange(vault, { ...elsewhere, resource: `${vault.url}/other` }))).toBe(
      '400 invalid_target',
    );
  });

  it('can be revoked by its client', async () => {
    const vault = await publicVault();
    const client = await registerClient(vault);
    const issued = await tokensFor(vault, client);
    const body = new URLSearchParams({ client_id: client, token: issued.refresh_token });
    expect((await fetch(`${vault.url}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
    expect(await errorOf(await refresh(vault, client, issued.refresh_token))).toBe('400 invalid_grant');
    expect(await toolsWith(vault, issued.access_token)).toBe(401);
  });

  it('is stored as a hash', async () => {
    const vault = await publicVault();
    const issued = await tokensFor(vault, await registerClient(vault));
    const { durable } = vault.keepsake.state.databases();
    const rows = durable.prepare('select id, payload from oauth').all();
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toContain(issued.refresh_token);
  });
});
