import { showPath, unifiedDiff } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fileChange } from './change.ts';
import { mergeChange } from './merge-change.ts';
import type { MergedChange, MergeRules } from './merge-change.ts';

/** What is asked about the contents of one file: only words and bytes, so that another thread can answer. Null stands for no file. */
export type Comparison = {
  kind: 'merge' | 'diff';
  path: VaultPath;
  before: Uint8Array | null;
  after: Uint8Array | null;
  /** What is there now, for a merge. */
  present: Uint8Array | null;
} & MergeRules;

export type Compared = { diff: string } | MergedChange;

export function compare({ kind, path, stacks, rule, ...contents }: Comparison): Compared {
  const [before, after, present] = [contents.before, contents.after, contents.present].map(bufferOf) as [
    Buffer | null,
    Buffer | null,
    Buffer | null,
  ];
  if (kind === 'diff') return { diff: unifiedDiff(showPath(path), before, after) };
  const change = fileChange(path, before, after);
  return change === null ? { ok: true, after: null } : mergeChange(change, present, { stacks, rule });
}

/** The same bytes; what another thread has sent has lost its type. */
export function bufferOf(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
