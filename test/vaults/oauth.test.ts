import { describe, expect, it } from 'vitest';
import { createBrowser } from '../oauth/browser.ts';
import { codeFor, exchange, registered, refresh, tokensFor, toolsWith } from '../oauth/client.ts';
import type { OAuthVault } from '../oauth/client.ts';
import { vaultsServer } from './vaults-server.ts';

/** Two vaults of one server with a public address, each as a program elsewhere sees it. */
async function twoVaults(): Promise<{ url: string; work: OAuthVault; family: OAuthVault }> {
  // Loopback is as good as TLS; the port has to be known before.
  const free = await vaultsServer({});
  const { port } = new URL(free.url);
  await free.close();
  const server = await vaultsServer(
    { work: { 'a.md': '# A\n' }, family: { 'a.md': '# A\n' } },
    { port: Number(port), publicUrl: free.url },
  );
  const operator = createBrowser();
  await operator.open(server.createLink());
  const vaultAt = (name: string): OAuthVault => ({
    url: `${server.url}/v/${name}`,
    resource: `${server.url}/v/${name}/mcp`,
    async signedIn() {
      const made = await operator.ask(`${server.url}/api/vaults/${name}/links`, { method: 'POST' });
      const browser = createBrowser();
      await browser.open(((await made.json()) as { url: string }).url);
      return browser;
    },
  });
  return { url: server.url, work: vaultAt('work'), family: vaultAt('family') };
}

describe('programs elsewhere, where a server has several vaults', () => {
  it('find each vault to be a server of its own', async () => {
    const { url, work } = await twoVaults();
    const refused = await fetch(work.resource, { method: 'POST' });
    const [, metadata = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect([refused.status, metadata]).toEqual([
      401,
      `${url}/.well-known/oauth-protected-resource/v/work/mcp`,
    ]);
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: work.resource,
      authorization_servers: [work.url],
    });
    const described = {
      issuer: work.url,
      authorization_endpoint: `${work.url}/oauth/authorize`,
      token_endpoint: `${work.url}/oauth/token`,
      jwks_uri: `${work.url}/oauth/jwks`,
    };
    for (const address of [
      `${url}/.well-known/oauth-authorization-server/v/work`,
      `${url}/.well-known/openid-configuration/v/work`,
      `${work.url}/.well-known/openid-configuration`,
    ])
      expect(await (await fetch(address)).json()).toMatchObject(described);
  });

  it('are let into the vault that they asked for, and into no other', async () => {
    const { work, family } = await twoVaults();
    const [atWork, atFamily] = [await registered(work), await registered(family)];
    const issued = await tokensFor(work, atWork);
    expect(await toolsWith(work, issued.access_token)).toContain('vault_write');
    for (const path of ['/mcp', '/api/vaults/default/tree']) {
      const asked = await fetch(`${family.url}${path}`, {
        method: path === '/mcp' ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${issued.access_token}`, 'content-type': 'application/json' },
      });
      expect(asked.status).toBe(401);
    }
    // A client, a code and a refresh token of one are nothing to the other.
    expect((await refresh(family, atFamily, issued.refresh_token)).status).toBe(400);
    const { code, verifier } = await codeFor(work, atWork);
    const given = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const redirect_uri = 'http://127.0.0.1:4444/callback';
    expect((await exchange(family, { ...given, redirect_uri, client_id: atFamily })).status).toBe(400);
    expect((await exchange(family, { ...given, redirect_uri, client_id: atWork })).status).toBe(401);
    expect((await exchange(work, { ...given, redirect_uri, client_id: atWork })).status).toBe(200);
  });

  it('are told the vault that they ask for, and cannot ask for that of another', async () => {
    const { work, family } = await twoVaults();
    const client = await registered(work);
    const query = new URLSearchParams({
      client_id: client,
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:4444/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      resource: family.resource,
    });
    const asked = await (await work.signedIn()).open(`${work.url}/oauth/authorize?${query.toString()}`);
    expect(asked.headers.get('location') ?? (await asked.text())).toContain('invalid_target');
    // Whoever is signed in to one vault cannot agree for the other.
    const stranger = await family.signedIn();
    query.set('resource', work.resource);
    const begun = await stranger.open(`${work.url}/oauth/authorize?${query.toString()}`);
    const page = new URL(begun.headers.get('location') ?? '', work.url);
    expect(page.pathname).toMatch(/^\/v\/work\/consent\//);
    expect((await stranger.ask(`${page.href}/request`)).status).toBe(401);
  });
});
