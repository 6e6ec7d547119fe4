import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { findOwnerProcess, resolveStateFolder } from '../../packages/vault/src/app/index.ts';
import { dial, startMultiVaultServer } from '../../packages/vault/src/server/index.ts';
import { createBrowser } from '../oauth/browser.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { vaultsServer } from './vaults-server.ts';
import type { VaultsServer } from './vaults-server.ts';

const patient = { timeout: 60_000, interval: 20 };
const two = { Work: { 'a.md': '# Of work\n' }, 'Mes notes': { 'a.md': '# Of the notes\n' } };

/** Heap size after garbage collection. */
async function heap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < 5; time += 1) {
    collect();
    await new Promise((done) => setTimeout(done, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function ask(server: VaultsServer, path: string, token?: string, init: RequestInit = {}) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${server.url}${path}`, { headers, redirect: 'manual', ...init });
  return { status: response.status, text: await response.text() };
}

const write = (server: VaultsServer, vault: string, token: string, path: string) =>
  ask(server, `/v/${vault}/api/vaults/default/tools/write`, token, {
    method: 'POST',
    body: JSON.stringify({ input: { path, content: 'written\n' } }),
  });

describe('multi-vault server', () => {
  it('opens each vault on demand with its own files, state and tokens', async () => {
    const server = await vaultsServer(two);
    const [work, notes] = [await server.tokenOf('Work'), await server.tokenOf('Mes notes')];
    expect([server.names(), server.activeVaults()]).toEqual([['mes-notes', 'work'], []]);
    const files = '/api/vaults/default/files/a.md';
    expect(await ask(server, `/v/work${files}`, work)).toEqual({ status: 200, text: '# Of work\n' });
    expect(server.activeVaults()).toEqual(['work']);
    expect(await ask(server, `/v/mes-notes${files}`, notes)).toEqual({
      status: 200,
      text: '# Of the notes\n',
    });
    expect((await ask(server, `/v/work${files}`, notes)).status).toBe(401);
    expect((await ask(server, `/v/mes-notes${files}`, work)).status).toBe(401);
    expect((await ask(server, `/v/work/mcp`, notes, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await write(server, 'work', work, 'bucket/new.md')).status).toBe(200);
    expect(existsSync(join(server.folder, 'Work/bucket/new.md'))).toBe(true);
    expect(readdirSync(join(server.folder, 'Mes notes'))).not.toContain('bucket');
    expect((await ask(server, `/v/unknown${files}`, work)).status).toBe(404);
    expect((await ask(server, `/v/work/api/vaults/mes-notes/tree`, work)).status).toBe(404);
  });

  it('holds the owner lease of a vault while it is active and releases the lease when it is suspended', async () => {
    const server = await vaultsServer(two, { idleTimeoutMs: 0 });
    const state = resolveStateFolder({ vault: join(server.folder, 'Work'), environment: server.environment });
    const opening = ask(server, '/v/work/api/health');
    await vi.waitUntil(() => findOwnerProcess(state, Date.now)?.url === `${server.url}/v/work`, patient);
    await opening;
    await vi.waitUntil(() => server.activeVaults().length === 0, patient);
    await vi.waitUntil(() => findOwnerProcess(state, Date.now) === null, patient);
    expect((await ask(server, '/v/work/api/health')).status).toBe(200);
  });

  it('keeps a vault active while a stream is open', async () => {
    const server = await vaultsServer(two, { idleTimeoutMs: 0 });
    const token = await server.tokenOf('Work');
    const ending = new AbortController();
    const { body } = await fetch(`${server.url}/v/work/api/vaults/default/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: ending.signal,
    });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    // Another, unused vault proves that idle vaults were suspended meanwhile.
    await ask(server, '/v/mes-notes/api/health');
    await vi.waitUntil(() => !server.activeVaults().includes('mes-notes'), patient);
    expect(server.activeVaults()).toEqual(['work']);
    await write(server, 'work', token, 'bucket/seen.md');
    let received = '';
    while (!received.includes('bucket/seen.md')) received += (await reader?.read())?.value ?? '';
    ending.abort();
    await vi.waitUntil(() => server.activeVaults().length === 0, patient);
  });

  it('serves a local MCP client and keeps the vault active for it', async () => {
    const server = await vaultsServer(two, { idleTimeoutMs: 1_000 });
    const state = resolveStateFolder({ vault: join(server.folder, 'Work'), environment: server.environment });
    const connection = { connection: 'a-client', isReadOnly: false };
    const found = Promise.withResolvers<NonNullable<Awaited<ReturnType<typeof dial>>>>();
    // The secret changes each time the vault is opened, which may have happened again.
    await vi.waitUntil(async () => {
      await ask(server, '/v/work/api/health');
      const owner = findOwnerProcess(state, Date.now);
      const stream = owner === null ? null : await dial(owner, connection);
      if (stream !== null) found.resolve(stream);
      return stream !== null;
    }, patient);
    const stream = await found.promise;
    await ask(server, '/v/mes-notes/api/health');
    await vi.waitUntil(() => !server.activeVaults().includes('mes-notes'), patient);
    stream.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } })}\n`,
    );
    let received = '';
    for await (const chunk of stream as AsyncIterable<Buffer>)
      if ((received += chunk.toString()).includes('\n')) break;
    expect(JSON.parse(received)).toMatchObject({ id: 1, result: { serverInfo: { name: 'keepsake' } } });
    stream.destroy();
    await vi.waitUntil(() => server.activeVaults().length === 0, patient);
    expect(await dial({ url: `${server.url}/v/work`, secret: 'wrong', pid: 0 }, connection)).toBe(null);
  });

  it('uses almost no memory for suspended vaults', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `vault-${index}`);
    const server = await vaultsServer(Object.fromEntries(names.map((name) => [name, { 'a.md': '# A\n' }])), {
      idleTimeoutMs: 0,
    });
    const tokens = await Promise.all(names.map((name) => server.tokenOf(name)));
    const round = async (): Promise<{ awake: number; asleep: number }> => {
      const ending = new AbortController();
      const streams = names.map((name, index) =>
        fetch(`${server.url}/v/${name}/api/vaults/default/events`, {
          headers: { authorization: `Bearer ${tokens[index]}` },
          signal: ending.signal,
        }),
      );
      await Promise.all(streams);
      expect(server.activeVaults()).toHaveLength(names.length);
      const awake = await heap();
      ending.abort();
      await vi.waitUntil(() => server.activeVaults().length === 0, patient);
      return { awake, asleep: await heap() };
    };
    // Modules loaded by the first vault stay in memory.
    const first = await round();
    const { awake, asleep } = await round();
    const perVault = (bytes: number): string => `${Math.round(bytes / names.length / 1_000)} kB`;
    console.log(
      `memory of a vault: ${perVault(awake - asleep)} more awake than asleep; asleep after being awake once more: ${perVault(asleep - first.asleep)} more than before`,
    );
    expect(asleep).toBeLessThan(awake);
  });

  it('rejects cross-origin requests without opening the vault', async () => {
    const server = await vaultsServer(two);
    const status = await new Promise<number>((resolve, reject) => {
      request(`${server.url}/v/work/api/health`, { headers: { host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
    expect([status, server.activeVaults()]).toEqual([403, []]);
  });

  it('lists the vaults for the user who started the server, with links to open them', async () => {
    const server = await vaultsServer(two);
    const [browser, stranger] = [createBrowser(), createBrowser()];
    const link = server.createLoginLink();
    // Link previews send HEAD.
    const preview = await fetch(link, { method: 'HEAD', redirect: 'manual' });
    expect(preview.headers.get('set-cookie')).toBeNull();
    expect((await browser.open(link)).status).toBe(303);
    const listed = await browser.ask(`${server.url}/api/vaults`);
    expect(await listed.json()).toEqual({ vaults: ['mes-notes', 'work'] });
    expect((await stranger.ask(`${server.url}/api/vaults`)).status).toBe(401);
    const links = `${server.url}/api/vaults/work/links`;
    expect((await stranger.ask(links, { method: 'POST' })).status).toBe(401);
    expect(server.activeVaults()).toEqual([]);
    const made = await browser.ask(links, { method: 'POST' });
    const { url } = (await made.json()) as { url: string };
    expect(url).toMatch(`${server.url}/v/work/open?code=`);
    const opened = await browser.open(url);
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/v/work/']);
    expect(opened.headers.get('set-cookie')).toContain('Path=/v/work/');
    const tree = '/api/vaults/default/tree';
    expect((await browser.ask(`${server.url}/v/work${tree}`)).status).toBe(200);
    expect((await browser.ask(`${server.url}/v/mes-notes${tree}`)).status).toBe(401);
    expect((await browser.ask(`${server.url}/api/vaults/unknown/links`, { method: 'POST' })).status).toBe(
      404,
    );
  });

  it('fails to start on duplicate vault names or a missing folder', async () => {
    const folder = temporaryFolder();
    layOut(folder, { 'A b/.keepsake/vault.json': '{}', 'a-b/.keepsake/vault.json': '{}', 'plain/a.md': '' });
    const { environment } = await vaultsServer({});
    const start = (of: string) => startMultiVaultServer({ folder: of, environment, log: () => undefined });
    await expect(start(folder)).rejects.toThrow('the same URL /v/a-b/');
    await expect(start(join(folder, 'missing'))).rejects.toThrow('cannot be read');
  });
});
