import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { command, medianOf, middleOf, report, reportLimit, timed } from './measure.ts';
import type { Size } from './measure.ts';

type WarmReading = { first: number; head: number; tail: number; memory: number };
type WarmStart = { start: number; tree: number; boundedTree: number; memory: number };

const reading = (vault: string, state: string): WarmReading => worker('reading', vault, state) as WarmReading;
const starting = (vault: string, state: string): WarmStart => worker('start', vault, state) as WarmStart;

const sizes = { full: { bytes: 1e9, files: 100_000 }, tiny: { bytes: 1e6, files: 200 } };
const perFolder = 100;

/** Measures reading the ends of a huge file, and starting on a vault with many files. */
export async function readingBench(size: Size): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  try {
    await hugeFile(join(folder, 'huge'), sizes[size].bytes);
    await manyFiles(join(folder, 'many'), sizes[size].files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hugeFile(folder: string, bytes: number): Promise<void> {
  const vault = join(folder, 'vault');
  const file = join(vault, 'huge.md');
  mkdirSync(vault, { recursive: true });
  const fd = openSync(file, 'w');
  const chunk = Buffer.from(
    Array.from(
      { length: 16_384 },
      (_, line) => `entry ${line}: décidé, noté and done; nothing else to say.\n`,
    ).join(''),
  );
  let size = 0;
  while (size < bytes) size += writeSync(fd, chunk);
  closeSync(fd);
  console.log(`one file of ${(size / 1e9).toFixed(2)} GB`);

  const first = reading(vault, join(folder, 'state'));
  console.log(
    `first read, which counts lines and hashes the whole file: ${first.first.toFixed(0)} ms, ${first.memory.toFixed(0)} MB of memory`,
  );
  const warm = reading(vault, join(folder, 'state'));
  const head = await medianOf(20, () => timed(() => command('head', '-c', '2000', file)));
  const wc = await medianOf(5, () => timed(() => command('wc', '-l', file)));
  report('read with head: 500', warm.head, { name: 'head -c 2000', time: head }, 3);
  report('read with tail: 500', warm.tail, { name: 'wc -l', time: wc }, 2);
  report('read with tail: 500 of a file not seen before', first.first, { name: 'wc -l', time: wc }, 2);
  reportLimit('memory of the process that read both ends', warm.memory, 100, 'MB');
}

async function manyFiles(folder: string, files: number): Promise<void> {
  const vault = join(folder, 'vault');
  for (let index = 0; index < files; index += 1) {
    const parent = join(vault, `projects/p${Math.floor(index / perFolder)}`);
    if (index % perFolder === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(
      join(parent, `note-${index}.md`),
      `---\nupdated: 2025-07-14T18:30:00\ntype: note\n---\n\n# Note ${index}\n${'Some words of a note. '.repeat(20)}\n`,
    );
  }
  const state = join(folder, 'state');
  const cold = starting(vault, state);
  console.log(
    `${files} files in ${files / perFolder} folders; first start, which reads all of them: ${cold.start.toFixed(0)} ms`,
  );
  // Not measured: a start does not trust very recent modification times, so this one still reads the files again.
  starting(vault, state);
  const starts: WarmStart[] = [];
  // Alternates `find` and the start, so that a slow moment of the machine does not affect only one of them.
  const find = await medianOf(7, async () => {
    const time = await timed(() => command('find', vault, '-printf', '%s %T@ %p\\n'));
    starts.push(starting(vault, state));
    return time;
  });
  const middle = (key: keyof WarmStart): number => middleOf(starts.map((each) => each[key]));
  report('warm start', middle('start'), { name: 'find -printf', time: find }, 4);
  reportLimit('complete tree, for the user', middle('tree'), 300, 'ms');
  reportLimit('tree within the limits for a model', middle('boundedTree'), 300, 'ms');
  console.log(`memory of that process: ${middle('memory').toFixed(0)} MB`);
}

/** Runs in a separate process, so that its memory is measured alone and nothing is cached by accident. */
function worker(...args: string[]): unknown {
  const script = fileURLToPath(new URL('reading-worker.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' }));
}
