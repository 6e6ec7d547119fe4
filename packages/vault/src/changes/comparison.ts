import { formatPath, unifiedDiff } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { createFileChange } from './change.ts';
import { mergeChange } from './merge-change.ts';
import type { MergeChangeResult, MergeOptions } from './merge-change.ts';

/**
 * A request to compare or merge versions of one file, where null means that there is no file. Contains only plain data,
 * so that it can be sent to a worker.
 */
export type CompareRequest = {
  kind: 'merge' | 'diff';
  path: VaultPath;
  before: Uint8Array | null;
  after: Uint8Array | null;
  /** The current content, for a merge. */
  current: Uint8Array | null;
} & MergeOptions;

/** The module that answers requests in a thread. */
export const comparisonWorker = new URL(
  import.meta.url.endsWith('.ts') ? './comparison-worker.ts' : '../changes/comparison-worker.js',
  import.meta.url,
);

export type CompareResult = { diff: string } | MergeChangeResult;

export function compare({
  kind,
  path,
  keepsBothInsertions,
  rule,
  ...contents
}: CompareRequest): CompareResult {
  const [before, after, current] = [contents.before, contents.after, contents.current].map(toBuffer) as [
    Buffer | null,
    Buffer | null,
    Buffer | null,
  ];
  if (kind === 'diff') return { diff: unifiedDiff(formatPath(path), before, after) };
  const change = createFileChange(path, before, after);
  return change === null
    ? { ok: true, after: null }
    : mergeChange(change, current, { keepsBothInsertions, rule });
}

/** Restores the Buffer type, which is lost in the transfer between threads. */
export function toBuffer(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
