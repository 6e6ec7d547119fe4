import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diagnose, findOwner, openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import { startHost } from '../packages/vault/src/server/index.ts';
import type { Host } from '../packages/vault/src/server/index.ts';
import { initVault } from '../packages/vault/src/vault/index.ts';
import { missing } from './missing.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

type Answer = {
  status: number;
  body: { code?: string; detail?: string; next?: string } & Record<string, unknown>;
};

type Service = {
  host: Host;
  vault: string;
  state: string;
  configFile: string;
  /** What it wrote into its log, but for requests. */
  errors: string[];
  get: (path: string) => Promise<Answer>;
  post: (path: string, json: unknown) => Promise<Answer>;
};

/** A vault that is served, as its owner's other processes reach it. */
async function aService(place = temporaryFolder()): Promise<Service> {
  const [vault, state] = [join(place, 'vault'), join(place, 'state')];
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: join(place, 'config') });
  mkdirSync(join(place, 'config', 'keepsake'), { recursive: true });
  initVault(vault, { language: 'en', home: place, clock: Date.now });
  layOut(vault, { 'bucket/a.md': 'a note\n' });
  const errors: string[] = [];
  const log = (entry: object): void =>
    void ('level' in entry && 'message' in entry && errors.push(String(entry.message)));
  const host = await startHost({ vault, state, environment, log, onLost: () => errors.push('lost') });
  if (host === null) throw new Error('somebody serves it already');
  onTestFinished(() => host.close().catch(() => undefined));
  const secret = findOwner(state, Date.now)?.secret ?? '';
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

/** A disk that is soon full. */
function mountSmall(folder: string): void {
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=30M', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
}

const update = { text: 'remember the boiler' };
const note = { input: { path: 'bucket/x.md', content: 'x' } };

describe('a state folder that is deleted under the service', () => {
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
  it.each(deletions)('is noticed before anything more is accepted or changed: %s', async (_how, remove) => {
    const { vault, state, get, post, host } = await aService();
    expect((await post('/updates', update)).status).toBe(202);
    remove(state);
    for (const answer of [await post('/updates', update), await post('/tools/write', note)])
      expect(answer).toMatchObject({
        status: 503,
        body: {
          code: 'unavailable',
          detail: expect.stringContaining('was deleted, replaced or unmounted while it was in use'),
          next: expect.stringContaining('start Keepsake again'),
        },
      });
    expect(readdirSync(join(vault, 'bucket'))).not.toContain('x.md');
    // What is open can still be read, and so can every note.
    expect((await get('/updates')).body['updates']).toHaveLength(1);
    expect((await post('/tools/read', { input: { paths: ['bucket/a.md'] } })).status).toBe(200);
    const { updates } = host.keepsake.agents;
    const [waiting] = updates.list({ limit: 1 });
    await expect(updates.cancel(waiting?.id ?? '')).rejects.toThrow('nothing more is written or accepted');
    expect(updates.counts().waiting).toBe(1);
  });

  it('that comes back as it was is used again', async () => {
    const { state, post } = await aService();
    renameSync(state, `${state}.away`);
    expect((await post('/updates', update)).status).toBe(503);
    renameSync(`${state}.away`, state);
    expect((await post('/updates', update)).status).toBe(202);
    expect(await post('/tools/write', note)).toMatchObject({ status: 200, body: { kind: 'result' } });
  });

  it('is begun anew by the next start, in which nothing is that was refused', async () => {
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

describe('a disk of the state folder', () => {
  it('that is full stops nothing for good: nothing is accepted that cannot be kept, and later all of it is', async () => {
    const { host, get, post } = await aService();
    const { durable } = host.keepsake.state.databases();
    const pages = Number(durable.pragma('page_count', { simple: true }));
    durable.pragma(`max_page_count = ${pages}`);
    const large = { text: 'remember the boiler '.repeat(5_000) };
    expect(await post('/updates', large)).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('disk is full'), next: expect.stringContaining('make room') },
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

  it.skipIf(missing('mounts'))(
    'that is really full can still be searched, and the doctor finds it',
    async () => {
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
        mend: expect.stringContaining('make room'),
      });
      rmSync(join(state, 'fill'));
      expect((await post('/updates', update)).status).toBe(202);
    },
  );

  it.skipIf(missing('mounts'))('that is full before the first write leaves nothing half made', async () => {
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
    await expect(accept()).rejects.toThrow('the vault or its state folder cannot be written (ENOSPC');
    expect(readdirSync(join(vault, '.keepsake'))).toEqual([]);
    rmSync(join(place, 'full', 'fill'));
    expect(await accept()).toMatchObject({ isNew: true });
  });

  it('that takes nothing more ends no service: it says so once, goes on, and works again when the disk does', async () => {
    const { host, errors, post } = await aService();
    const { durable, locks } = host.keepsake.state.databases();
    for (const database of [durable, locks]) database.pragma('query_only = true');
    await expect.poll(() => errors.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect((await post('/updates', update)).status).toBe(503);
    expect((await post('/tools/read', { input: { paths: ['bucket/a.md'] } })).status).toBe(200);
    // Two more signs of life that cannot be given.
    await new Promise((done) => setTimeout(done, 2_500));
    expect(errors).toEqual([expect.stringContaining('readonly database')]);
    for (const database of [durable, locks]) database.pragma('query_only = false');
    expect((await post('/updates', update)).status).toBe(202);
    expect(await post('/tools/write', note)).toMatchObject({ status: 200 });
  });
});

describe('a configuration that is half saved', () => {
  it('stops neither the service nor what it accepts: what is answered with an error is not kept', async () => {
    const { configFile, errors, get, post } = await aService();
    writeFileSync(configFile, 'model: [broken');
    expect((await post('/updates', update)).status).toBe(202);
    expect((await post('/updates', update)).status).toBe(202);
    expect((await get('/updates')).body['updates']).toHaveLength(2);
    expect((await get('/status')).body).toMatchObject({
      queue: { waiting: 2 },
      models: { agents: null, problem: { text: expect.stringContaining('cannot be read as YAML') } },
    });
    expect(errors).toEqual([expect.stringContaining('cannot be read as YAML')]);
    expect((await post('/answers', { question: 'When?' })).status).toBe(503);
  });
});

describe('a listener that fails', () => {
  it('touches neither what was accepted nor other listeners', async () => {
    const { host, post, get } = await aService();
    host.keepsake.events.listen(() => {
      throw new Error('a listener that fails');
    });
    let isTold = false;
    host.keepsake.events.listen(() => (isTold = true));
    expect((await post('/updates', update)).status).toBe(202);
    expect(isTold).toBe(true);
    expect((await get('/updates')).body['updates']).toHaveLength(1);
  });
});
