import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { UpdateInput } from '../packages/vault/src/contract/index.ts';
import { createQueueTables, createSqliteQueue } from '../packages/vault/src/queue/index.ts';
import type { ChatModel } from '../packages/vault/src/models/index.ts';
import { report, reportLimit } from './measure.ts';
import type { Size } from './measure.ts';

const sizes = {
  full: { warmUp: 200, rounds: 2_000, documentBytes: 20_000_000, waitingMs: 3_000 },
  tiny: { warmUp: 1, rounds: 5, documentBytes: 200_000, waitingMs: 50 },
};

/**
 * Compares the cost of accepting an update with the one durable insert it needs, and measures how long a document
 * blocks the event loop.
 */
export async function queueBench(size: Size): Promise<void> {
  const { warmUp, rounds } = sizes[size];
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
      // Alternates between the ways, so that a slow disk affects all of them equally.
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
      report(`accepting in the queue, ${name}`, ours[0] ?? Number.NaN, bareInsert, 3);
      report(`accepting in an open vault, ${name}`, ours[1] ?? Number.NaN, bareInsert, 3);
    }
  } finally {
    await keepsake.close();
    bare.close();
    queued.close();
    rmSync(folder, { recursive: true, force: true });
  }
  await longDocument(sizes[size]);
}

const maxTurnMs = 20;

/** Measures how long an update with a long document blocks the event loop. */
async function longDocument({ documentBytes, waitingMs }: (typeof sizes)[Size]): Promise<void> {
  const length = `${documentBytes / 1e6} MB`;
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const vault = join(folder, 'vault');
  mkdirSync(vault);
  const asked = Promise.withResolvers<void>();
  const model: ChatModel = {
    name: 'bench/silent',
    step({ signal }) {
      asked.resolve();
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    },
  };
  const environment = readEnvironment({ ...process.env, XDG_CONFIG_HOME: folder });
  const keepsake = await openKeepsake({ vault, state: join(folder, 'state'), environment, model });
  const { updates } = keepsake.agents;
  try {
    // Creates the databases of the new vault first, so that their creation is not measured.
    keepsake.state.ensureAdopted();
    keepsake.state.databases();
    const idle = await maxBlockMs(() => sleep(waitingMs));
    const [document, accepted] = [aDocument(documentBytes), Promise.withResolvers<string>()];
    const accepting = await maxBlockMs(async () => accepted.resolve((await updates.accept(document)).id));
    const id = await accepted.promise;
    const runner = updates.start((error) => console.error(error));
    const beginning = await maxBlockMs(() => asked.promise);
    const waiting = await maxBlockMs(() => updates.whenOver(id, AbortSignal.timeout(waitingMs)));
    await runner.stop();
    reportLimit('longest block of the event loop while idle', idle, maxTurnMs, 'ms');
    reportLimit(`the same while waiting for ${length}`, waiting, maxTurnMs, 'ms');
    reportLimit(`the same while storing ${length}, without receiving them`, accepting, maxTurnMs, 'ms');
    console.log(`the same while reading ${length} and showing them to the agent: ${beginning.toFixed(1)} ms`);
  } finally {
    await keepsake.close();
  }
  const database = openDurable(join(folder, 'removing.sqlite'));
  try {
    const queue = createSqliteQueue(database, Date.now);
    await queue.accept('document', { files: aDocument(documentBytes).files });
    const claim = queue.claim();
    const reading = await maxBlockMs(async () => claim && queue.readFiles(claim.update));
    if (claim !== null) queue.complete(claim, null);
    const removing = await maxBlockMs(() => queue.removeUnusedFiles());
    reportLimit(`the same while the queue reads ${length}`, reading, maxTurnMs, 'ms');
    reportLimit(`the same while the queue removes ${length}`, removing, maxTurnMs, 'ms');
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The longest block of the event loop, in milliseconds of CPU time, so that other processes do not count. */
async function maxBlockMs(work: () => Promise<unknown>): Promise<number> {
  await sleep(50);
  let [longest, last] = [0, process.threadCpuUsage()];
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

/** A document of this size: a note and its original. */
function aDocument(bytes: number): UpdateInput {
  const note = Buffer.from('---\noriginal: "minutes.pdf"\n---\n\n# Minutes\n');
  return {
    text: 'The minutes of Monday',
    files: [
      { name: 'minutes.md', bytes: note },
      { name: 'minutes.pdf', bytes: randomBytes(bytes) },
    ],
    source: { kind: 'person', name: 'bench' },
  };
}

/** Opens a database with the tables of the queue and full durability. */
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
