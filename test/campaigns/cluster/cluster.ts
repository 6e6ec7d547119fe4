import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { readEnvironment } from '../../../packages/vault/src/app/index.ts';
import { createLimiter } from '../../../packages/vault/src/contract/index.ts';
import {
  createPlacement,
  createRootKey,
  createServiceToken,
  migrateService,
  openHostedVault,
  registerVault,
} from '../../../packages/service/src/hosting/index.ts';
import type { ObjectStore } from '../../../packages/service/src/hosting/index.ts';
import { openPool, startPostgres } from '../../hosting/postgres.ts';
import { startObjectStore } from '../../hosting/s3.ts';
import { processVariables } from '../../process-variables.ts';
import { randomNumbers } from '../../random-numbers.ts';
import { nodeAddress, serviceProgram } from '../program.ts';
import { hashesIn, problemsOf } from './check.ts';
import { cuts, startNetwork } from './network.ts';
import type { TestNetwork } from './network.ts';
import { failovers, hasPatroni, members, startPatroni } from './patroni.ts';
import { isAffected, stopWorker } from './stuck-workers.ts';
import type { StuckWorker } from './stuck-workers.ts';
import { begin, writeHeavyNotes, writeOn } from './writers.ts';
import type { Written } from './writers.ts';

const nodeNames = ['a', 'b', 'c'];
const databasePort = 5432;
const rootKeyBytes = Buffer.alloc(32, 1);
const rootKey = createRootKey(rootKeyBytes);

/**
 * Writes to vaults through three nodes in network namespaces, each with two workers. Nodes are killed with or without their disks and cut
 * off from the database in every direction, workers are stopped, some vaults get notes of up to 18 MB, and the database fails over to its
 * synchronous standby. At the end all disks are deleted. Everything acknowledged exists exactly once and in order, files are recovered byte
 * for byte, history and journal agree, and no node loses a vault because of a stopped worker. For every ten kills there are five stopped
 * workers, three network cuts and one failover; without failovers, the database is a single PostgreSQL.
 */
export async function clusterCampaign(kills: number, vaults = kills < 10 ? 6 : 300): Promise<number> {
  const counts = {
    kill: kills,
    stop: Math.ceil(kills * 0.5),
    cut: Math.ceil(kills * 0.3),
    failover: Math.floor(kills / 10),
  };
  const network = startNetwork([...nodeNames, ...members]);
  if (network === null) {
    console.log('cluster: NOT RUN, network namespaces are not permitted on this machine');
    return 0;
  }
  if (counts.failover > 0 && !hasPatroni()) {
    console.log('cluster: without failovers, patroni, etcd-server or haproxy is not installed');
    counts.failover = 0;
  }
  const root = mkdtempSync(join(tmpdir(), 'keepsake-cluster-'));
  const random = randomNumbers(kills);
  const objects = await startObjectStore(network.address);
  const database = counts.failover > 0 ? await startPatroni(network) : await onePostgres(network);
  const nodes = new Nodes(root, network, { database: database.url, store: objects.settings });
  const over = new AbortController();
  const problems: string[] = [];
  const times = { afterKill: [] as number[], afterStop: [] as number[], others: [] as number[] };
  const gaps: number[] = [];
  let waits = times.afterKill;
  let stuck: StuckWorker | null = null;
  try {
    await migrateService(database.pool);
    const written: Written[] = [];
    for (let count = 0; count < vaults; count += 1) {
      const vault = await registerVault(database.pool, rootKey);
      const token = await createServiceToken(
        { pool: database.pool, rootKey },
        { vault, name: 'campaign', scope: 'write' },
      );
      written.push({
        vault,
        token,
        tried: 0,
        lines: [],
        updates: [],
        isRefused: false,
        orphanedAt: null,
        isHeavy: count % 15 === 14 || (vaults < 15 && count === 0),
      });
    }
    await Promise.all(nodeNames.map((name) => nodes.start(name)));
    const anyAddress = (): string => nodes.any(random).address;
    const runExclusive = createLimiter(8);
    await Promise.all(
      written.map((each) =>
        runExclusive(async () => {
          while (!(await begin(anyAddress(), each))) await sleep(200);
        }),
      ),
    );
    // Limits the writes per second independent of the number of vaults, so that this machine has time for everything else.
    const pause = (): number => random() * vaults * 100;
    const onAnswered = (each: Written, tookMs: number): void => {
      if (stuck !== null && !isAffected(each, stuck)) times.others.push(tookMs);
    };
    const options = { anyAddress, pause, over: over.signal, waits: () => waits, onAnswered };
    const writing: Promise<unknown>[] = written.map((each) => writeOn(each, options));
    const heavy = writeHeavyNotes(
      written.filter(({ isHeavy }) => isHeavy),
      options,
    );

    const faults = shuffled(
      Object.entries(counts).flatMap(([kind, count]) => Array.from({ length: count }, () => kind)),
      random,
    );
    const done = { kill: 0, stop: 0, cut: 0, failover: 0 };
    const until = async (when: string, goesOn: (each: Written) => boolean): Promise<void> => {
      for (const began = performance.now(); ; await sleep(50)) {
        const waiting = written.filter((each) => !goesOn(each));
        if (waiting.length === 0) return;
        if (performance.now() - began < 600_000) continue;
        problems.push(`${when}, ${waiting.length} vaults are stuck, such as ${waiting[0]?.vault}`);
        return;
      }
    };
    for (const kind of faults) {
      // Writers that have sent no request since the last kill are no longer timed: other faults would add to their
      // time.
      for (const each of written) each.orphanedAt = null;
      if (kind === 'kill') {
        const { name } = nodes.any(random);
        const { rows } = await database.pool.query<{ id: string }>('select id from vaults where owner = $1', [
          name,
        ]);
        const owned = new Set(rows.map(({ id }) => id));
        const isDiskLost = random() < 0.5;
        await nodes.kill(name, isDiskLost);
        waits = times.afterKill;
        for (const each of written) if (owned.has(each.vault)) each.orphanedAt = performance.now();
        if (isDiskLost) nodes.loseDisk(name);
        await sleep(random() * 6_000);
        await nodes.start(name);
      } else if (kind === 'stop') {
        stuck = stopWorker(database.pool, nodes.any(random), random);
        waits = times.afterStop;
        for (const each of written) if (stuck?.vaults.has(each.vault)) each.orphanedAt = performance.now();
        const lost = await stuck?.replaced;
        stuck = null;
        for (const vault of lost ?? []) problems.push(`${vault}: lost because a worker was stopped`);
      } else if (kind === 'cut') {
        const { name } = nodes.any(random);
        network.cut(name, databasePort, cuts[done.cut % cuts.length] ?? 'both ways');
        await sleep(1_000 + random() * (kills < 10 ? 3_000 : 9_000));
        network.heal(name);
      } else {
        const took = await database.failOver(failovers[done.failover % failovers.length] ?? 'switchover');
        gaps.push(took);
      }
      done[kind as keyof typeof done] += 1;
      // Every rejected writer has to succeed again before the next fault.
      await until(`after a ${kind}`, ({ isRefused }) => !isRefused);
      if (kills >= 10) console.log(`  ${new Date().toISOString().slice(11, 19)} ${JSON.stringify(done)}`);
    }
    const counted = new Map(written.map((each) => [each, acknowledgedBy(each)]));
    await until('at the end', (each) => acknowledgedBy(each) > (counted.get(each) ?? 0));
    over.abort();
    await Promise.all(writing);
    const heavyNotes = await heavy;
    // By then, the last unanswered requests are either applied or not.
    await sleep(3_000);
    nodes.killAll();
    // Opening vaults blocks this process for seconds, so that a pool with timeouts would lose its connections.
    const pool = openPool(database.url, 8);
    await checkAll({ root, nodes, pool, store: objects.store, written, problems });
    await pool.end();
    const sum = (of: (each: Written) => number): number =>
      written.reduce((total, each) => total + of(each), 0);
    console.log(
      `cluster: ${done.kill} kills, ${done.stop} stopped workers, ${done.cut} cuts, ${done.failover} failovers, 3 nodes, ` +
        `${vaults} vaults, ${heavyNotes} notes of up to 18 MB; ` +
        `${sum(({ lines }) => lines.length)} lines and ${sum(({ updates }) => updates.length)} updates acknowledged, ` +
        `${sum((each) => each.tried - acknowledgedBy(each))} rejected or unknown; ` +
        `recovered on another node after a kill: ${inSeconds(times.afterKill)}; ` +
        `after a worker was stopped: ${inSeconds(times.afterStop)}, meanwhile the other vaults answered: ${inSeconds(times.others)}; database unavailable in a failover: ${inSeconds(gaps)}; ` +
        `load ${loadavg()
          .map((load) => load.toFixed(1))
          .join(' ')}`,
    );
  } finally {
    over.abort();
    nodes.killAll();
    await database.stop();
    await objects.stop();
    network.remove();
    rmSync(root, { recursive: true, force: true });
  }
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  return problems.length;
}

type Database = {
  url: string;
  pool: pg.Pool;
  failOver: Awaited<ReturnType<typeof startPatroni>>['failOver'];
  stop(): Promise<void>;
};

async function onePostgres(network: TestNetwork): Promise<Database> {
  const postgres = await startPostgres(network.address);
  const pool = await postgres.createDatabase('service');
  const failOver = (): never => {
    throw new Error('no standby is available');
  };
  return { url: postgres.urlOf('service'), pool, failOver, stop: () => postgres.stop() };
}

type Node = { name: string; child: ChildProcess; address: string };
type Shared = { database: string; store: Awaited<ReturnType<typeof startObjectStore>>['settings'] };

/** The running nodes. */
class Nodes {
  readonly #running = new Map<string, Node>();
  readonly #root: string;
  readonly #network: TestNetwork;
  readonly #env: NodeJS.ProcessEnv;

  constructor(root: string, network: TestNetwork, { database, store }: Shared) {
    [this.#root, this.#network] = [root, network];
    const keyFile = join(root, 'root.key');
    writeFileSync(keyFile, rootKeyBytes);
    this.#env = {
      ...processVariables,
      KEEPSAKE_DATABASE_URL: database,
      KEEPSAKE_ROOT_KEY_FILE: keyFile,
      KEEPSAKE_S3_ENDPOINT: store.endpoint,
      KEEPSAKE_S3_BUCKET: store.bucket,
      AWS_ACCESS_KEY_ID: store.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
      XDG_STATE_HOME: join(root, 'state'),
    };
  }

  any(random: () => number): Node & { pid: number } {
    const node = [...this.#running.values()][Math.floor(random() * this.#running.size)] as Node;
    return { ...node, pid: node.child.pid ?? 0 };
  }

  diskOf(name: string): string {
    return join(this.#root, name);
  }

  /** Retries until the database accepts connections. */
  async start(name: string): Promise<void> {
    const at = this.#network.addressOf(name);
    const options = `--name ${name} --host ${at} --folder ${this.diskOf(name)} --snapshot-after 20 --workers 2`;
    const [run, ...args] = this.#network.on(name, [
      process.execPath,
      serviceProgram,
      'node',
      ...options.split(' '),
    ]);
    for (let attempt = 1; ; attempt += 1) {
      const child = spawn(run, args, { env: this.#env, stdio: ['ignore', 'pipe', 'ignore'] });
      const address = await nodeAddress(child).catch(() => null);
      if (address !== null) {
        this.#running.set(name, { name, child, address });
        return;
      }
      if (attempt === 60) throw new Error('the node did not start');
      await sleep(500);
    }
  }

  /** Kills a node with its workers, as if its machine were gone, or without them. */
  async kill(name: string, isMachineGone: boolean): Promise<void> {
    const { child } = this.#running.get(name) ?? {};
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    if (isMachineGone) this.#network.kill(name);
    else child?.kill('SIGKILL');
    this.#running.delete(name);
    await ended;
  }

  killAll(): void {
    for (const name of this.#running.keys()) this.#network.kill(name);
    this.#running.clear();
  }

  loseDisk(name: string): void {
    rmSync(this.diskOf(name), { recursive: true, force: true });
  }
}

type Checked = {
  root: string;
  nodes: Nodes;
  pool: pg.Pool;
  store: ObjectStore;
  written: readonly Written[];
  problems: string[];
};

/** Checks what is recovered from the database and the object store after all disks were lost. */
async function checkAll({ root, nodes, pool, store, written, problems }: Checked): Promise<void> {
  const { rows: owned } = await pool.query<{ id: string; owner: string | null }>(
    'select id, owner from vaults',
  );
  const before = new Map(
    owned.map(({ id, owner }) => [
      id,
      owner === null ? null : hashesIn(join(nodes.diskOf(owner), id, 'vault')),
    ]),
  );
  const { rows: split } = await pool.query<{ vault: string }>(
    `select distinct vault from (select vault, epoch < lag(epoch) over (partition by vault order by seq) as is_older from log) as rows
     where is_older`,
  );
  for (const { vault } of split) problems.push(`${vault}: two nodes wrote alternately`);
  for (const name of nodeNames) nodes.loseDisk(name);
  await pool.query("update nodes set seen_at = seen_at - interval '1 hour'");
  const placement = createPlacement({ pool, node: 'checker', address: 'http://checker', rootKey });
  await placement.join();
  const environment = { ...readEnvironment(processVariables), stateHome: join(root, 'checker-state') };
  const runExclusive = createLimiter(2);
  await Promise.all(
    written.map((each) =>
      runExclusive(async () => {
        const claimed = await placement.claim(each.vault);
        if (!('epoch' in claimed)) throw new Error('a node is still registered');
        const folder = join(root, 'checker', each.vault);
        const hosted = await openHostedVault({ pool, store, claimed, folder, environment });
        problems.push(...(await problemsOf(hosted.keepsake, each)));
        const [was, is] = [before.get(each.vault), hashesIn(join(folder, 'vault'))];
        for (const [path, hash] of was ?? [])
          // Every node that serves the vault regenerates `tree.md`.
          if (path !== 'tree.md' && is.get(path) !== hash)
            problems.push(`${each.vault}: ${path} was recovered with different content`);
        await hosted.close();
        rmSync(folder, { recursive: true, force: true });
      }),
    ),
  );
}

function acknowledgedBy({ lines, updates }: Written): number {
  return lines.length + updates.length;
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function inSeconds(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    ((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1_000).toFixed(1);
  return sorted.length === 0
    ? 'none'
    : `median ${at(0.5)} s, p95 ${at(0.95)} s, p99 ${at(0.99)} s, worst ${at(1)} s (of ${sorted.length})`;
}
