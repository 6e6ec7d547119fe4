import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backUp, openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startVaultHost } from '../../packages/vault/src/server/index.ts';
import type { VaultHost } from '../../packages/vault/src/server/index.ts';
import { openOAuthStore } from '../../packages/vault/src/server/oauth/oauth-store.ts';
import { runCommand } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { registerClient, tokensFor } from './client.ts';
import { publicVault } from './public-vault.ts';

async function hosted(publicUrl?: string): Promise<VaultHost> {
  const root = temporaryFolder();
  layOut(root, { 'vault/a.md': '# A\n' });
  const host = await startVaultHost({
    vault: join(root, 'vault'),
    state: join(root, 'state'),
    environment: readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: join(root, 'config') }),
    publicUrl,
    log: () => undefined,
    onLeaseLost: () => undefined,
  });
  if (host === null) throw new Error('another process serves it');
  onTestFinished(() => host.close());
  return host;
}

/** Sends a request as a proxy does, with the public Host. */
async function requestAs(host: VaultHost, path: string, name: string, method = 'GET') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    request(new URL(path, host.url), { method, headers: { host: name }, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    })
      .on('error', reject)
      .end();
  });
}

describe('vault with a public URL', () => {
  it('uses it for links, cookies and metadata', async () => {
    const host = await hosted('https://notes.example.org');
    const link = new URL(host.createLoginLink());
    expect(link.origin).toBe('https://notes.example.org');
    const opened = await requestAs(host, `${link.pathname}${link.search}`, 'notes.example.org');
    expect([opened.status, String(opened.headers['set-cookie'])]).toEqual([
      303,
      expect.stringContaining('Secure'),
    ]);
    const refused = await requestAs(host, '/mcp', 'notes.example.org', 'POST');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('https://notes.example.org/.well-known/oauth-protected-resource/mcp'),
    ]);
    expect((await requestAs(host, '/mcp', 'evil.example', 'POST')).status).toBe(403);
    const metadata = '/.well-known/oauth-authorization-server';
    expect((await requestAs(host, metadata, 'notes.example.org')).status).toBe(200);
    expect((await requestAs(host, metadata, 'evil.example')).status).toBe(403);
  });

  it('offers OAuth, unlike a vault without a public URL', async () => {
    const host = await hosted();
    const { host: name } = new URL(host.url);
    expect(host.createLoginLink()).toContain(`${host.url}/open?code=`);
    const refused = await requestAs(host, '/mcp', name, 'POST');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="keepsake"']);
    for (const path of ['/oauth/authorize', '/.well-known/oauth-authorization-server'])
      expect((await requestAs(host, path, name)).status).toBe(401);
  });

  it('requires an https URL without a path', async () => {
    for (const address of [
      'http://notes.example.org',
      'https://notes.example.org/path',
      'notes.example.org',
    ]) {
      const { code, err } = await runCommand(['serve', '--vault', temporaryFolder(), '--public', address]);
      expect([address, code, err]).toEqual([
        address,
        2,
        expect.stringContaining('Expected an https:// origin'),
      ]);
    }
  });
});

it('a backup contains the OAuth grants', async () => {
  const vault = await publicVault({ 'a.md': '# A\n' });
  await tokensFor(vault, await registerClient(vault));
  const root = temporaryFolder();
  await backUp(vault.keepsake, join(root, 'backup'));
  const environment = readEnvironment({ PATH: process.env['PATH'] });
  const restored = await openKeepsake({
    vault: join(root, 'backup', 'vault'),
    state: join(root, 'backup', 'state'),
    environment,
  });
  onTestFinished(async () => void (await restored.close()));
  const [here, there] = [openOAuthStore(vault.keepsake)(), openOAuthStore(restored)()];
  expect(there.listGrants()).toEqual(here.listGrants());
  expect(there.listGrants()).toHaveLength(1);
});
