import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { usedBy } from './program.ts';

/** The resource usage of a server at one time; sizes in bytes, memory in megabytes. */
export type Sample = {
  at: number;
  operations: number;
  pid: number;
  memory: number;
  handles: number;
  notes: number;
  state: Record<string, number>;
};

/** In bytes. SQLite checkpoints its write-ahead log after 1,000 pages, about 4 MB. */
const maxWriteAheadBytes = 16 * 2 ** 20;
const disposable = ['index.sqlite', 'catalogue.sqlite', 'upkeep.sqlite', 'logs'];
const kept = ['history.git', 'keepsake.sqlite'];

export function takeSample(pid: number, vault: string, state: string): Omit<Sample, 'at' | 'operations'> {
  const { memory, handles } = usedBy(pid);
  return {
    pid,
    memory: memory / 2 ** 20,
    handles,
    notes: sizeOf(vault),
    state: Object.fromEntries(readdirSync(state).map((name) => [name, sizeOf(join(state, name))])),
  };
}

/** The samples of the process with the most samples. */
export function selectLongestRun(samples: Sample[]): Sample[] {
  const lives = Object.values(Object.groupBy(samples, ({ pid }) => String(pid)));
  return lives.reduce<Sample[]>((longest, life = []) => (life.length > longest.length ? life : longest), []);
}

/**
 * Compares the first quarter of a process's samples with the last. Data that must grow, such as history, is measured
 * per operation.
 */
export function judgeFlatness(samples: Sample[]): string[] {
  const quarter = Math.ceil(samples.length / 4);
  const [early, late] = [samples.slice(0, quarter), samples.slice(-quarter)];
  const [first, last] = [early.at(-1), late.at(-1)];
  if (first === undefined || last === undefined || first === last)
    return [`${samples.length} measurements are too few`];
  const minOf = (of: Sample[], what: 'memory' | 'handles'): number =>
    Math.min(...of.map((sample) => sample[what]));
  const memory = [minOf(early, 'memory'), minOf(late, 'memory')] as const;
  const handles = [minOf(early, 'handles'), minOf(late, 'handles')] as const;
  const index = [sum(first, disposable) / first.notes, sum(last, disposable) / last.notes] as const;
  const history = [sum(first, kept) / first.operations, sum(last, kept) / last.operations] as const;
  const show = (numbers: readonly number[], digits = 0): string =>
    numbers.map((number) => number.toFixed(digits)).join(' → ');
  console.log(
    `from hour ${show([first.at, last.at], 1)}: memory ${show(memory)} MB, handles ${show(handles)}, index and logs ${show(index, 1)} bytes for a byte of notes, history and queue ${show(history)} bytes for an operation`,
  );
  const behind = Object.entries(last.state).filter(
    ([name, bytes]) => name.endsWith('-wal') && bytes > maxWriteAheadBytes,
  );
  return [
    ...(memory[1] > memory[0] * 1.25 + 20 ? ['memory grows'] : []),
    ...(handles[1] > handles[0] + 5 ? ['handles grow'] : []),
    ...(index[1] > index[0] * 1.25 ? ['the index grows faster than the notes'] : []),
    ...(history[1] > history[0] * 1.25 ? ['history grows faster than the number of operations'] : []),
    ...behind.map(([name]) => `${name} is never checkpointed`),
  ];
}

function sum({ state }: Sample, names: string[]): number {
  return names.reduce((bytes, name) => bytes + (state[name] ?? 0), 0);
}

function sizeOf(path: string): number {
  try {
    const stat = statSync(path);
    return stat.isDirectory()
      ? readdirSync(path).reduce((bytes, name) => bytes + sizeOf(join(path, name)), 0)
      : stat.size;
  } catch {
    return 0; // The file was removed meanwhile.
  }
}
