import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isBusyMachine } from '../busy-machine.ts';
import { startCoverage } from './coverage.ts';
import { createRandom, mutate } from './mutate.ts';
import { Broken } from './target.ts';
import type { Opened, Target } from './target.ts';

export type Fuzzed = { executions: number; seeds: number; kept: number; blocks: number; findings: Finding[] };
type Finding = { problem: string; file: string };

/** In microseconds of this thread. Nothing that is read here may take so long; a busy machine makes all of it slower. */
const mostTime = (): number => (isBusyMachine() ? 8_000_000 : 2_000_000);
const batch = 256;
const mostFindings = 10;
const sources = new URL('../../packages/vault/src/', import.meta.url).href;

type Options = {
  name: string;
  executions: number;
  seed: number;
  /** Where inputs that break something are written. */
  folder: string;
  /** An open file that always holds the input being tried, behind its number: for whoever watches. */
  current: number;
};

/**
 * Tries inputs that come of those known by changing them. One that runs parts of our sources which none before has run is
 * known from then on, so that the next ones go on from there.
 */
export async function fuzz(
  target: Target,
  { name, executions, seed, folder, current }: Options,
): Promise<Fuzzed> {
  const random = createRandom(seed);
  const seeds = readSeeds(name);
  const inputs = [...seeds];
  const words = target.words.map((word) => Buffer.from(word));
  const coverage = startCoverage(sources);
  const known = new Set<string>();
  const findings = new Map<string, Finding>();
  const opened = await target.open();
  const tries = { made: 0 };

  const attempt = async (input: Buffer): Promise<void> => {
    tries.made += 1;
    writeCurrent(current, tries.made, input);
    const problem = await problemOf(opened, input);
    if (problem === null || findings.has(kindOf(problem))) return;
    const file = join(folder, `${name}-${createHash('sha1').update(input).digest('hex').slice(0, 12)}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, await shortened(opened, input, kindOf(problem)));
    findings.set(kindOf(problem), { problem, file });
  };
  /** Asking what has run costs more than running, so it is asked about many at once, and then about each half. */
  const keepThoseThatComeFurther = async (tried: readonly Buffer[]): Promise<void> => {
    for (const input of tried) await attempt(input);
    const fresh = coverage.take().filter((block) => !known.has(block));
    const [only] = tried;
    if (fresh.length === 0 || only === undefined) return;
    if (tried.length === 1) {
      inputs.push(only);
      for (const block of fresh) known.add(block);
      return;
    }
    const half = Math.ceil(tried.length / 2);
    await keepThoseThatComeFurther(tried.slice(0, half));
    await keepThoseThatComeFurther(tried.slice(half));
  };

  for (const input of seeds) await attempt(input);
  for (const block of coverage.take()) known.add(block);
  while (tries.made < executions && findings.size < mostFindings) {
    const tried = Array.from({ length: Math.min(batch, executions - tries.made) }, () =>
      mutate(inputs, words, target.longest, random),
    );
    await keepThoseThatComeFurther(tried);
  }
  await opened.close?.();
  return {
    executions: tries.made,
    seeds: seeds.length,
    kept: inputs.length - seeds.length,
    blocks: known.size,
    findings: [...findings.values()],
  };
}

function readSeeds(name: string): Buffer[] {
  const folder = new URL(`seeds/${name}/`, import.meta.url);
  const seeds = readdirSync(folder)
    .toSorted()
    .map((file) => readFileSync(new URL(file, folder)));
  if (seeds.length === 0) throw new Error(`there are no seeds for ${name}`);
  return seeds;
}

function writeCurrent(file: number, number: number, input: Buffer): void {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(number, 0);
  head.writeUInt32LE(input.length, 4);
  writeSync(file, Buffer.concat([head, input]), 0, head.length + input.length, 0);
}

async function problemOf(opened: Opened, input: Buffer): Promise<string | null> {
  const start = process.threadCpuUsage();
  try {
    await opened.run(input);
  } catch (error) {
    if (error instanceof Broken) return error.message;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { user, system } = process.threadCpuUsage(start);
  return user + system > mostTime() ? `it took more than ${mostTime() / 1e6} s` : null;
}

/** What makes two problems the same: what is said first, without what differs from input to input. */
function kindOf(problem: string): string {
  return (problem.split('\n')[0] ?? '').replaceAll(/\d+|"[^"]*"/g, '…');
}

/** The input without what the problem does not need. */
async function shortened(opened: Opened, input: Buffer, kind: string): Promise<Buffer> {
  let short = input;
  for (let size = Math.ceil(input.length / 2), left = 300; size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < short.length && left > 0; left -= 1) {
      const without = Buffer.concat([short.subarray(0, at), short.subarray(at + size)]);
      const problem = await problemOf(opened, without);
      if (problem !== null && kindOf(problem) === kind) short = without;
      else at += size;
    }
  return short;
}
