import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  diagnose,
  findOwnerProcess,
  openKeepsake,
  readEnvironment,
} from '../packages/vault/src/app/index.ts';
import { startVaultHost } from '../packages/vault/src/server/index.ts';
import type { VaultHost } from '../packages/vault/src/server/index.ts';
import { initVault } from '../packages/vault/src/vault/index.ts';
import { missing } from './missing.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

type Answer = {
  status: number;
  body: { code?: string; detail?: string; next?: string } & Record<string, unknown>;
};

type Service = {
  host: VaultHost;
  vault: string;
  state: string;
  configFile: string;
  /** The log, without request lines. */
  errors: string[];
  get: (path: string) => Promise<Answer>;
  post: (path: string, json: unknown) => Promise<Answer>;
};

/** A served vault, as other processes of the user reach it. */
async function aService(place = temporaryFolder()): Promise<Service> {
  const [vault, state] = [join(place, 'vault'), join(place, 'state')];
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: join(place, 'config') });
  mkdirSync(join(place, 'config', 'keepsake'), { recursive: true });
  initVault(vault, { language: 'en', home: place, clock: Date.now });
  layOut(vault, { 'bucket/a.md': 'a note\n' });
  const errors: string[] = [];
  const log = (entry: object): void =>
    void ('level' in entry && 'message' in entry && errors.push(String(entry.message)));
  const host = await startVaultHost({
    vault,
    state,
    environment,
    log,
    onLeaseLost: () => errors.push('lost'),
  });
  if (host === null) throw new Error('the vault is already served');
  onTestFinished(() => host.close().catch(() => undefined));
  const secret = findOwnerProcess(state, Date.now)?.secret ?? '';
  const ask = async (path: string, options: RequestInit): Promise<Answer> => {
    const response = await fetch(`${host.url}/api/vaults/default${path}`, {
      ...options,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  return {
    host,
    vault,
    state,
    configFile: environment.configFile,
    errors,
    get: (path) => ask(path, {}),
    post: (path, json) => ask(path, { method: 'POST', body: JSON.stringify(json) }),
  };
}

/** Mounts a small file system. */
function mountSmall(folder: string): void {
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=30M', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
}

const update = { text: 'remember the boiler' };
const note = { input: { path: 'bucket/x.md', content: 'x' } };

describe('a state folder that is deleted while the server runs', () => {
  const deletions: [string, (state: string) => void][] = [
    ['deleted', (state) => rmSync(state, { recursive: true })],
    [
      'replaced',
      (state) => {
        renameSync(state, `${state}.old`);
        mkdirSync(state);
        for (const name of ['keepsake.sqlite', 'lock.sqlite']) writeFileSync(join(state, name), '');
      },
    ],
  ];
  it.each(deletions)('is detected before anything else is accepted or changed: %s', async (_how, remove) => {
    const { vault, state, get, post, host } = await aService();
    expect((await post('/updates', update)).status).toBe(202);
    remove(state);
    for (const answer of [await post('/updates', update), await post('/tools/write', note)])
      expect(answer).toMatchObject({
        status: 503,
        body: {
          code: 'unavailable',
          detail: expect.stringContaining('was deleted, replaced or unmounted while in use'),
          next: expect.stringContaining('restart Keepsake'),
        },
      });
    expect(readdirSync(join(vault, 'bucket'))).not.toContain('x.md');
    // Open databases and all notes can still be read.
    expect((await get('/updates')).body['updates']).toHaveLength(1);
    expect((await post('/tools/read', { input: { paths: ['bucket/a.md'] } })).status).toBe(200);
    const { updates } = host.keepsake.agents;
    const [waiting] = updates.list({ limit: 1 });
    await expect(updates.cancel(waiting?.id ?? '')).rejects.toThrow('writes are blocked');
    expect(updates.counts().waiting).toBe(1);
  });

  it('is used again once it is restored', async () => {
    const { state, post } = await aService();
    renameSync(state, `${state}.away`);
    expect((await post('/updates', update)).status).toBe(503);
    renameSync(`${state}.away`, state);
    expect((await post('/updates', update)).status).toBe(202);
    expect(await post('/tools/write', note)).toMatchObject({ status: 200, body: { kind: 'result' } });
  });

  it('is reported by the next start if its database was emptied', async () => {
    const place = temporaryFolder();
    const { state, host, post } = await aService(place);
    expect((await post('/tools/write', note)).status).toBe(200);
    await host.close();
    for (const suffix of ['-wal', '-shm']) rmSync(join(state, `keepsake.sqlite${suffix}`), { force: true });
    writeFileSync(join(state, 'keepsake.sqlite'), '');
    const { errors, post: postAgain } = await aService(place);
    expect(errors).toEqual([expect.stringMatching(/was empty or missing.*restore a backup/)]);
    expect((await postAgain('/updates', update)).status).toBe(202);
  });

  it('is recreated by the next start, without the rejected updates', async () => {
    const { vault, state, host, post, errors } = await aService();
    rmSync(state, { recursive: true });
    expect((await post('/updates', update)).status).toBe(503);
    await host.close();
    expect(errors).toEqual([]);
    const keepsake = await openKeepsake({ vault, state, environment: readEnvironment({}) });
    onTestFinished(async () => void (await keepsake.close()));
    expect(keepsake.agents.updates.list({ limit: 9 })).toEqual([]);
    await keepsake.agents.updates.accept({
      text: 'once more',
      files: [],
      source: { kind: 'person', name: 'test' },
    });
    expect(keepsake.agents.updates.counts().waiting).toBe(1);
  });
});

describe('the disk of the state folder', () => {
  it('when full, causes rejections only until there is space again', async () => {
    const { host, get, post } = await aService();
    const { durable } = host.keepsake.state.databases();
    const pages = Number(durable.pragma('page_count', { simple: true }));
    durable.pragma(`max_page_count = ${pages}`);
    const large = { text: 'remember the boiler '.repeat(5_000) };
    expect(await post('/updates', large)).toMatchObject({
      status: 503,
      body: {
        detail: expect.stringContaining('disk is full'),
        next: expect.stringContaining('free disk space'),
      },
    });
    const written = await post('/tools/write', { input: { path: 'bucket/x.md', content: large.text } });
    expect(written).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('nothing was changed') },
    });
    expect((await post('/tools/read', { input: { paths: ['bucket/a.md'] } })).status).toBe(200);
    durable.pragma(`max_page_count = ${pages * 100}`);
    expect((await post('/updates', large)).status).toBe(202);
    expect((await get('/updates')).body['updates']).toHaveLength(1);
  });

  it.skipIf(missing('mounts'))('when really full, still allows searches, and doctor reports it', async () => {
    const place = temporaryFolder();
    mountSmall(join(place, 'state'));
    const { get, post, vault, state } = await aService(place);
    const search = { input: { queries: ['boiler'], mode: 'fast' } };
    layOut(vault, { 'bucket/old.md': 'the old boiler\n' });
    await expect
      .poll(async () => JSON.stringify((await post('/tools/search', search)).body), { timeout: 20_000 })
      .toContain('the old boiler');
    expect(() => writeFileSync(join(state, 'fill'), Buffer.alloc(40_000_000))).toThrow('ENOSPC');
    layOut(vault, { 'bucket/new.md': `the new boiler ${'and more of it '.repeat(20_000)}\n` });
    expect(await post('/updates', { text: 'x'.repeat(100_000) })).toMatchObject({ status: 503 });
    const found = await post('/tools/search', search);
    expect(found.status).toBe(200);
    expect(JSON.stringify(found.body)).toContain('the old boiler');
    expect((await get('/updates')).status).toBe(200);
    const checks = await diagnose({
      vault,
      state,
      environment: readEnvironment({ PATH: process.env['PATH'] }),
    });
    expect(checks.find(({ name }) => name === 'state folder')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('ENOSPC'),
      hint: expect.stringContaining('free disk space'),
    });
    rmSync(join(state, 'fill'));
    expect((await post('/updates', update)).status).toBe(202);
  });

  it.skipIf(missing('mounts'))('when full before the first write, leaves no partial state', async () => {
    const place = temporaryFolder();
    mountSmall(join(place, 'full'));
    const vault = join(place, 'full', 'vault');
    layOut(vault, { 'note.md': 'a note\n' });
    const environment = readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: join(place, 'home') });
    const keepsake = await openKeepsake({ vault, environment });
    onTestFinished(async () => void (await keepsake.close()));
    mkdirSync(join(vault, '.keepsake'));
    expect(() => writeFileSync(join(place, 'full', 'fill'), Buffer.alloc(40_000_000))).toThrow('ENOSPC');
    const accept = (): Promise<unknown> =>
      keepsake.agents.updates.accept({ ...update, files: [], source: { kind: 'person', name: 'test' } });
    await expect(accept()).rejects.toThrow('cannot write to the vault or its state folder (ENOSPC');
    expect(readdirSync(join(vault, '.keepsake'))).toEqual([]);
    rmSync(join(place, 'full', 'fill'));
    expect(await accept()).toMatchObject({ isNew: true });
  });

  it('when read-only, does not stop the server, which logs it once and recovers with the disk', async () => {
    const { host, errors, post } = await aService();
    const { durable, locks } = host.keepsake.state.databases();
    for (const database of [durable, locks]) database.pragma('query_only = true');
    await expect.poll(() => errors.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect((await post('/updates', update)).status).toBe(503);
    expect((await post('/tools/read', { input: { paths: ['bucket/a.md'] } })).status).toBe(200);
    // Two more heartbeats that cannot be written.
    await new Promise((done) => setTimeout(done, 2_500));
    expect(errors).toEqual([expect.stringContaining('readonly database')]);
    for (const database of [durable, locks]) database.pragma('query_only = false');
    expect((await post('/updates', update)).status).toBe(202);
    expect(await post('/tools/write', note)).toMatchObject({ status: 200 });
  });
});

describe('a partially saved configuration', () => {
  it('does not stop the server, which still accepts updates and logs the error once', async () => {
    const { configFile, errors, get, post } = await aService();
    writeFileSync(configFile, 'model: [broken');
    expect((await post('/updates', update)).status).toBe(202);
    expect((await post('/updates', update)).status).toBe(202);
    expect((await get('/updates')).body['updates']).toHaveLength(2);
    expect((await get('/status')).body).toMatchObject({
      queue: { waiting: 2 },
      models: { agents: null, problem: { text: expect.stringContaining('is not valid YAML') } },
    });
    expect(errors).toEqual([expect.stringContaining('is not valid YAML')]);
    expect((await post('/answers', { question: 'When?' })).status).toBe(503);
  });
});

describe('a listener that fails', () => {
  it('affects neither accepted updates nor other listeners', async () => {
    const { host, post, get } = await aService();
    host.keepsake.events.subscribe(() => {
      throw new Error('a listener that fails');
    });
    let isNotified = false;
    host.keepsake.events.subscribe(() => (isNotified = true));
    expect((await post('/updates', update)).status).toBe(202);
    expect(isNotified).toBe(true);
    expect((await get('/updates')).body['updates']).toHaveLength(1);
  });
});
