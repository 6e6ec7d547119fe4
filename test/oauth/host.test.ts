import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backUp, openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startHost } from '../../packages/vault/src/server/index.ts';
import type { Host } from '../../packages/vault/src/server/index.ts';
import { openRecords } from '../../packages/vault/src/server/oauth/records.ts';
import { runCommand } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { registered, tokensFor } from './client.ts';
import { publicVault } from './public-vault.ts';

async function hosted(publicUrl?: string): Promise<Host> {
  const root = temporaryFolder();
  layOut(root, { 'vault/a.md': '# A\n' });
  const host = await startHost({
    vault: join(root, 'vault'),
    state: join(root, 'state'),
    environment: readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: join(root, 'config') }),
    publicUrl,
    log: () => undefined,
    onLost: () => undefined,
  });
  if (host === null) throw new Error('somebody else serves it');
  onTestFinished(() => host.close());
  return host;
}

/** As a proxy asks, with the name under which it was asked. */
async function asked(host: Host, path: string, name: string, method = 'GET') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    request(new URL(path, host.url), { method, headers: { host: name } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    })
      .on('error', reject)
      .end();
  });
}

describe('a vault with a public address', () => {
  it('is known under it: its links, its cookies, and what programs are told', async () => {
    const host = await hosted('https://notes.example.org');
    const link = new URL(host.createLink());
    expect(link.origin).toBe('https://notes.example.org');
    const opened = await asked(host, `${link.pathname}${link.search}`, 'notes.example.org');
    expect([opened.status, String(opened.headers['set-cookie'])]).toEqual([
      303,
      expect.stringContaining('Secure'),
    ]);
    const refused = await asked(host, '/mcp', 'notes.example.org', 'POST');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('https://notes.example.org/.well-known/oauth-protected-resource/mcp'),
    ]);
    expect((await asked(host, '/mcp', 'evil.example', 'POST')).status).toBe(403);
    const metadata = '/.well-known/oauth-authorization-server';
    expect((await asked(host, metadata, 'notes.example.org')).status).toBe(200);
    expect((await asked(host, metadata, 'evil.example')).status).toBe(403);
  });

  it('is otherwise as it always was', async () => {
    const host = await hosted();
    const { host: name } = new URL(host.url);
    expect(host.createLink()).toContain(`${host.url}/open?code=`);
    const refused = await asked(host, '/mcp', name, 'POST');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="keepsake"']);
    for (const path of ['/oauth/authorize', '/.well-known/oauth-authorization-server'])
      expect((await asked(host, path, name)).status).toBe(401);
  });

  it('is given by its name over TLS, and nothing else', async () => {
    for (const address of [
      'http://notes.example.org',
      'https://notes.example.org/path',
      'notes.example.org',
    ]) {
      const { code, err } = await runCommand(['serve', '--vault', temporaryFolder(), '--public', address]);
      expect([address, code, err]).toEqual([address, 2, expect.stringContaining('It must be https://')]);
    }
  });
});

it('a backup has the grants, and what was issued for them', async () => {
  const vault = await publicVault({ 'a.md': '# A\n' });
  await tokensFor(vault, await registered(vault));
  const root = temporaryFolder();
  await backUp(vault.keepsake, join(root, 'backup'));
  const environment = readEnvironment({ PATH: process.env['PATH'] });
  const restored = await openKeepsake({
    vault: join(root, 'backup', 'vault'),
    state: join(root, 'backup', 'state'),
    environment,
  });
  onTestFinished(async () => void (await restored.close()));
  const [here, there] = [openRecords(vault.keepsake)(), openRecords(restored)()];
  expect(there.grants()).toEqual(here.grants());
  expect(there.grants()).toHaveLength(1);
});
