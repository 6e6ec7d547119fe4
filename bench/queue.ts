import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openKeepsake, readEnvironment } from '../src/app/index.ts';
import { createQueueTables, createSqliteQueue } from '../src/queue/index.ts';
import { report } from './measure.ts';

const [warmUp, rounds] = [200, 2_000];

/** What it costs to accept an update, against the one durable insert it cannot do without. */
export async function queueBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const vault = join(folder, 'vault');
  mkdirSync(vault);
  const [bare, queued] = [
    openDurable(join(folder, 'bare.sqlite')),
    openDurable(join(folder, 'queue.sqlite')),
  ];
  const keepsake = await openKeepsake({
    vault,
    state: join(folder, 'state'),
    environment: readEnvironment({ ...process.env, XDG_CONFIG_HOME: folder }),
  });
  try {
    const insert = bare.prepare(
      `insert into updates (id, key, accepted_at, state, input) values (?, ?, ?, 'waiting', ?)`,
    );
    const queue = createSqliteQueue(queued, Date.now);
    const { updates } = keepsake.agents;
    const input = anInput();
    const ways = [
      { name: 'insert', work: async () => insert.run(randomUUID(), null, Date.now(), JSON.stringify(input)) },
      { name: 'queue', work: () => queue.accept(input) },
      { name: 'Keepsake', work: () => updates.accept(input) },
    ].map((way) => ({ ...way, times: [] as number[] }));
    for (let round = -warmUp; round < rounds; round += 1) {
      // In turn, so that a slow moment of the disk does not fall on one of them alone.
      for (const { work, times } of ways) {
        const start = performance.now();
        await work();
        if (round >= 0) times.push(performance.now() - start);
      }
    }
    for (const share of [0.5, 0.99]) {
      const [theirs = Number.NaN, ...ours] = ways.map(({ times }) => quantile(times, share));
      const bareInsert = { name: 'a bare insert', time: theirs };
      const name = `p${share * 100} of ${rounds}`;
      report(`accept of the queue, ${name}`, ours[0] ?? Number.NaN, bareInsert, 3);
      report(`accept of an open vault, ${name}`, ours[1] ?? Number.NaN, bareInsert, 3);
    }
  } finally {
    await keepsake.close();
    bare.close();
    queued.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A table of the same shape on the same disk, as durable. */
function openDurable(file: string): Database.Database {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  createQueueTables(database);
  return database;
}

/** 400 bytes of JSON. */
function anInput() {
  const input = { text: '', files: [], source: { kind: 'person' as const, name: 'bench' } };
  return { ...input, text: 'x'.repeat(400 - JSON.stringify(input).length) };
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
