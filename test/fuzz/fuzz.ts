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

/**
 * The maximum CPU time of this thread per input, in microseconds; higher on a busy machine, which slows everything
 * down.
 */
const maxTimeMicroseconds = (): number => (isBusyMachine() ? 8_000_000 : 2_000_000);
const batch = 256;
const maxFindings = 10;
const sources = new URL('../../packages/vault/src/', import.meta.url).href;

type Options = {
  name: string;
  executions: number;
  seed: number;
  /** The folder for inputs that break something. */
  folder: string;
  /** An open file that always contains the number of the current input and the input itself, for the parent process. */
  current: number;
};

/**
 * Tries mutations of known inputs. An input that reaches new blocks of our sources is added to the known ones, so that later mutations
 * start from it.
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
  /**
   * Measuring coverage takes longer than running an input, so it is measured for a whole batch, and for its halves only
   * if the batch reached new blocks.
   */
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
  while (tries.made < executions && findings.size < maxFindings) {
    const tried = Array.from({ length: Math.min(batch, executions - tries.made) }, () =>
      mutate(inputs, words, target.maxBytes, random),
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
  if (seeds.length === 0) throw new Error(`no seeds for ${name}`);
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
  return user + system > maxTimeMicroseconds() ? `it took more than ${maxTimeMicroseconds() / 1e6} s` : null;
}

/** Identifies a problem: the first line of the message, without the parts that depend on the input. */
function kindOf(problem: string): string {
  return (problem.split('\n')[0] ?? '').replaceAll(/\d+|"[^"]*"/g, '…');
}

/** Minimizes an input while it still causes the problem. */
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
