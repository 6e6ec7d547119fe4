import { hashBlob } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { VaultIdentity, VaultPath, VaultView } from '../vault/index.ts';
import type { LocalFiles } from './local-files.ts';
import { noMoves } from './moves.ts';
import type { Moves } from './moves.ts';
import { identityPath } from './remote-identity.ts';
import type { SyncRepository } from './sync-repository.ts';
import type { FileIds } from './syncable-files.ts';

type Parts = {
  repository: SyncRepository;
  view: Pick<VaultView, 'read'>;
  identity: VaultIdentity;
  machine: string;
  clock: Clock;
};

/** Limit of the file content held in memory at once. */
export const maxBufferedBytes = 128_000_000;

/** The commit before, its files, and the moves since; null if these are unknown. */
type Parent = { parent: string | null; known: FileIds; moves: Moves | null };

/** Commits the current vault on top of `parent`. Skipped files stay as they are in `parent`. */
export async function commitVault(
  { repository, view, identity, machine, clock }: Parts,
  { parent, known, moves }: Parent,
  local: LocalFiles,
  isSkipped: (path: VaultPath) => boolean,
): Promise<{ commit: string; sent: number }> {
  let commit = parent;
  let sent = 0;
  let files: { path: VaultPath; after: Buffer | null }[] = [];
  let room = maxBufferedBytes;
  const add = async (isLast: boolean): Promise<void> => {
    const made = { parent: commit, machine, at: clock(), files };
    commit = await repository.commit(moves === null ? made : { ...made, moves: isLast ? moves : noMoves });
    sent += files.filter(({ path, after }) => path !== identityPath && after !== null).length;
    [files, room] = [[], maxBufferedBytes];
  };
  if (parent === null)
    files.push({ path: identityPath, after: Buffer.from(`${JSON.stringify(identity, null, 2)}\n`) });
  for (const [path, id] of local.files) {
    if (known.get(path) === id || isSkipped(path)) continue;
    const read = await view.read(path);
    // The file was deleted or became unreadable since it was listed.
    if (read.kind !== 'file') {
      local.files.delete(path);
      if (read.kind === 'refused') local.skipped.set(path, read.reason);
      continue;
    }
    local.files.set(path, hashBlob(read.bytes));
    files.push({ path, after: read.bytes });
    room -= read.bytes.length;
    if (room < 0) await add(false);
  }
  for (const path of known.keys())
    if (!local.files.has(path) && !isSkipped(path)) files.push({ path, after: null });
  if (files.length > 0 || commit === null) await add(true);
  return { commit: commit ?? '', sent };
}

/** Returns false if another machine pushed first. */
export async function pushUnlessOvertaken(
  repository: SyncRepository,
  commit: string,
  newest: string | null,
): Promise<boolean> {
  try {
    await repository.push(commit);
    return true;
  } catch (error) {
    const now = await repository.lsRemote();
    if (now === commit) return true;
    if (now !== newest) return false;
    throw error;
  }
}
