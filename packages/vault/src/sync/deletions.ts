import { pluralize, fileKindOf, baseName, profilePath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { SyncError } from './sync-error.ts';
import type { FileIds } from './syncable-files.ts';

/**
 * How to handle files deleted since the last sync. `ask`: a mass deletion stops the sync with the error
 * `mass-deletion`; smaller deletions are synced. `confirm`: all deletions are synced. `restore`: all deleted files are
 * restored on every machine.
 */
export type DeletionRule = 'ask' | 'confirm' | 'restore';

/** Fewer deletions than this are never a mass deletion, unless they include the profile or leave no file. */
const minMassDeletion = 11;

/** Paths that one side had at the last sync and no longer has, except moved and skipped files. */
export function deletedSince(
  base: FileIds,
  now: FileIds,
  moves: ReadonlyMap<VaultPath, VaultPath>,
  isSkipped: (path: VaultPath) => boolean,
): VaultPath[] {
  return [...base.keys()].filter((path) => !now.has(path) && !moves.has(path) && !isSkipped(path));
}

/** Throws if the deletions in this folder look like an accident, such as an unmounted disk or an emptied folder. */
export function checkSending(deleted: readonly VaultPath[], base: FileIds, rule: DeletionRule): void {
  if (rule !== 'ask' || !isMassDeletion(deleted, base)) return;
  throw new SyncError(
    'mass-deletion',
    `${describeDeletions(deleted, base)} missing from this folder since the last sync; nothing was sent`,
    {
      hint: 'if a disk is not mounted, mount it first; restore the files with: keepsake sync --restore-deleted; or delete them on your other machines too with: keepsake sync --confirm-deletions',
    },
  );
}

/** Throws if the deletions by other machines look like an accident. */
export function checkReceiving(
  deleted: readonly VaultPath[],
  base: FileIds,
  rule: DeletionRule,
  machines: readonly string[],
): void {
  if (rule !== 'ask' || !isMassDeletion(deleted, base)) return;
  throw new SyncError(
    'mass-deletion',
    `${describeDeletions(deleted, base)} deleted on other machines (${machines.join(', ')}); nothing was deleted here and nothing was sent`,
    {
      hint: 'restore them on all machines with: keepsake sync --restore-deleted; or delete them here too with: keepsake sync --confirm-deletions',
    },
  );
}

/**
 * Whether the deletions include more than ten files and at least a third of all files, or the same for notes; the
 * profile and other files; or everything.
 */
export function isMassDeletion(deleted: readonly VaultPath[], base: FileIds): boolean {
  const all = [...base.keys()];
  return (
    isThird(deleted, all) ||
    isThird(deleted.filter(isNote), all.filter(isNote)) ||
    (deleted.length > 1 && (deleted.includes(profilePath) || deleted.length === all.length))
  );
}

/** Whether a part is more than ten files and at least a third of all. */
export function isThird(part: readonly VaultPath[], whole: readonly VaultPath[]): boolean {
  return part.length >= minMassDeletion && part.length * 3 >= whole.length;
}

function isNote(path: VaultPath): boolean {
  return fileKindOf(baseName(path)) === 'markdown';
}

/** Formats the start of a sentence, such as `12 of 36 files, including profile.md, are`. */
function describeDeletions(deleted: readonly VaultPath[], base: FileIds): string {
  const profile = deleted.includes(profilePath) ? `, including ${baseName(profilePath)},` : '';
  return `${deleted.length} of ${pluralize(base.size, 'file')}${profile} ${deleted.length === 1 ? 'is' : 'are'}`;
}
