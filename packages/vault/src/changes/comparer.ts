import { Worker } from 'node:worker_threads';
import { inTurn } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { applyAppend } from './append-step.ts';
import type { MergeStep } from './append-step.ts';
import { afterOf, beforeOf, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import { bufferOf, compare } from './comparison.ts';
import type { Compared, Comparison } from './comparison.ts';
import { mergeChange } from './merge-change.ts';
import type { MergedChange } from './merge-change.ts';
import type { ConflictRule } from './merge.ts';

/** Compares texts of any length while others are answered. */
export type Comparer = {
  /** As `mergeChange`; an append is repeated over what is present. */
  merge: (step: MergeStep, present: Buffer | null, rule?: ConflictRule) => Promise<MergedChange>;
  /** What a change does to a file, in the unified form. */
  diff: (change: FileChange) => Promise<string>;
};

/** Above either of these a thread of its own is worth its start, which takes as long as comparing some thousand lines. */
const mostBytes = 500_000;
const mostLines = 10_000;

/**
 * Long texts are compared in a thread that ends with its answer; one at a time, so that many cannot take the machine. Who
 * writes has a turn of its own, as everybody who writes waits for it.
 */
export function createComparer(isChangelog: (path: VaultPath) => boolean): Comparer {
  const takeTurn = { merge: inTurn(), diff: inTurn() };
  const ask = async (asked: Comparison): Promise<Compared> =>
    isLong(asked) ? takeTurn[asked.kind](() => compareApart(asked)) : compare(asked);
  const askAbout = (
    kind: Comparison['kind'],
    change: FileChange,
    present: Buffer | null,
    rule?: ConflictRule,
  ): Promise<Compared> =>
    ask({
      kind,
      path: change.path,
      before: beforeOf(change),
      after: afterOf(change),
      present,
      stacks: kind === 'merge' && isChangelog(change.path),
      rule,
    });
  return {
    async merge(step, present, rule) {
      if (step.kind === 'append') return applyAppend(step, present);
      // Nearly always: nobody else has written, so there is nothing to merge.
      if (isEqual(present, beforeOf(step))) return mergeChange(step, present, { stacks: false });
      const merged = await askAbout('merge', step, present, rule);
      if ('diff' in merged) throw new Error('a merge was answered with a diff');
      return merged.ok ? { ok: true, after: bufferOf(merged.after) } : merged;
    },
    async diff(change) {
      const compared = await askAbout('diff', change, null);
      if (!('diff' in compared)) throw new Error('a diff was answered with a merge');
      return compared.diff;
    },
  };
}

function isLong({ before, after, present }: Comparison): boolean {
  const all = [before, after, present].filter((bytes) => bytes !== null);
  if (all.reduce((sum, { length }) => sum + length, 0) > mostBytes) return true;
  let lines = 0;
  for (const bytes of all)
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines > mostLines;
}

const newline = 0x0a;
const worker = new URL(
  import.meta.url.endsWith('.ts') ? './comparison-worker.ts' : '../changes/comparison-worker.js',
  import.meta.url,
);

function compareApart(asked: Comparison): Promise<Compared> {
  // A copy of these bytes alone: they may be a part of something much larger, all of which would be sent.
  const copy = (bytes: Uint8Array | null): Uint8Array | null =>
    bytes === null ? null : Uint8Array.from(bytes);
  const [before, after, present] = [copy(asked.before), copy(asked.after), copy(asked.present)];
  const transferList = [before, after, present].flatMap((bytes) =>
    bytes === null ? [] : [bytes.buffer as ArrayBuffer],
  );
  const { promise, resolve, reject } = Promise.withResolvers<Compared>();
  const thread = new Worker(worker, { workerData: { ...asked, before, after, present }, transferList });
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', () => reject(new Error('the thread that compares texts ended without an answer')));
  return promise;
}
