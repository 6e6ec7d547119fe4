import { createLimiter } from '../contract/index.ts';
import { copyForThread, runInThread } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { applyAppend } from './append-step.ts';
import type { MergeStep } from './append-step.ts';
import { contentAfter, contentBefore, contentEquals } from './change.ts';
import type { FileChange } from './change.ts';
import { comparisonWorker, toBuffer, compare } from './comparison.ts';
import type { CompareResult, CompareRequest } from './comparison.ts';
import { mergeChange } from './merge-change.ts';
import type { MergeChangeResult } from './merge-change.ts';
import type { ConflictStrategy } from './merge-lines.ts';

/** Merges and compares texts of any length without blocking the event loop. */
export type Comparer = {
  /** Like `mergeChange`, but an append is applied again to the current content. */
  merge: (step: MergeStep, current: Buffer | null, rule?: ConflictStrategy) => Promise<MergeChangeResult>;
  /** The unified diff of a change. */
  diff: (change: FileChange) => Promise<string>;
};

/** Above either limit the comparison runs in a worker; starting one takes as long as comparing a few thousand lines. */
const maxInlineBytes = 500_000;
const maxInlineLines = 10_000;

/**
 * Compares long texts in a worker that exits after each comparison, one at a time, so that many comparisons cannot
 * occupy all cores. Merges have a queue of their own, because every writer waits for them.
 */
export function createComparer(isChangelog: (path: VaultPath) => boolean): Comparer {
  const limiters = { merge: createLimiter(), diff: createLimiter() };
  const compareText = async (request: CompareRequest): Promise<CompareResult> =>
    needsWorker(request) ? limiters[request.kind](() => compareInWorker(request)) : compare(request);
  const compareChange = (
    kind: CompareRequest['kind'],
    change: FileChange,
    current: Buffer | null,
    rule?: ConflictStrategy,
  ): Promise<CompareResult> =>
    compareText({
      kind,
      path: change.path,
      before: contentBefore(change),
      after: contentAfter(change),
      current,
      keepsBothInsertions: kind === 'merge' && isChangelog(change.path),
      rule,
    });
  return {
    async merge(step, current, rule) {
      if (step.kind === 'append') return applyAppend(step, current);
      // The usual case: no other program has written, so there is nothing to merge.
      if (contentEquals(current, contentBefore(step)))
        return mergeChange(step, current, { keepsBothInsertions: false });
      const merged = await compareChange('merge', step, current, rule);
      if ('diff' in merged) throw new Error('the comparison worker returned a diff for a merge request');
      return merged.ok ? { ok: true, after: toBuffer(merged.after) } : merged;
    },
    async diff(change) {
      const compared = await compareChange('diff', change, null);
      if (!('diff' in compared)) throw new Error('the comparison worker returned a merge for a diff request');
      return compared.diff;
    },
  };
}

function needsWorker({ before, after, current }: CompareRequest): boolean {
  const all = [before, after, current].filter((bytes) => bytes !== null);
  if (all.reduce((sum, { length }) => sum + length, 0) > maxInlineBytes) return true;
  let lines = 0;
  for (const bytes of all)
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines > maxInlineLines;
}

const newline = 0x0a;

function compareInWorker(request: CompareRequest): Promise<CompareResult> {
  const [before, after, current] = [request.before, request.after, request.current].map((bytes) =>
    copyForThread(bytes),
  ) as [Copy, Copy, Copy];
  return runInThread(comparisonWorker, { ...request, before, after, current }, [before, after, current]);
}

type Copy = ReturnType<typeof copyForThread> | null;
