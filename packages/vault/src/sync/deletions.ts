import { count, kindOf, nameOf, profilePath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { SyncError } from './error.ts';
import type { Side } from './travelling.ts';

/**
 * What to do about files that are gone since the last sync. `ask`: a mass deletion stops the round with `mass-deletion`, smaller ones
 * travel. `confirm`: all travel. `restore`: all come back, on every machine.
 */
export type DeletionRule = 'ask' | 'confirm' | 'restore';

/** Fewer deletions than this are never a mass deletion, unless the profile is among them or nothing is left. */
const minMassDeletion = 11;

/** Paths that one side had at the last sync and has no longer, without those that it moved and those that do not travel. */
export function deletedSince(
  base: Side,
  now: Side,
  moves: ReadonlyMap<VaultPath, VaultPath>,
  isLeftOut: (path: VaultPath) => boolean,
): VaultPath[] {
  return [...base.keys()].filter((path) => !now.has(path) && !moves.has(path) && !isLeftOut(path));
}

/** Throws when the paths gone from this folder look like an accident: a disk that is not mounted, an emptied folder. */
export function checkSending(deleted: readonly VaultPath[], base: Side, rule: DeletionRule): void {
  if (rule !== 'ask' || !isMassDeletion(deleted, base)) return;
  throw new SyncError(
    'mass-deletion',
    `${gone(deleted, base)} gone from this folder since the last sync; nothing was sent`,
    {
      mend: 'if a disk is not mounted, mount it first; bring the files back with: keepsake sync --restore-deleted; or delete them on your other machines too with: keepsake sync --confirm-deletions',
    },
  );
}

/** Throws when what other machines deleted looks like an accident. */
export function checkReceiving(
  deleted: readonly VaultPath[],
  base: Side,
  rule: DeletionRule,
  machines: readonly string[],
): void {
  if (rule !== 'ask' || !isMassDeletion(deleted, base)) return;
  throw new SyncError(
    'mass-deletion',
    `${gone(deleted, base)} deleted elsewhere (${machines.join(', ')}); none was deleted here, and nothing was sent`,
    {
      mend: 'keep them and bring them back on all machines with: keepsake sync --restore-deleted; or delete them here too with: keepsake sync --confirm-deletions',
    },
  );
}

/** A third of the files or of the notes and more than ten, the profile with others, or everything. */
export function isMassDeletion(deleted: readonly VaultPath[], base: Side): boolean {
  const all = [...base.keys()];
  const isThird = (part: readonly VaultPath[], whole: readonly VaultPath[]): boolean =>
    part.length >= minMassDeletion && part.length * 3 >= whole.length;
  return (
    isThird(deleted, all) ||
    isThird(deleted.filter(isNote), all.filter(isNote)) ||
    (deleted.length > 1 && (deleted.includes(profilePath) || deleted.length === all.length))
  );
}

function isNote(path: VaultPath): boolean {
  return kindOf(nameOf(path)) === 'markdown';
}

/** `12 of 36 files, profile.md among them, are` */
function gone(deleted: readonly VaultPath[], base: Side): string {
  const profile = deleted.includes(profilePath) ? `, ${nameOf(profilePath)} among them,` : '';
  return `${deleted.length} of ${count(base.size, 'file')}${profile} ${deleted.length === 1 ? 'is' : 'are'}`;
}
