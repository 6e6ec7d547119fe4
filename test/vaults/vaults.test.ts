import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { findOwner, stateFolderFor } from '../../packages/vault/src/app/index.ts';
import { dial, startVaults } from '../../packages/vault/src/server/index.ts';
import { createBrowser } from '../oauth/browser.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { vaultsServer } from './vaults-server.ts';
import type { VaultsServer } from './vaults-server.ts';

const patient = { timeout: 60_000, interval: 20 };
const two = { Work: { 'a.md': '# Of work\n' }, 'Mes notes': { 'a.md': '# Of the notes\n' } };

/** In use after everything was collected that can be. */
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

describe('several vaults on one port', () => {
  it('are opened when they are asked for, each with its own files, state and tokens', async () => {
    const server = await vaultsServer(two);
    const [work, notes] = [await server.tokenOf('Work'), await server.tokenOf('Mes notes')];
    expect([server.names(), server.awake()]).toEqual([['mes-notes', 'work'], []]);
    const files = '/api/vaults/default/files/a.md';
    expect(await ask(server, `/v/work${files}`, work)).toEqual({ status: 200, text: '# Of work\n' });
    expect(server.awake()).toEqual(['work']);
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
    expect((await ask(server, `/v/nobody${files}`, work)).status).toBe(404);
    expect((await ask(server, `/v/work/api/vaults/mes-notes/tree`, work)).status).toBe(404);
  });

  it('are served by this process for every other one, and by nobody while they sleep', async () => {
    const server = await vaultsServer(two, { idleAfter: 0 });
    const state = stateFolderFor({ vault: join(server.folder, 'Work'), environment: server.environment });
    const opening = ask(server, '/v/work/api/health');
    await vi.waitUntil(() => findOwner(state, Date.now)?.url === `${server.url}/v/work`, patient);
    await opening;
    await vi.waitUntil(() => server.awake().length === 0, patient);
    await vi.waitUntil(() => findOwner(state, Date.now) === null, patient);
    expect((await ask(server, '/v/work/api/health')).status).toBe(200);
  });

  it('do not sleep under a stream', async () => {
    const server = await vaultsServer(two, { idleAfter: 0 });
    const token = await server.tokenOf('Work');
    const ending = new AbortController();
    const { body } = await fetch(`${server.url}/v/work/api/vaults/default/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: ending.signal,
    });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    // Another one that nobody holds shows that there were looks at who may sleep.
    await ask(server, '/v/mes-notes/api/health');
    await vi.waitUntil(() => !server.awake().includes('mes-notes'), patient);
    expect(server.awake()).toEqual(['work']);
    await write(server, 'work', token, 'bucket/seen.md');
    let told = '';
    while (!told.includes('bucket/seen.md')) told += (await reader?.read())?.value ?? '';
    ending.abort();
    await vi.waitUntil(() => server.awake().length === 0, patient);
  });

  it('give a connection to an MCP client of this machine, and do not sleep under it', async () => {
    const server = await vaultsServer(two, { idleAfter: 1_000 });
    const state = stateFolderFor({ vault: join(server.folder, 'Work'), environment: server.environment });
    const connection = { connection: 'a-client', isReadOnly: false };
    const found = Promise.withResolvers<NonNullable<Awaited<ReturnType<typeof dial>>>>();
    // Its secret is new each time it wakes, which it may have done again by then.
    await vi.waitUntil(async () => {
      await ask(server, '/v/work/api/health');
      const owner = findOwner(state, Date.now);
      const stream = owner === null ? null : await dial(owner, connection);
      if (stream !== null) found.resolve(stream);
      return stream !== null;
    }, patient);
    const stream = await found.promise;
    await ask(server, '/v/mes-notes/api/health');
    await vi.waitUntil(() => !server.awake().includes('mes-notes'), patient);
    stream.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } })}\n`,
    );
    let said = '';
    for await (const chunk of stream as AsyncIterable<Buffer>)
      if ((said += chunk.toString()).includes('\n')) break;
    expect(JSON.parse(said)).toMatchObject({ id: 1, result: { serverInfo: { name: 'keepsake' } } });
    stream.destroy();
    await vi.waitUntil(() => server.awake().length === 0, patient);
    expect(await dial({ url: `${server.url}/v/work`, secret: 'wrong', pid: 0 }, connection)).toBe(null);
  });

  it('cost next to nothing while they sleep', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `vault-${index}`);
    const server = await vaultsServer(Object.fromEntries(names.map((name) => [name, { 'a.md': '# A\n' }])), {
      idleAfter: 0,
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
      expect(server.awake()).toHaveLength(names.length);
      const awake = await heap();
      ending.abort();
      await vi.waitUntil(() => server.awake().length === 0, patient);
      return { awake, asleep: await heap() };
    };
    // What the first one loads stays.
    const first = await round();
    const { awake, asleep } = await round();
    const perVault = (bytes: number): string => `${Math.round(bytes / names.length / 1_000)} kB`;
    console.log(
      `memory of a vault: ${perVault(awake - asleep)} more awake than asleep; asleep after being awake once more: ${perVault(asleep - first.asleep)} more than before`,
    );
    expect(asleep).toBeLessThan(awake);
  });

  it('are refused to pages of others, which wake nothing', async () => {
    const server = await vaultsServer(two);
    const status = await new Promise<number>((resolve, reject) => {
      request(`${server.url}/v/work/api/health`, { headers: { host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
    expect([status, server.awake()]).toEqual([403, []]);
  });

  it('are listed for who has started the server, who opens them from there', async () => {
    const server = await vaultsServer(two);
    const [browser, stranger] = [createBrowser(), createBrowser()];
    expect((await browser.open(server.createLink())).status).toBe(303);
    const listed = await browser.ask(`${server.url}/api/vaults`);
    expect(await listed.json()).toEqual({ vaults: ['mes-notes', 'work'] });
    expect((await stranger.ask(`${server.url}/api/vaults`)).status).toBe(401);
    const links = `${server.url}/api/vaults/work/links`;
    expect((await stranger.ask(links, { method: 'POST' })).status).toBe(401);
    expect(server.awake()).toEqual([]);
    const made = await browser.ask(links, { method: 'POST' });
    const { url } = (await made.json()) as { url: string };
    expect(url).toMatch(`${server.url}/v/work/open?code=`);
    const opened = await browser.open(url);
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/v/work/']);
    expect(opened.headers.get('set-cookie')).toContain('Path=/v/work/');
    const tree = '/api/vaults/default/tree';
    expect((await browser.ask(`${server.url}/v/work${tree}`)).status).toBe(200);
    expect((await browser.ask(`${server.url}/v/mes-notes${tree}`)).status).toBe(401);
    expect((await browser.ask(`${server.url}/api/vaults/nobody/links`, { method: 'POST' })).status).toBe(404);
  });

  it('that would have the same address are refused at the start, and so is a folder that is not there', async () => {
    const folder = temporaryFolder();
    layOut(folder, { 'A b/.keepsake/vault.json': '{}', 'a-b/.keepsake/vault.json': '{}', 'plain/a.md': '' });
    const { environment } = await vaultsServer({});
    const start = (of: string) => startVaults({ folder: of, environment, log: () => undefined });
    await expect(start(folder)).rejects.toThrow('the same address, /v/a-b/');
    await expect(start(join(folder, 'missing'))).rejects.toThrow('cannot be read');
  });
});
