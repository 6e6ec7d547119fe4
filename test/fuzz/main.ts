// npm run fuzz -- [target|all] [executions] [seed]: feeds mutated inputs to all code that parses untrusted data.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processVariables } from '../process-variables.ts';
import type { Fuzzed } from './fuzz.ts';
import { targets } from './targets.ts';

/** In milliseconds. An input that takes longer counts as a hang, even on a busy machine. */
const hangTimeoutMs = 240_000;

const [wanted = 'all', count, givenSeed = '7'] = process.argv.slice(2);
const names = Object.keys(targets).filter((name) => wanted === 'all' || name === wanted);
if (names.length === 0) {
  console.error(`usage: npm run fuzz -- [all | ${Object.keys(targets).join(' | ')}] [executions] [seed]`);
  process.exitCode = 2;
} else {
  const found = mkdtempSync(join(tmpdir(), 'keepsake-fuzz-'));
  let [executions, findings] = [0, 0];
  const loaded = await Promise.all(
    names.map(async (name) => ({ name, full: (await targets[name]?.())?.full ?? 0 })),
  );
  const total = loaded.reduce((sum, { full }) => sum + full, 0);
  for (const { name, full } of loaded) {
    // Distributes the executions in proportion to the number that each target has by default.
    const share = count === undefined ? full : Math.ceil((Number(count) * full) / total);
    const fuzzed = await runTarget(name, share, Number(givenSeed), found);
    executions += fuzzed.executions;
    findings += fuzzed.findings.length;
    for (const { problem, file } of fuzzed.findings)
      console.log(`FOUND ${name}: ${problem}\n  input: ${file}`);
  }
  if (findings === 0) rmSync(found, { recursive: true });
  const isEmpty = executions === 0;
  console.log(
    `fuzz: ${executions} executions with seed ${givenSeed}, ${findings} findings${isEmpty ? ': nothing was tried' : ''}`,
  );
  process.exitCode = findings === 0 && !isEmpty ? 0 : 1;
}

async function runTarget(name: string, executions: number, seed: number, folder: string): Promise<Fuzzed> {
  const started = performance.now();
  const current = join(folder, `current-${name}`);
  writeFileSync(current, '');
  const child = fork(
    new URL('run-target.ts', import.meta.url),
    [name, `${executions}`, `${seed}`, folder, current],
    {
      env: processVariables,
      execArgv: ['--max-old-space-size=2048'],
    },
  );
  const answer: { fuzzed?: Fuzzed } = {};
  child.once('message', (fuzzed: Fuzzed) => (answer.fuzzed = fuzzed));
  const stopWatching = endWhenStuck(current, () => child.kill('SIGKILL'));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  stopWatching();
  const fuzzed =
    answer.fuzzed ?? endedBy(name, folder, readCurrent(current), `the process exited with ${signal ?? code}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const { seeds, kept, blocks, findings } = fuzzed;
  console.log(
    `${name}: ${fuzzed.executions} executions in ${seconds} s, ${seeds} seeds, ${kept} more inputs kept, ${blocks} blocks of our sources reached, ${findings.length} findings`,
  );
  rmSync(current);
  return fuzzed;
}

/** Calls `end` when the process stays at the same input for too long. */
function endWhenStuck(current: string, end: () => void): () => void {
  let [last, since] = [-1, performance.now()];
  const timer = setInterval(() => {
    const { number } = readCurrent(current);
    if (number !== last) [last, since] = [number, performance.now()];
    else if (performance.now() - since > hangTimeoutMs) end();
  }, 1_000);
  return () => clearInterval(timer);
}

function readCurrent(file: string): { number: number; input: Buffer } {
  const bytes = readFileSync(file);
  if (bytes.length < 8) return { number: 0, input: Buffer.alloc(0) };
  return { number: bytes.readUInt32LE(0), input: bytes.subarray(8, 8 + bytes.readUInt32LE(4)) };
}

function endedBy(
  name: string,
  folder: string,
  { number, input }: { number: number; input: Buffer },
  problem: string,
): Fuzzed {
  const file = join(folder, `${name}-ended`);
  writeFileSync(file, input);
  return { executions: number, seeds: 0, kept: 0, blocks: 0, findings: [{ problem, file }] };
}
