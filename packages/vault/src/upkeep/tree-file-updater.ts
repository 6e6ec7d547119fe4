import { readTreeFile, renderTreeFile, writeTreeFile } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { isScaffolded, readIdentity, computeRevision } from '../vault/index.ts';
import type { FolderEntry, VaultRoot } from '../vault/index.ts';
import type { FileStateStore } from './file-state-store.ts';

type Parts = { root: VaultRoot; memory: FileStateStore; monotonicNow: Clock };

/** Updates `tree.md` if needed and returns what was done. */
export type UpdateTreeFile = (
  contents: FolderEntry,
  mayCreate: boolean,
) => 'written' | 'unchanged' | 'foreign';

/** How long a `tree.md` that another program keeps changing is left alone, in milliseconds. */
const restoreCooldownMs = 10 * 60_000;

/**
 * Keeps `tree.md` up to date. It is written when the tree has changed, not when the file merely differs: in a folder
 * synced between machines the same files can have different dates, and each machine would correct the other forever.
 */
export function createTreeFileUpdater({ root, memory, monotonicNow }: Parts): UpdateTreeFile {
  let restoredAt = -Infinity;
  return (contents, mayCreate) => {
    const present = readTreeFile(root);
    if (present.kind === 'foreign') return 'foreign';
    if (present.kind === 'missing' && !mayCreate) return 'unchanged';
    const text = renderTreeFile(contents);
    const before = present.kind === 'missing' ? null : present.bytes;
    const rendering = computeRevision(Buffer.from(text));
    const isNew = memory.getValue('tree') !== rendering;
    const isDue = isNew || (present.kind !== 'generated' && monotonicNow() > restoredAt + restoreCooldownMs);
    if (!isDue) return 'unchanged';
    const isSame = before?.toString('utf8') === text;
    const isWritten = !isSame && writeTreeFile(root, before, text);
    if (!isNew) restoredAt = monotonicNow();
    // If another program wrote the file at the same time, the next pass decides again.
    if (isSame || isWritten) memory.setValue('tree', rendering);
    return isWritten ? 'written' : 'unchanged';
  };
}

/** Regenerates `tree.md` before a short-lived process exits. Scans the vault only if the file exists or should be created. */
export async function refreshTreeFile(root: VaultRoot, contents: () => Promise<FolderEntry>): Promise<void> {
  const present = readTreeFile(root);
  if (present.kind === 'foreign') return;
  if (present.kind === 'missing' && !isScaffolded(readIdentity(root))) return;
  writeTreeFile(root, present.kind === 'missing' ? null : present.bytes, renderTreeFile(await contents()));
}
