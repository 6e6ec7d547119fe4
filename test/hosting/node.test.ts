import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import {
  createServiceToken,
  drainNode,
  exportVault,
  moveVault,
  registerVault,
  removeServiceToken,
  removeVault,
  readServiceStatus,
  startNode,
} from '../../packages/service/src/hosting/index.ts';
import type { ObjectStore, RunningNode } from '../../packages/service/src/hosting/index.ts';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { environmentIn, rootKey, startTestService } from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;
let pool: pg.Pool;

beforeAll(async () => {
  service = await startTestService();
  ({ pool } = service);
});
afterAll(() => service.stop());

let nodes = 0;

async function aNode(
  options: {
    idleTimeoutMs?: number;
    snapshotAfter?: { records: number };
    keepFor?: number;
    folder?: string;
    group?: string;
    name?: string;
    store?: ObjectStore;
    pool?: pg.Pool;
  } = {},
): Promise<RunningNode & { folder: string }> {
  const cacheFolder = options.folder ?? temporaryFolder();
  const node = await startNode({
    pool,
    store: service.store,
    rootKey,
    name: `node-${(nodes += 1)}`,
    host: '127.0.0.1',
    port: 0,
    cacheFolder,
    environment: environmentIn(cacheFolder),
    log: () => undefined,
    ...options,
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await node.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...node, close, folder: cacheFolder };
}

type Asked = { status: number; body: unknown };

/** A client of one vault, through any node. */
async function aVault(scope: 'read' | 'write' = 'write', group?: string) {
  const vault = await registerVault(pool, rootKey, undefined, { group });
  const token = await createServiceToken({ pool, rootKey }, { vault, name: 'test', scope });
  const ask = async (node: RunningNode, path: string, more: RequestInit = {}): Promise<Asked> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${node.address}/v/${vault}${path}`, { headers, ...more });
    const text = await response.text();
    // On a busy machine, the node may have missed its heartbeats.
    if (text.includes('lost its connection')) return ask(node, path, more);
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  const write = (node: RunningNode, name: string, text: string): Promise<Asked> =>
    ask(node, '/api/vaults/default/tools/write', {
      method: 'POST',
      body: JSON.stringify({ input: { path: name, content: text } }),
    });
  const read = (node: RunningNode, name: string): Promise<Asked> =>
    ask(node, `/api/vaults/default/files/${name}`);
  return { vault, token, ask, write, read };
}

describe.skipIf(missing('PostgreSQL'))('a cluster', () => {
  it('answers requests for any vault at any node, while one node serves the vault', async () => {
    const [first, second] = [await aNode(), await aNode()];
    const { vault, write, read } = await aVault();
    expect(await write(first, 'bucket/a.md', 'from the first\n')).toMatchObject({
      status: 200,
      body: { kind: 'result' },
    });
    expect(await read(second, 'bucket/a.md')).toMatchObject({ status: 200 });
    expect(await write(second, 'bucket/b.md', 'by way of the second\n')).toMatchObject({
      body: { kind: 'result' },
    });
    expect(String((await read(first, 'bucket/b.md')).body)).toContain('by way of the second');
    expect([first.activeVaults(), second.activeVaults()]).toEqual([[vault], []]);
  });

  it('does not execute a request that the client aborted while the vault was opening', async () => {
    const { promise: opened, resolve: release } = Promise.withResolvers<void>();
    const { promise: opening, resolve: noteOpening } = Promise.withResolvers<void>();
    const store: ObjectStore = {
      ...service.store,
      async put(...object) {
        noteOpening();
        await opened;
        return service.store.put(...object);
      },
    };
    const node = await aNode({ store });
    const { ask, write, read } = await aVault();
    const over = new AbortController();
    const given = ask(node, '/api/vaults/default/tools/write', {
      method: 'POST',
      body: JSON.stringify({ input: { path: 'bucket/a.md', content: 'given up\n' } }),
      signal: over.signal,
    });
    await opening;
    over.abort();
    await expect(given).rejects.toThrow('aborted');
    // The node handles later connections after it has seen the end of this one.
    for (let turn = 0; turn < 5; turn += 1) await fetch(`${node.address}/healthz`);
    release();

    expect(await write(node, 'bucket/b.md', 'asked again\n')).toMatchObject({ body: { kind: 'result' } });
    expect(await read(node, 'bucket/a.md')).toMatchObject({ status: 404 });
  });

  it('closes a vault that failed to open', async () => {
    const { vault, read } = await aVault();
    const accessOf = async (): Promise<Buffer | undefined> =>
      (await pool.query<{ access: Buffer }>('select access from vaults where id = $1', [vault])).rows[0]
        ?.access;
    const setAccess = (access: Buffer | undefined) =>
      pool.query('update vaults set access = $2 where id = $1', [vault, access]);
    const earlier = await accessOf();
    await createServiceToken({ pool, rootKey }, { vault, name: 'second', scope: 'read' });
    const current = await accessOf();
    const first = await aNode();
    expect(await read(first, 'overview.md')).toMatchObject({ status: 200 });
    await first.close();

    const node = await aNode();
    await setAccess(earlier);
    expect(await read(node, 'overview.md')).toMatchObject({ status: 503 });
    expect(openIn(node.folder)).toEqual([]);
    await setAccess(current);
    expect(await read(node, 'overview.md')).toMatchObject({ status: 200 });
    expect(openIn(node.folder)).not.toEqual([]);
    await node.close();
    expect(openIn(node.folder)).toEqual([]);
  });

  /** The files below a folder that this process has open. */
  function openIn(folder: string): string[] {
    return readdirSync('/proc/self/fd')
      .map((fd) => (existsSync(`/proc/self/fd/${fd}`) ? readlinkSync(`/proc/self/fd/${fd}`) : ''))
      .filter((file) => file.startsWith(folder));
  }

  it('accepts a token only for its own vault, at any node', async () => {
    const [first, second] = [await aNode(), await aNode()];
    const [mine, other] = [await aVault(), await aVault('read')];
    await mine.write(first, 'bucket/a.md', 'mine\n');
    expect((await other.read(second, 'bucket/a.md')).status).toBe(404);
    const headers = { authorization: `Bearer ${other.token}` };
    for (const { address } of [first, second]) {
      const asked = await fetch(`${address}/v/${mine.vault}/api/vaults/default/tree`, { headers });
      expect(asked.status).toBe(401);
      expect((await fetch(`${address}/v/${mine.vault}/mcp`, { headers, method: 'POST' })).status).toBe(401);
      expect((await fetch(`${address}/v/unknown/api/health`, { headers })).status).toBe(404);
    }
    expect((await other.write(first, 'bucket/a.md', 'no\n')).status).toBe(403);
  });

  it('serves a vault of a group only on nodes of that group, and answers its requests at any node', async () => {
    const [common, own] = [await aNode(), await aNode({ group: 'clinic', name: 'own' })];
    const [theirs, anybodys] = [await aVault('write', 'clinic'), await aVault()];
    for (const [node, name] of [
      [common, 'bucket/a.md'],
      [own, 'bucket/b.md'],
    ] as const)
      for (const { write } of [theirs, anybodys])
        expect(await write(node, name, 'a note\n')).toMatchObject({ status: 200, body: { kind: 'result' } });
    expect([common.activeVaults(), own.activeVaults()]).toEqual([[anybodys.vault], [theirs.vault]]);
    await expect(moveVault(pool, anybodys.vault, 'own')).rejects.toMatchObject({ code: 'bad-settings' });
    const { nodes: shown } = await readServiceStatus(pool);
    expect(shown.find(({ id }) => id === 'own')?.group).toBe('clinic');

    // No other node claims it, even when its nodes are gone. A node that returns in another group releases it.
    const { folder } = own;
    await own.close();
    const other = await aNode({ name: 'own', folder });
    expect((await theirs.read(other, 'bucket/a.md')).status).toBe(503);
    expect(other.activeVaults()).toEqual([]);
    const next = await aNode({ group: 'clinic' });
    expect(String((await theirs.read(common, 'bucket/a.md')).body)).toContain('a note');
    expect(next.activeVaults()).toEqual([theirs.vault]);
  });

  it('drains a stopping node without failing requests', async () => {
    const [first, second] = [await aNode(), await aNode()];
    const { vault, write, read } = await aVault();
    await write(first, 'bucket/0.md', '0\n');
    const over = new AbortController();
    const statuses: number[] = [];
    const writing = (async () => {
      for (let number = 1; !over.signal.aborted; number += 1)
        statuses.push((await write(second, `bucket/${number}.md`, `${number}\n`)).status);
    })();
    await vi.waitUntil(() => statuses.length > 2, { timeout: 60_000 });
    await first.close();
    const before = statuses.length;
    await vi.waitUntil(() => statuses.length > before + 2, { timeout: 60_000 });
    over.abort();
    await writing;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(second.activeVaults()).toEqual([vault]);
    for (let number = 0; number <= statuses.length; number += 1)
      expect(String((await read(second, `bucket/${number}.md`)).body)).toContain(`${number}`);
  });

  it('closes an idle vault and reopens it on any node, even without a local copy', async () => {
    const node = await aNode({ idleTimeoutMs: 0, keepFor: 0 });
    const { vault, write, read } = await aVault();
    await write(node, 'bucket/a.md', 'kept\n');
    await vi.waitUntil(() => node.activeVaults().length === 0, { timeout: 60_000 });
    await vi.waitUntil(
      async () =>
        (await pool.query('select 1 from vaults where id = $1 and owner is null', [vault])).rowCount === 1,
      { timeout: 60_000 },
    );
    const { rowCount } = await pool.query('select 1 from log where vault = $1', [vault]);
    expect([rowCount, existsSync(join(node.folder, vault))]).toEqual([0, true]);
    rmSync(join(node.folder, vault), { recursive: true });
    const other = await aNode();
    expect(String((await read(other, 'bucket/a.md')).body)).toContain('kept');
  });

  it('closes an idle vault without a snapshot while the object store refuses it, and opens it again', async () => {
    let isRefusing = false;
    const store: ObjectStore = {
      ...service.store,
      async put(...object) {
        if (isRefusing) throw new Error('the object store is full');
        return service.store.put(...object);
      },
    };
    const node = await aNode({ idleTimeoutMs: 0, store });
    const { vault, write, read } = await aVault();
    await write(node, 'bucket/first.md', 'first\n');
    const isReleased = async (): Promise<boolean> =>
      (await pool.query('select 1 from vaults where id = $1 and owner is null', [vault])).rowCount === 1;
    await vi.waitUntil(isReleased, { timeout: 60_000 });
    isRefusing = true;
    await write(node, 'bucket/a.md', 'kept\n');
    await vi.waitUntil(isReleased, { timeout: 60_000 });
    expect(String((await read(node, 'bucket/a.md')).body)).toContain('kept');
  });

  it('takes a snapshot of an open vault after a number of records', async () => {
    const node = await aNode({ snapshotAfter: { records: 3 }, keepFor: 0 });
    const { vault, write } = await aVault();
    const records = async (): Promise<number | null> =>
      (await pool.query('select 1 from log where vault = $1', [vault])).rowCount;
    for (let number = 0; number < 6; number += 1) await write(node, `bucket/${number}.md`, `${number}\n`);
    await vi.waitUntil(async () => Number(await records()) < 3, { timeout: 60_000 });
    const before = Number(await records());
    expect(node.activeVaults()).toEqual([vault]);
    await write(node, 'bucket/more.md', 'more\n');
    expect(await records()).toBe(before + 1);
  });

  it('moves a vault to another node, and releases the vaults of a drained node', async () => {
    const first = await aNode();
    const { vault, write, read } = await aVault();
    await write(first, 'bucket/a.md', 'moved\n');
    const second = await aNode();
    const other = `node-${nodes}`;
    await expect(moveVault(pool, vault, 'unknown')).rejects.toMatchObject({ code: 'no-such-node' });
    await expect(moveVault(pool, 'nothing', other)).rejects.toMatchObject({ code: 'no-such-vault' });
    await moveVault(pool, vault, other);
    await vi.waitUntil(() => first.activeVaults().length === 0, { timeout: 60_000 });
    expect(String((await read(first, 'bucket/a.md')).body)).toContain('moved');
    expect(second.activeVaults()).toEqual([vault]);

    await expect(drainNode(pool, 'unknown')).rejects.toMatchObject({ code: 'no-such-node' });
    await drainNode(pool, other);
    await vi.waitUntil(() => second.activeVaults().length === 0, { timeout: 60_000 });
    expect(String((await read(second, 'bucket/a.md')).body)).toContain('moved');
    expect(first.activeVaults()).toEqual([vault]);
    const metrics = async ({ address }: RunningNode): Promise<string> =>
      (await fetch(`${address}/metrics`)).text();
    expect(await metrics(second)).toContain('keepsake_node_draining 1\n');
    // Tells the load balancer to stop sending requests; the node still answers those that arrive.
    const health = await fetch(`${second.address}/healthz`);
    expect([health.status, await health.text()]).toEqual([503, 'draining']);
    await vi.waitUntil(async () => (await fetch(`${first.address}/healthz`)).ok, { timeout: 60_000 });
    expect(await metrics(first)).toMatch(/^keepsake_node_vaults 1$/m);
    expect(await metrics(first)).toMatch(/^keepsake_node_requests_total\{outcome="served"\} [1-9]/m);
    expect(await metrics(first)).not.toContain(vault);
  });

  it('rejects a revoked token', async () => {
    const node = await aNode();
    const { vault, read } = await aVault();
    expect((await read(node, 'overview.md')).status).toBe(200);
    await removeServiceToken({ pool, rootKey }, { vault, name: 'test' });
    await vi.waitUntil(async () => (await read(node, 'overview.md')).status === 401, { timeout: 60_000 });
  });

  it('exports a vault while serving it, and deletes a vault together with its key', async () => {
    const node = await aNode();
    const { vault, write, read } = await aVault();
    await write(node, 'bucket/a.md', 'taken along\n');
    const environment = readEnvironment({ PATH: process.env['PATH'] });
    const parts = {
      pool,
      store: service.store,
      rootKey,
      environment: { ...environment, stateHome: temporaryFolder() },
    };
    const folder = join(temporaryFolder(), 'export');
    // The database fails after another program has saved a note at the target of the export.
    let calls = 0;
    const failing = new Proxy(pool, {
      get: (target, key) =>
        key !== 'query'
          ? (Reflect.get(target, key, target) as unknown)
          : async (...query: Parameters<typeof target.query>) => {
              calls += 1;
              if (calls !== 2) return target.query(...query);
              mkdirSync(folder);
              writeFileSync(join(folder, 'note.md'), 'saved meanwhile\n');
              throw new Error('the database is away');
            },
    });
    await expect(exportVault({ ...parts, pool: failing }, vault, folder)).rejects.toThrow('away');
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe('saved meanwhile\n');
    expect(readdirSync(dirname(folder))).toEqual(['export']);
    rmSync(folder, { recursive: true });

    await exportVault(parts, vault, folder);
    expect(readFileSync(join(folder, 'vault/bucket/a.md'), 'utf8')).toContain('taken along');
    await expect(exportVault(parts, vault, folder)).rejects.toMatchObject({ code: 'bad-settings' });
    const exported = await openKeepsake({
      ...parts,
      vault: join(folder, 'vault'),
      state: join(folder, 'state'),
    });
    expect(exported.changes.list({ limit: 1 })).toHaveLength(1);
    await exported.close();

    await removeVault(parts, vault);
    await expect(removeVault(parts, vault)).rejects.toMatchObject({ code: 'no-such-vault' });
    await expect(exportVault(parts, vault, `${folder}-again`)).rejects.toMatchObject({
      code: 'no-such-vault',
    });
    expect(await service.store.list(`${vault}/`)).toEqual([]);
    await vi.waitUntil(async () => (await read(node, 'bucket/a.md')).status === 404, { timeout: 60_000 });
    await node.close();
    writeFileSync(join(node.folder, 'not-ours'), '');
    expect(existsSync(join(node.folder, vault))).toBe(true);
    await aNode({ folder: node.folder });
    expect([existsSync(join(node.folder, vault)), existsSync(join(node.folder, 'not-ours'))]).toEqual([
      false,
      true,
    ]);
  });
});
