import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { otherReason } from '../../packages/vault/src/contract/index.ts';
import { createWriterLock } from '../../packages/vault/src/changes/index.ts';
import {
  createQueueTables,
  createSqliteQueue,
  startQueueRunner,
} from '../../packages/vault/src/queue/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { startScriptedModel } from '../scripted-model/server.ts';
import { serve } from './program.ts';

const day = 24 * 3_600_000;
const jumps = [1_000, 60_000, 3_600_000, day, 365 * day].flatMap((by) => [by, -by]);
/**
 * Timeout in real milliseconds. When it is reached, something is stuck, because every delay of the queue in this
 * campaign is below a second.
 */
const timeoutMs = 120_000;

type Random = { next: () => number; oneOf: <Value>(values: readonly Value[]) => Value };

function seeded(seed: number): Random {
  let state = seed;
  const next = (): number => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  return { next, oneOf: (values) => values[Math.floor(next() * values.length)] as (typeof values)[number] };
}

/**
 * Moves the clock back and forth, by a second to a year, for a queue with two workers, dead workers and failures, for the writer lock, and
 * for a real server. Nothing gets stuck, nothing is lost, nothing is done twice.
 */
export async function clockCampaign(count: number): Promise<number> {
  let [failed, updates, jumped] = [0, 0, 0];
  for (let round = 1; round <= count; round += 1) {
    const random = seeded(round);
    const queued = await queueRound(random);
    updates += queued.updates;
    jumped += queued.jumps;
    const problems = [...queued.problems, ...(round % 5 === 1 ? await lockRound(random) : [])];
    if (problems.length > 0) console.log(`FAILED: round ${round}: ${problems.join('; ')}`);
    failed += problems.length;
  }
  const served = await serviceRounds(Math.max(3, Math.floor(count / 25)));
  for (const problem of served.problems) console.log(`FAILED: service: ${problem}`);
  failed += served.problems.length;
  if (jumped === 0 || served.filed === 0) failed += 1;
  console.log(
    `clock: ${updates} updates over ${jumped} jumps in ${count} rounds; ${served.filed} filed by a service over ${served.jumps} jumps`,
  );
  return failed;
}

async function queueRound(random: Random): Promise<{ updates: number; jumps: number; problems: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-clock-'));
  let [shift, jumped] = [0, 0];
  const clock = (): number => Date.now() + shift;
  const databases = [0, 1].map(() => new Database(join(folder, 'queue.sqlite'), { timeout: 10_000 }));
  const [first] = databases as [Database.Database];
  first.pragma('journal_mode = WAL');
  createQueueTables(first);
  first.exec('create table effects (seq integer primary key autoincrement, id text unique, number integer)');
  const effect = first.prepare('insert or ignore into effects (id, number) values (?, ?)');
  // A claim lost to a clock jump uses up an attempt. The limit is so high that no update is parked because of this.
  const timing = { leaseMs: 200, backoffMs: 30, maxAttempts: 100, maxWaitMs: 400 };
  const queues = databases.map((database) => createSqliteQueue(database, clock, timing));
  const [queue] = queues as [(typeof queues)[0]];
  const jump = (): void => {
    shift += random.oneOf(jumps);
    jumped += 1;
  };
  const runners = queues.map((each) =>
    startQueueRunner({
      queue: each,
      clock,
      pollIntervalMs: 20,
      onError: () => undefined,
      async handler({ update: { id, input, attempts } }, signal) {
        if (random.next() < 0.3) jump();
        await sleep(random.next() * 10);
        // With more attempts, the regular retry delays would exceed the timeout.
        if (attempts < 4 && random.next() < 0.3)
          return { kind: 'failed', reason: otherReason('no answer'), again: 'backoff' };
        signal.throwIfAborted();
        effect.run(id, input);
        if (random.next() < 0.2) jump();
        return { kind: 'done', result: null };
      },
    }),
  );
  const count = 6;
  for (let number = 0; number < count; number += 1) {
    await queue.accept(number);
    if (random.next() < 0.5) jump();
    // A worker that claims an update and disappears.
    if (random.next() < 0.3) queue.claim();
    runners[0]?.wake();
    await sleep(random.next() * 20);
  }
  const giveUp = performance.now() + timeoutMs;
  while (queue.peek() !== null && performance.now() < giveUp) await sleep(10);
  await Promise.all(runners.map((runner) => runner.stop()));
  const problems: string[] = [];
  if (queue.countByState().done !== count) problems.push(`stuck: ${JSON.stringify(queue.countByState())}`);
  const effects = first.prepare('select number from effects order by seq').pluck().all() as number[];
  if (effects.join() !== Array.from({ length: count }, (_, number) => number).join())
    problems.push(`lost, duplicated or out of order: ${effects.join()}`);
  for (const database of databases) database.close();
  rmSync(folder, { recursive: true, force: true });
  return { updates: count, jumps: jumped, problems };
}

/** Two processes take turns with a lock that a crashed third one with a different clock has left behind. */
async function lockRound(random: Random): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-clock-'));
  let shift = 0;
  const clock = (): number => Date.now() + shift;
  const databases = [0, 1].map(() => new Database(join(folder, 'lock.sqlite'), { timeout: 10_000 }));
  // Time passes five times as fast, so that a lease of five seconds expires after one.
  const elapsed = (): number => performance.now() * 5;
  const locks = databases.map((database) => createWriterLock({ database, clock, monotonicNow: elapsed }));
  databases[0]
    ?.prepare(`update writer set owner = 'writer', pid = 1, host = 'elsewhere#1', until = ?`)
    .run(clock() + random.oneOf(jumps));
  const problems: string[] = [];
  let inside = 0;
  const turns = locks.flatMap((lock) =>
    Array.from({ length: 3 }, () =>
      lock
        .withLease(async (grant) => {
          inside += 1;
          if (inside > 1) problems.push('two processes hold the writer lock');
          shift += random.oneOf(jumps);
          await sleep(1);
          grant.assertHeld();
          inside -= 1;
        })
        .catch((error: unknown) => problems.push(String(error))),
    ),
  );
  const giveUp = new AbortController();
  await Promise.race([
    Promise.all(turns),
    sleep(timeoutMs, undefined, { signal: giveUp.signal }).then(() => problems.push('the lock is stuck')),
  ]);
  giveUp.abort();
  for (const database of databases) database.close();
  rmSync(folder, { recursive: true, force: true });
  return problems;
}

/** Changes the clock of a server repeatedly while it receives updates and serves one browser session. */
async function serviceRounds(rounds: number): Promise<{ filed: number; jumps: number; problems: string[] }> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-clock-'));
  const [vault, state, shiftFile] = ['vault', 'state', 'shift'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  initVault(vault, { language: 'en', home: root, clock: Date.now });
  const random = seeded(7);
  let shift = 0;
  const setClock = (to: number): void => {
    shift = to;
    writeFileSync(`${shiftFile}.new`, String(to));
    renameSync(`${shiftFile}.new`, shiftFile);
  };
  setClock(0);
  const model = await startScriptedModel();
  const failedOnce = new Set<string>();
  model.respond(({ userTexts, toolResults }) => {
    // The input comes last in the prompt, after the content of the vault.
    const mark =
      userTexts
        .join('\n')
        .match(/mark-\d+/g)
        ?.at(-1) ?? 'mark';
    // Every other update fails once, so that the clock changes while it waits for its next attempt.
    if (Number(mark.slice(5)) % 2 === 1 && !failedOnce.has(mark)) {
      failedOnce.add(mark);
      return { fault: 'status', status: 429, headers: { 'x-should-retry': 'false' } };
    }
    const path = `vault/bucket/${mark}.md`;
    return existsSync(join(root, path)) || toolResults.length > 0
      ? { text: `Summary: filed ${mark}` }
      : {
          calls: [{ tool: 'write', input: { path, content: `${wordsOf(mark)}\n` } }],
          text: `Summary: ${mark}`,
        };
  });
  const variables = {
    ...processVariables,
    HOME: root,
    XDG_CONFIG_HOME: join(root, 'config'),
    KEEPSAKE_MODEL: 'openai-compatible/test',
    KEEPSAKE_MODEL_BASE_URL: model.baseUrl,
    KEEPSAKE_MODEL_API_KEY: 'test-key',
    CLOCK_SHIFT: shiftFile,
    NODE_OPTIONS: `--import=${resolve('test/campaigns/shifted-clock.mjs')}`,
  };
  const problems: string[] = [];
  const expected: string[] = [];
  const place = ['--vault', vault, '--state', state];
  let service = await serve(place, variables);
  const cookie = await signIn(service.link);
  for (let round = 0; round < rounds; round += 1) {
    const mark = `mark-${round}`;
    setClock(shift + random.oneOf(jumps));
    const status = await handOver(service.url, state, wordsOf(mark));
    if (status === 202) expected.push(mark);
    else problems.push(`${mark} was answered with ${status}`);
    setClock(shift + random.oneOf(jumps));
    if (!(await isFiled(vault, mark))) problems.push(`${mark} is not filed`);
    const page = await fetch(`${service.url}/api/vaults/default/tree`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    if (page.status !== 200) problems.push(`the session was lost after ${round + 1} jumps (${page.status})`);
  }
  // The server is killed with pending work and the clock a year ahead; the next one starts with the correct clock.
  setClock(365 * day);
  await sleep(1_500);
  const last = 'mark-1000001';
  if ((await handOver(service.url, state, wordsOf(last))) === 202) expected.push(last);
  await sleep(1_000);
  service.child.kill('SIGKILL');
  setClock(0);
  service = await serve(place, variables);
  for (const mark of expected) if (!(await isFiled(vault, mark))) problems.push(`${mark} is lost`);
  const ended = new Promise((done) => service.child.once('close', done));
  service.child.kill('SIGTERM');
  if ((await ended) !== 0) problems.push('the server did not exit normally');
  await model.close();
  rmSync(root, { recursive: true, force: true });
  return { filed: expected.length, jumps: rounds * 2 + 2, problems };
}

const wordsOf = (mark: string): string => `The boiler ${mark} was repaired by the neighbour.`;

async function signIn(link: string): Promise<string> {
  const opened = await fetch(link, { redirect: 'manual' });
  return opened.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Submits an update with the secret from the state folder, whatever the clock says. */
async function handOver(url: string, state: string, text: string): Promise<number> {
  const locks = new Database(join(state, 'lock.sqlite'), { readonly: true });
  const secret = String(locks.prepare('select secret from owner').pluck().get());
  locks.close();
  const response = await fetch(`${url}/api/vaults/default/updates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  return response.status;
}

async function isFiled(vault: string, mark: string): Promise<boolean> {
  const file = join(vault, 'bucket', `${mark}.md`);
  const giveUp = performance.now() + timeoutMs;
  while (performance.now() < giveUp) {
    if (existsSync(file) && readFileSync(file, 'utf8').includes(wordsOf(mark))) return true;
    await sleep(50);
  }
  return false;
}
