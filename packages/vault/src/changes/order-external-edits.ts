import type { VaultPath } from '../vault/index.ts';
import { hashBlob } from './git-objects.ts';
import type { ExternalFileEdit, JournalEntry } from './journal-entry.ts';

/** A file change of a transaction. `bytes` is the content before it; for an external edit only history has that content. */
export type Recordable = ExternalFileEdit & { bytes?: Buffer | null };

/** External edits that belong together, and their place among the transactions. */
export type Placed = { precedes: string | null; at: number | null; files: ExternalFileEdit[] };

/** Content that is missing from history. It is committed before this transaction and belongs to no change. */
export type Missing = Recordable & { beforeId: string };

/**
 * Walks through the transactions in order, starting from the files in history. If a transaction replaced content other
 * than expected, the file had been edited externally in between. Such edits are grouped with `unplaced`, the edits of
 * files that no transaction has changed since, as long as the whole group can be placed before the first transaction
 * that replaced one of the edits. While the baseline is incomplete, a file that history does not contain is treated as
 * not recorded yet rather than as new.
 */
export function orderExternalEdits(
  transactions: readonly { entry: JournalEntry; files: readonly Recordable[] }[],
  unplaced: readonly ExternalFileEdit[],
  history: ReadonlyMap<VaultPath, string>,
  isComplete: boolean,
): { found: Placed[]; missing: Missing[] } {
  const known = new Map(history);
  const found: Placed[] = unplaced.length === 0 ? [] : [{ precedes: null, at: null, files: [...unplaced] }];
  const missing: Missing[] = [];
  /** The paths that transactions have changed after the position of the last group in `found`. */
  const changed = new Set<VaultPath>();
  const add = (file: ExternalFileEdit, { id, at }: JournalEntry): void => {
    let last = found.at(-1);
    if (last === undefined || changed.has(file.path)) {
      last = { precedes: id, at, files: [] };
      found.push(last);
      changed.clear();
    }
    last.precedes ??= id;
    last.at ??= at;
    last.files.push(file);
  };
  for (const { entry, files } of transactions) {
    for (const file of files) {
      const before = known.get(file.path) ?? null;
      if (before === file.before) continue;
      const { path, bytes } = file;
      if (bytes === undefined || (before === null && !isComplete))
        missing.push({ ...file, beforeId: entry.id });
      else add({ path, before, after: bytes }, entry);
    }
    for (const { path, after } of files) {
      if (found.at(-1)?.precedes != null) changed.add(path);
      if (after === null) known.delete(path);
      else known.set(path, hashBlob(after));
    }
  }
  return { found, missing };
}
