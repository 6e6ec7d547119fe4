import { readTreeFile, renderTreeFile, writeTreeFile } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { isLaidOut, readIdentity, revisionOf } from '../vault/index.ts';
import type { FolderEntry, VaultRoot } from '../vault/index.ts';
import type { Memory } from './memory.ts';

type Parts = { root: VaultRoot; memory: Memory; elapsed: Clock };

/** Gives what became of `tree.md`. */
export type KeepTree = (contents: FolderEntry, mayCreate: boolean) => 'written' | 'as it was' | 'foreign';

/** How long a `tree.md` that somebody keeps changing is left as it is, in milliseconds. */
const patience = 10 * 60_000;

/**
 * Keeps `tree.md` true. It is written when the tree has become another one, not when the file merely differs from ours:
 * on a folder synced between machines the same files can have other dates, and each would correct the other forever.
 */
export function createTreeKeeper({ root, memory, elapsed }: Parts): KeepTree {
  let restoredAt = -Infinity;
  return (contents, mayCreate) => {
    const present = readTreeFile(root);
    if (present.kind === 'foreign') return 'foreign';
    if (present.kind === 'missing' && !mayCreate) return 'as it was';
    const text = renderTreeFile(contents);
    const before = present.kind === 'missing' ? null : present.bytes;
    const rendering = revisionOf(Buffer.from(text));
    const isNew = memory.note('tree') !== rendering;
    const isDue = isNew || (present.kind !== 'generated' && elapsed() > restoredAt + patience);
    if (!isDue) return 'as it was';
    const isSame = before?.toString('utf8') === text;
    const isWritten = !isSame && writeTreeFile(root, before, text);
    if (!isNew) restoredAt = elapsed();
    // When somebody else wrote it in this moment, the next look decides anew.
    if (isSame || isWritten) memory.setNote('tree', rendering);
    return isWritten ? 'written' : 'as it was';
  };
}

/**
 * Makes `tree.md` true once, for a process that has changed files and ends. Everything is looked at only where there is one
 * to keep, or one to be made.
 */
export async function leaveTreeTrue(root: VaultRoot, contents: () => Promise<FolderEntry>): Promise<void> {
  const present = readTreeFile(root);
  if (present.kind === 'foreign') return;
  if (present.kind === 'missing' && !isLaidOut(readIdentity(root))) return;
  writeTreeFile(root, present.kind === 'missing' ? null : present.bytes, renderTreeFile(await contents()));
}
