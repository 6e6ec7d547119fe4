import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusyMachine } from '../busy-machine.ts';
import { createRandom } from '../fuzz/mutate.ts';
import type { Random } from '../fuzz/mutate.ts';
import { findOwnerProcess } from '../../packages/vault/src/app/index.ts';
import { processVariables } from '../process-variables.ts';
import { run, serve, workOf } from './program.ts';

/** The time limit on an otherwise idle machine. */
const maxSeconds = 2;
const operations = ['change', 'diff', 'undo', 'restore'] as const;
type Operation = (typeof operations)[number];
/**
 * `times` is the duration as a multiple of the time to read and write the file; `alone` is the duration without other
 * load.
 */
type Measured = { operation: Operation; seconds: number; times: number; alone: number };

/** Creates the lines of files that are expensive to compare, by kind. */
const kinds: Record<string, (random: Random) => string[]> = {
  'repeated lines': (random) =>
    Array.from({ length: 10_000 }, () => ['', '- [ ] task', 'done'][random(3)] ?? ''),
  'lines of 1 MB': (random) => Array.from({ length: 8 }, () => `${random(9)}`.repeat(1_000_000)),
  '100,000 lines': (random) =>
    Array.from({ length: 100_000 }, (_, index) => (index % 3 === 0 ? '' : `${index} ${random(1e6)}`)),
  '100,000 lines of forty kinds': (random) => Array.from({ length: 100_000 }, () => `line ${random(40)}`),
};

/**
 * Changes large files through the server, shows the change, edits the file externally, undoes the change and restores it. Each operation has
 * to finish in time with every line in its place, and the server has to respond meanwhile.
 */
export async function diffsCampaign(rounds: number): Promise<number> {
  const seed = Number(process.env['SEED'] ?? 7);
  const service = await startService();
  const problems: string[] = [];
  const measured: Measured[] = [];
  const health = watchHealth(service);
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const [index, [kind, make]] of Object.entries(kinds).entries()) {
        const random = createRandom(seed + round * 100 + index);
        const path = `note-${round}-${index}.md`;
        const found = await tryFile(service, path, make(random), random, (one) => measured.push(one));
        problems.push(...found.map((problem) => `${kind}, round ${round}: ${problem}`));
      }
  } finally {
    await health.stop();
    service.child.kill('SIGKILL');
    rmSync(service.root, { recursive: true, force: true });
  }
  const worst = operations.map((operation) => {
    const own = measured.filter((each) => each.operation === operation);
    const maxOf = (of: (one: Measured) => number): number => Math.max(0, ...own.map(of));
    return `${operation} ${maxOf(({ seconds }) => seconds).toFixed(2)} s (${maxOf(({ alone }) => alone).toFixed(2)} s of an unshared processor, ${maxOf(({ times }) => times).toFixed(0)} times)`;
  });
  const shared = Math.max(1, ...measured.map(({ seconds, alone }) => seconds / alone));
  console.log(
    `diffs: seed ${seed}, ${measured.length} operations on ${rounds * Object.keys(kinds).length} files; slowest, and as a multiple of reading and writing the file: ${worst.join(', ')}; health ${health.slowest().toFixed(2)} s in ${health.asked()} requests; at most ${shared.toFixed(1)} processes shared a processor`,
  );
  if (health.slowest() > maxSeconds * shared) problems.push('the server did not respond meanwhile');
  if (measured.length === 0 || health.asked() === 0) problems.push('nothing was tried');
  for (const problem of problems.slice(0, 20)) console.log(`FAILED: ${problem}`);
  return problems.length;
}

async function tryFile(
  service: Service,
  path: string,
  lines: string[],
  random: Random,
  note: (measured: Measured) => void,
): Promise<string[]> {
  const file = join(service.vault, path);
  const problems: string[] = [];
  const text = (all: readonly string[]): string => `# Long\n\n${all.join('\n')}\n`;
  writeFileSync(file, text(lines));
  const bare = secondsOf(() => readAndWrite(file));
  const timed = async (operation: Operation, work: () => Promise<Response>): Promise<Response> => {
    const [before, used, stolen] = [sharedBy(), workOf(service.pid), stolenSeconds()];
    const started = performance.now();
    const response = await work();
    const seconds = (performance.now() - started) / 1000;
    // The load is measured only before and after the operation, so the result is also capped at the server's CPU time,
    // which may include other work.
    const shared = Math.max(before, sharedBy());
    const alone = Math.min(seconds / shared, workOf(service.pid) - used);
    note({ operation, seconds, times: seconds / bare, alone });
    // On a shared processor, caches are cold and time is lost to other processes.
    const isBusy = shared > 1.5 || isBusyMachine();
    const isStolen = stolenSeconds() - stolen > seconds / 10;
    if (alone > maxSeconds * (isStolen ? 10 : isBusy ? 3 : 1))
      problems.push(`${operation} took ${seconds.toFixed(1)} s, ${alone.toFixed(1)} s of CPU time`);
    return response;
  };
  const added = withMore(lines, random);
  const changing = await timed('change', () =>
    service.send('PUT', `/files/${path}`, text(added), { 'content-type': 'text/markdown', 'if-match': '*' }),
  );
  const { change } = (await changing.json()) as { change?: string };
  if (change === undefined) return [...problems, `the change was answered with ${changing.status}`];
  const shown = await timed('diff', () => service.send('GET', `/history/${change}`));
  const { diffs } = (await shown.json()) as { diffs: { diff: string }[] };
  if (!/^\+/m.test(diffs[0]?.diff.split('\n').slice(3).join('\n') ?? '')) problems.push('the diff is empty');

  const changed = readFileSync(file, 'utf8');
  writeFileSync(file, `${changed}by the person ${path}\n`);
  const undone = await timed('undo', () =>
    service.send('POST', `/history/${change}/undo`, '{}', { 'content-type': 'application/json' }),
  );
  const body = bodyOf(readFileSync(file, 'utf8'));
  if (undone.status !== 200) problems.push(`undo was answered with ${undone.status}`);
  else if (body !== `${text(lines)}by the person ${path}\n`)
    problems.push('undo left something other than the edit');
  const restored = await timed('restore', () =>
    service.send('POST', `/history/${change}/restore`, JSON.stringify({ path }), {
      'content-type': 'application/json',
    }),
  );
  if (restored.status !== 200 || bodyOf(readFileSync(file, 'utf8')) !== bodyOf(changed))
    problems.push(`restore was answered with ${restored.status}, or left different content`);
  return problems;
}

/** Inserts a tenth more lines at random positions. */
function withMore(lines: readonly string[], random: Random): string[] {
  return lines
    .flatMap((line) => (random(10) === 0 ? [line, lines[random(lines.length)] ?? ''] : [line]))
    .concat('last');
}

function bodyOf(text: string): string {
  return text.replace(/^---\n[^]*?\n---\n\n?/, '');
}

function readAndWrite(file: string): void {
  const bytes = readFileSync(file);
  const copy = openSync(`${file}.bare`, 'w');
  writeSync(copy, bytes);
  fsyncSync(copy);
  closeSync(copy);
  rmSync(`${file}.bare`);
}

/** Estimates how many processes share a processor, from the wall time in which this thread gets some milliseconds of CPU time. */
function sharedBy(): number {
  const [started, used] = [performance.now(), process.threadCpuUsage()];
  for (;;) {
    const { user, system } = process.threadCpuUsage(used);
    if (user + system > 40_000) return Math.max(1, ((performance.now() - started) * 1000) / (user + system));
  }
}

/** The CPU time that the hypervisor gave to other guests; while it grows, measurements are unreliable. */
function stolenSeconds(): number {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? [];
  return Number(ticks[7] ?? 0) / 100;
}

function secondsOf(work: () => void): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

type Service = {
  root: string;
  vault: string;
  child: ChildProcess;
  pid: number;
  url: string;
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Response>;
};

async function startService(): Promise<Service> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-diffs-'));
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  const env = { ...processVariables, HOME: root };
  const place = ['--vault', vault, '--state', state];
  run(['init', vault], env);
  const { child, url } = await serve(place, env);
  // Requests are sent as the user, because only the user may restore.
  const secret = findOwnerProcess(state, Date.now)?.secret ?? '';
  return {
    root,
    vault,
    child,
    pid: child.pid ?? 0,
    url,
    send: (method, path, body, headers = {}) =>
      fetch(`${url}/api/vaults/default${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, ...headers },
        ...(body !== undefined && { body }),
      }),
  };
}

/** Polls the health of the server and records the slowest response. */
function watchHealth({ url }: Service): {
  slowest: () => number;
  asked: () => number;
  stop: () => Promise<void>;
} {
  const seen = { slowest: 0, asked: 0, isOver: false };
  const asking = (async () => {
    while (!seen.isOver) {
      const started = performance.now();
      await fetch(`${url}/api/health`).catch(() => undefined);
      seen.slowest = Math.max(seen.slowest, (performance.now() - started) / 1000);
      seen.asked += 1;
      await sleep(25);
    }
  })();
  return {
    slowest: () => seen.slowest,
    asked: () => seen.asked,
    async stop() {
      seen.isOver = true;
      await asking;
    },
  };
}
