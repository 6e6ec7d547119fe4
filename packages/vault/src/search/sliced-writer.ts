import { setTimeout } from 'node:timers/promises';
import type { createLimiter } from '../contract/index.ts';
import type { FileEntry, VaultPath } from '../vault/index.ts';
import type { FileChunks } from './chunk-bytes.ts';
import type { ChunkIndex, IndexedFile } from './chunk-index.ts';

/** Writes long files to the index slice by slice, so that other work continues meanwhile. */
export type SlicedWriter = {
  /**
   * Runs `work`, which reads and writes this file. Earlier work on the file is superseded: its signal is aborted, unless
   * the file seems to be the same, in which case the new work follows it. Work that has not started yet is joined.
   */
  run(path: VaultPath, entry: FileEntry | undefined, work: SlicedWork): Promise<number>;
  /** Returns the number of added chunks. Stops between two slices when the signal is aborted. */
  write(path: VaultPath, file: IndexedFile, content: FileChunks, signal: AbortSignal): Promise<number>;
  /** Supersedes the work on this file, or on all files. Call it before anything else writes them. */
  cancel(path?: VaultPath): void;
  /** The files with unfinished work. */
  unfinished(): ReadonlyMap<VaultPath, unknown>;
};

/** `start` has to be called before the file is read. Returns the number of added chunks. */
type SlicedWork = (signal: AbortSignal, start: () => void) => Promise<number>;
type Job = {
  ending: AbortController;
  entry: FileEntry | undefined;
  hasStarted: boolean;
  /** Earlier work on the same file that may still be running. */
  previous: Job | undefined;
  done: Promise<number>;
};

/** `runExclusive` serializes all writes to the index. */
export function createSlicedWriter(
  index: Pick<ChunkIndex, 'upsertSlices'>,
  runExclusive: ReturnType<typeof createLimiter>,
): SlicedWriter {
  const jobs = new Map<VaultPath, Job>();
  const cancel = (path?: VaultPath): void => {
    for (const each of path === undefined ? [...jobs.keys()] : [path]) {
      for (let job = jobs.get(each); job !== undefined; job = job.previous) job.ending.abort();
      jobs.delete(each);
    }
  };
  return {
    cancel,
    unfinished: () => jobs,
    run(path, entry, work) {
      const running = jobs.get(path);
      if (running?.hasStarted === false) return running.done;
      if (!isSimilar(running?.entry, entry)) cancel(path);
      const ending = new AbortController();
      const job: Job = {
        ending,
        entry,
        hasStarted: false,
        previous: jobs.get(path),
        done: Promise.resolve(0),
      };
      jobs.set(path, job);
      job.done = work(ending.signal, () => (job.hasStarted = true)).finally(() => {
        job.previous = undefined;
        if (jobs.get(path) === job) jobs.delete(path);
      });
      return job.done;
    },
    async write(path, file, { chunks, replacesIn }, signal) {
      const slices = index.upsertSlices(path, file, chunks, replacesIn);
      for (let added = 0; ;) {
        const spent = await runExclusive(async () => {
          if (signal.aborted) return null;
          const began = performance.now();
          const { value, done } = slices.next();
          added += value ?? 0;
          return done === true ? null : performance.now() - began;
        });
        if (spent === null) return added;
        // Requests have several steps; with one step per slice they would take a multiple of its duration.
        await setTimeout(spent);
      }
    },
  };
}

/** The times may be too recent to exclude a further change. */
function isSimilar(one: FileEntry | undefined, other: FileEntry | undefined): boolean {
  return one !== undefined && other !== undefined && one.mtime === other.mtime && one.size === other.size;
}
