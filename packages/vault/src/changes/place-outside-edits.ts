import type { VaultPath } from '../vault/index.ts';
import { blobIdOf } from './git-objects.ts';
import type { FoundFile, JournalEntry } from './journal-entry.ts';

/** What a transaction does to a file; `bytes` are those before it, which of an edit made outside only history has. */
export type Recordable = FoundFile & { bytes?: Buffer | null };

/** Edits made outside that belong together, and where they stand among transactions. */
export type Placed = { precedes: string | null; at: number | null; files: FoundFile[] };

/** What history should have had, and has not: it goes ahead of this transaction, and is nobody's change. */
export type Missing = Recordable & { ahead: string };

/**
 * Goes through transactions in their order, from what history knows. Where one met another content, somebody had edited the file
 * outside. Such edits are taken together, with those that no transaction has met, as long as each may stand ahead of the first that
 * met one. While history has not had every file, one that it does not know was not made but only not seen.
 */
export function placeOutsideEdits(
  transactions: readonly { entry: JournalEntry; files: readonly Recordable[] }[],
  loose: readonly FoundFile[],
  history: ReadonlyMap<VaultPath, string>,
  isComplete: boolean,
): { found: Placed[]; missing: Missing[] } {
  const known = new Map(history);
  const found: Placed[] = loose.length === 0 ? [] : [{ precedes: null, at: null, files: [...loose] }];
  const missing: Missing[] = [];
  /** Changed since where the last of `found` stands. */
  const changed = new Set<VaultPath>();
  const add = (file: FoundFile, { id, at }: JournalEntry): void => {
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
      if (bytes === undefined || (before === null && !isComplete)) missing.push({ ...file, ahead: entry.id });
      else add({ path, before, after: bytes }, entry);
    }
    for (const { path, after } of files) {
      if (found.at(-1)?.precedes != null) changed.add(path);
      if (after === null) known.delete(path);
      else known.set(path, blobIdOf(after));
    }
  }
  return { found, missing };
}
