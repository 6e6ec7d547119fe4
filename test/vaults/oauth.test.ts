import { describe, expect, it } from 'vitest';
import { createBrowser } from '../oauth/browser.ts';
import { codeFor, exchange, registerClient, refresh, tokensFor, toolsWith } from '../oauth/client.ts';
import type { OAuthVault } from '../oauth/client.ts';
import { vaultsServer } from './vaults-server.ts';

/** Two vaults of one public server, each as a remote application sees it. */
async function twoVaults(): Promise<{ url: string; work: OAuthVault; family: OAuthVault }> {
  // Loopback is accepted in place of TLS; the port must be known in advance.
  const free = await vaultsServer({});
  const { port } = new URL(free.url);
  await free.close();
  const server = await vaultsServer(
    { work: { 'a.md': '# A\n' }, family: { 'a.md': '# A\n' } },
    { port: Number(port), publicUrl: free.url },
  );
  const operator = createBrowser();
  await operator.open(server.createLoginLink());
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

describe('remote application on a multi-vault server', () => {
  it('discovers each vault as a separate server', async () => {
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

  it('gets access only to the vault it asked for', async () => {
    const { work, family } = await twoVaults();
    const [atWork, atFamily] = [await registerClient(work), await registerClient(family)];
    const issued = await tokensFor(work, atWork);
    expect(await toolsWith(work, issued.access_token)).toContain('vault_write');
    for (const path of ['/mcp', '/api/vaults/default/tree']) {
      const response = await fetch(`${family.url}${path}`, {
        method: path === '/mcp' ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${issued.access_token}`, 'content-type': 'application/json' },
      });
      expect(response.status).toBe(401);
    }
    // A client, code or refresh token of one vault is unknown to the other.
    expect((await refresh(family, atFamily, issued.refresh_token)).status).toBe(400);
    const { code, verifier } = await codeFor(work, atWork);
    const params = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const redirect_uri = 'http://127.0.0.1:4444/callback';
    expect((await exchange(family, { ...params, redirect_uri, client_id: atFamily })).status).toBe(400);
    expect((await exchange(family, { ...params, redirect_uri, client_id: atWork })).status).toBe(401);
    expect((await exchange(work, { ...params, redirect_uri, client_id: atWork })).status).toBe(200);
  });

  it('cannot request another vault, or get consent from a user who is signed in to another', async () => {
    const { work, family } = await twoVaults();
    const client = await registerClient(work);
    const query = new URLSearchParams({
      client_id: client,
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:4444/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      resource: family.resource,
    });
    const response = await (await work.signedIn()).open(`${work.url}/oauth/authorize?${query.toString()}`);
    expect(response.headers.get('location') ?? (await response.text())).toContain('invalid_target');
    // A user signed in to one vault cannot consent for the other.
    const stranger = await family.signedIn();
    query.set('resource', work.resource);
    const begun = await stranger.open(`${work.url}/oauth/authorize?${query.toString()}`);
    const page = new URL(begun.headers.get('location') ?? '', work.url);
    expect(page.pathname).toMatch(/^\/v\/work\/consent\//);
    expect((await stranger.ask(`${page.href}/request`)).status).toBe(401);
  });
});
