import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { createFileChange } from '../packages/vault/src/changes/index.ts';
import {
  createPlacement,
  createRootKey,
  createServiceToken,
  migrateService,
  openHostedVault,
  registerVault,
} from '../packages/service/src/hosting/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { startNetwork } from '../test/campaigns/cluster/network.ts';
import { hasPatroni, members, startPatroni } from '../test/campaigns/cluster/patroni.ts';
import {
  childrenOf,
  createToken,
  nodeAddress,
  run,
  serve,
  serviceProgram,
  usedBy,
} from '../test/campaigns/program.ts';
import { startPostgres } from '../test/hosting/postgres.ts';
import { startObjectStore } from '../test/hosting/s3.ts';
import type { TestObjectStore } from '../test/hosting/s3.ts';
import { processVariables } from '../test/process-variables.ts';
import { middleOf, report } from './measure.ts';
import type { Size } from './measure.ts';

const rootKeyBytes = Buffer.alloc(32, 1);
const rootKey = createRootKey(rootKeyBytes);
const sizes = {
  full: { warmUp: 20, rounds: 200, registered: 10_000, readingMs: 3_000 },
  tiny: { warmUp: 1, rounds: 2, registered: 10, readingMs: 100 },
};
type Counts = (typeof sizes)[Size];

/**
 * Compares many vaults on several nodes with a single vault on one machine: npm run bench -- hosting [vaults to open,
 * default 1,000].
 */
export async function hostingBench(size: Size, opened = '1000'): Promise<void> {
  const counts = sizes[size];
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const objects = await startObjectStore();
  const postgres = await startPostgres();
  try {
    const pool = await postgres.createDatabase('service');
    await migrateService(pool);
    console.log(`load of the machine before: ${loads()}`);
    await writes({ folder: join(folder, 'writes'), pool, objects, name: 'one PostgreSQL', ...counts });
    await withStandby(join(folder, 'standby'), objects, counts);
    const parts = {
      folder: join(folder, 'nodes'),
      pool,
      objects,
      url: postgres.urlOf('service'),
      opened: size === 'tiny' ? 2 : Number(opened),
      ...counts,
    };
    await nodes(parts);
    await compareWorkers(parts);
    console.log(`load of the machine after: ${loads()}`);
  } finally {
    await postgres.stop();
    await objects.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Writes = Counts & { folder: string; pool: pg.Pool; objects: TestObjectStore; name: string };

/** Measures the same edit of a 4 kB note, alternating between a local vault and a hosted one. */
async function writes({ folder, pool, objects: { store }, name, warmUp, rounds }: Writes): Promise<void> {
  const environment = { ...readEnvironment(processVariables), stateHome: join(folder, 'home') };
  mkdirSync(join(folder, 'local'), { recursive: true });
  const local = await openKeepsake({
    vault: join(folder, 'local'),
    state: join(folder, 'state'),
    environment,
  });
  const placement = createPlacement({ pool, node: 'bench', address: 'http://bench', rootKey });
  await placement.join();
  const vault = await registerVault(pool, rootKey);
  const claimed = await placement.claim(vault);
  if (!('epoch' in claimed)) throw new Error('the vault is new');
  const hosted = await openHostedVault({ pool, store, claimed, folder: join(folder, 'hosted'), environment });
  const ways = [local, hosted.keepsake].map((keepsake) => ({ keepsake, times: [] as number[] }));
  for (let round = -warmUp; round < rounds; round += 1)
    for (const { keepsake, times } of ways) {
      const start = performance.now();
      await edit(keepsake, round, round === -warmUp);
      if (round >= 0) times.push(performance.now() - start);
    }
  const [theirs = [], ours = []] = ways.map(({ times }) => times);
  report(
    `a write, ${name}, p50 of ${rounds}`,
    middleOf(ours),
    { name: 'the local commit', time: middleOf(theirs) },
    3,
  );
  const { rows } = await pool.query<{ rows: number; bytes: number }>(
    'select count(*)::int as rows, sum(length(sealed))::int as bytes from log where vault = $1',
    [vault],
  );
  const per = (value = Number.NaN): string => (value / (rounds + warmUp)).toFixed(2);
  console.log(`a write, ${name}: ${per(rows[0]?.rows)} rows, ${per(rows[0]?.bytes)} bytes sealed`);
  await Promise.all([local.close(), hosted.close()]);
}

async function edit({ changes }: Keepsake, round: number, isFirst: boolean): Promise<void> {
  const textOf = (of: number): Buffer =>
    Buffer.from(`${'A line of a note that is edited.\n'.repeat(125)}${of}\n`);
  const before = isFirst ? null : textOf(round - 1);
  const change = createFileChange('vault/a.md' as VaultPath, before, textOf(round));
  if (change === null) throw new Error('nothing to write');
  const { kind } = await changes.writer.write([change], { origin: 'bench', summary: 'an edit' });
  if (kind !== 'written') throw new Error(kind);
}

async function withStandby(folder: string, objects: TestObjectStore, counts: Counts): Promise<void> {
  const network = hasPatroni() ? startNetwork(members) : null;
  if (network === null) {
    console.log(
      'a write with a synchronous standby: NOT MEASURED, no Patroni, etcd, HAProxy or network namespaces here',
    );
    return;
  }
  try {
    const patroni = await startPatroni(network);
    await migrateService(patroni.pool);
    await writes({ folder, pool: patroni.pool, objects, name: 'with a synchronous standby', ...counts });
    await patroni.stop();
  } finally {
    network.remove();
  }
}

type Nodes = Counts & {
  folder: string;
  pool: pg.Pool;
  objects: TestObjectStore;
  url: string;
  /** How many vaults to open. */
  opened: number;
};
type Node = { child: ChildProcess; address: string };
type Client = { vault: string; token: string };

/** Measures the nodes' memory per vault, and their throughput. */
async function nodes(parts: Nodes): Promise<void> {
  const { folder, pool, opened, registered, readingMs } = parts;
  mkdirSync(folder, { recursive: true });
  await pool.query(
    `insert into vaults (id, data_key) select 'registered-' || n, '\\x00' from generate_series(1, $1) as n`,
    [registered - opened],
  );
  const clients: Client[] = [];
  for (let count = 0; count < opened; count += 1) {
    const vault = await registerVault(pool, rootKey);
    clients.push({
      vault,
      token: await createServiceToken({ pool, rootKey }, { vault, name: 'bench', scope: 'write' }),
    });
  }
  await withNodes(parts, { names: ['a', 'b'] }, async (running) => {
    const before = await memoryOf(running);
    const openings = await timesOf(clients, (client, index) => read(running[index % 2], client));
    const awake = await memoryOf(running);
    console.log(
      `${registered} vaults registered, ${opened} opened for the first time on two nodes: p50 ${at(openings, 0.5)} ms, p99 ${at(openings, 0.99)} ms; ` +
        `an open vault needs ${kilobytes((awake - before) / opened)} kB, a node without vaults ${kilobytes(before / 2)} kB`,
    );
    await reads(parts, running, clients);
    const some = clients.slice(0, 64);
    const [one, two] = [
      await perSecond(running.slice(0, 1), some, readingMs),
      await perSecond(running, some, readingMs),
    ];
    console.log(
      `reads per second: ${one.toFixed(0)} through one node, ${two.toFixed(0)} through both (${(two / one).toFixed(2)}×)`,
    );
  });
  // The nodes have stopped, so no vault has an owner, but their disks still contain copies of the vaults.
  const walked = clients.slice(0, Math.min(opened, 200));
  await withNodes(parts, { names: ['a', 'b'], sleepAfter: 1 }, async (running) => {
    const before = await memoryOf(running);
    const warm = await timesOf(walked, (client, index) => read(running[index % 2], client));
    await asleep(pool);
    const after = await memoryOf(running);
    console.log(
      `reopened from a local copy: p50 ${at(warm, 0.5)} ms, p99 ${at(warm, 0.99)} ms; after closing, ${kilobytes((after - before) / walked.length)} kB per vault remain`,
    );
  });
  await withNodes(parts, { names: ['c'] }, async (running) => {
    const cold = await timesOf(walked, (client) => read(running[0], client));
    console.log(`reopened without a local copy: p50 ${at(cold, 0.5)} ms, p99 ${at(cold, 0.99)} ms`);
  });
}

/** Reads the same note from the owner of the vault, through a proxying node, and from a server with one vault. */
async function reads(
  { folder, warmUp, rounds }: Nodes,
  running: readonly Node[],
  clients: readonly Client[],
): Promise<void> {
  const [vault, state] = [join(folder, 'served'), join(folder, 'served-state')];
  run(['init', vault]);
  const place = ['--vault', vault, '--state', state];
  const token = createToken(place);
  const { child, url } = await serve(place);
  const [client] = clients;
  if (client === undefined) throw new Error('there is no vault');
  const ways = [
    () => get(`${url}/api/vaults/default/files/overview.md`, token),
    ...running.map((node) => () => read(node, client)),
  ].map((ask) => ({ ask, times: [] as number[] }));
  for (let round = -warmUp; round < rounds; round += 1)
    for (const { ask, times } of ways) {
      const began = performance.now();
      await ask();
      if (round >= 0) times.push(performance.now() - began);
    }
  child.kill('SIGTERM');
  const [alone = Number.NaN, ...through] = ways.map(({ times }) => middleOf(times));
  const [owner = Number.NaN, other = Number.NaN] = through.toSorted((a, b) => a - b);
  report(`a read from the owner of the vault, p50 of ${rounds}`, owner, { name: 'serve', time: alone }, 1.3);
  console.log(`a read through a proxying node: ${other.toFixed(1)} ms, ${(other / alone).toFixed(2)}×`);
}

/** Counts requests per second with sixteen concurrent clients. */
async function perSecond(
  running: readonly Node[],
  clients: readonly Client[],
  time: number,
  ask: (node: Node | undefined, client: Client) => Promise<void> = read,
): Promise<number> {
  const began = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: 16 }, async (_, lane) => {
      for (let turn = lane; performance.now() - began < time; turn += 1) {
        await ask(running[turn % running.length], clients[(turn * 7) % clients.length] as Client);
        count += 1;
      }
    }),
  );
  return (count * 1_000) / (performance.now() - began);
}

async function asleep(pool: pg.Pool): Promise<void> {
  for (let isAsleep = false; !isAsleep;) {
    await sleep(500);
    isAsleep = (await pool.query("select 1 from vaults where owner in ('a', 'b') limit 1")).rowCount === 0;
  }
}

async function timesOf(
  clients: readonly Client[],
  work: (client: Client, index: number) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (const [index, client] of clients.entries()) {
    const began = performance.now();
    await work(client, index);
    times.push(performance.now() - began);
  }
  return times;
}

function read(node: Node | undefined, client: Client | undefined): Promise<void> {
  return get(`${node?.address}/v/${client?.vault}/api/vaults/default/files/overview.md`, client?.token ?? '');
}

async function get(url: string, token: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  // Clients retry when a busy node has missed its heartbeats.
  if (response.status === 503) return sleep(100).then(() => get(url, token));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
}

/** Requests per second of a node with one worker and of one with two, measured alternately, with all vaults in use. */
async function compareWorkers(parts: Nodes): Promise<void> {
  const { pool, readingMs } = parts;
  const names = ['one', 'two'];
  const clients: Record<string, Client[]> = {};
  for (const group of names) {
    clients[group] = [];
    for (let count = 0; count < Math.min(16, parts.opened); count += 1) {
      const vault = await registerVault(pool, rootKey, undefined, { group });
      const token = await createServiceToken({ pool, rootKey }, { vault, name: 'bench', scope: 'write' });
      clients[group].push({ vault, token });
    }
  }
  const optionsOf = (name: string): string[] => ['--group', name, '--workers', name === 'one' ? '1' : '2'];
  await withNodes(parts, { names, optionsOf }, async (running) => {
    for (const [kind, ask] of Object.entries({ reads: read, searches: searchIn })) {
      const counts: Record<string, number[]> = { one: [], two: [] };
      for (let round = -1; round < 5; round += 1)
        for (const [index, name] of names.entries()) {
          const node = running.slice(index, index + 1);
          const count = await perSecond(node, clients[name] ?? [], readingMs, ask);
          if (round >= 0) counts[name]?.push(count);
        }
      const [one, two] = names.map((name) => middleOf(counts[name] ?? []));
      console.log(
        `${kind} per second: ${one?.toFixed(0)} with one worker, ${two?.toFixed(0)} with two (${(Number(two) / Number(one)).toFixed(2)}×)`,
      );
    }
  });
}

async function searchIn(node: Node | undefined, { vault, token }: Client): Promise<void> {
  const response = await fetch(`${node?.address}/v/${vault}/api/vaults/default/tools/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: { queries: ['overview'], mode: 'fast' } }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`search: ${response.status}`);
}

type Started = {
  names: readonly string[];
  sleepAfter?: number;
  optionsOf?: (name: string) => readonly string[];
};

async function withNodes(
  { folder, objects, url }: Nodes,
  { names, sleepAfter = 3_600, optionsOf = () => [] }: Started,
  work: (running: Node[]) => Promise<void>,
): Promise<void> {
  const keyFile = join(folder, 'root.key');
  writeFileSync(keyFile, rootKeyBytes);
  const env = {
    ...processVariables,
    KEEPSAKE_DATABASE_URL: url,
    KEEPSAKE_ROOT_KEY_FILE: keyFile,
    KEEPSAKE_S3_ENDPOINT: objects.settings.endpoint,
    KEEPSAKE_S3_BUCKET: objects.settings.bucket,
    AWS_ACCESS_KEY_ID: objects.settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: objects.settings.secretAccessKey,
    XDG_STATE_HOME: join(folder, 'state'),
  };
  const running: Node[] = [];
  try {
    for (const name of names) {
      const options = [
        '--name',
        name,
        '--port',
        '0',
        '--sleep-after',
        String(sleepAfter),
        ...optionsOf(name),
      ];
      const args = [serviceProgram, 'node', ...options, '--folder', join(folder, name)];
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
      running.push({ child, address: await nodeAddress(child) });
    }
    await work(running);
  } finally {
    for (const { child } of running) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
  }
}

/** The memory of all nodes with their workers in bytes, once they have released the temporary memory used for opening vaults. */
async function memoryOf(running: readonly Node[]): Promise<number> {
  await sleep(2_000);
  const pids = running.flatMap(({ child: { pid = 0 } }) => [pid, ...childrenOf(pid)]);
  return pids.reduce((sum, pid) => sum + usedBy(pid).memory, 0);
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(0);
}

function kilobytes(bytes: number): string {
  return (bytes / 1_024).toFixed(0);
}

function loads(): string {
  return loadavg()
    .map((load) => load.toFixed(1))
    .join(' ');
}
