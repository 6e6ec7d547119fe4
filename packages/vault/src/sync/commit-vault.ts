import { blobIdOf } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { VaultIdentity, VaultPath, VaultView } from '../vault/index.ts';
import type { LocalFiles } from './local-files.ts';
import { identityPath } from './remote-identity.ts';
import type { SyncRepository } from './repository.ts';
import type { Side } from './travelling.ts';

type Parts = {
  repository: SyncRepository;
  view: Pick<VaultView, 'read'>;
  identity: VaultIdentity;
  machine: string;
  clock: Clock;
};

/** Bytes that are held at once. */
export const mostBytes = 128_000_000;

/** A commit of the vault as it is, over one whose files are `known`. What is left out stays in it as it is there. */
export async function commitVault(
  { repository, view, identity, machine, clock }: Parts,
  parent: string | null,
  known: Side,
  local: LocalFiles,
  isLeftOut: (path: VaultPath) => boolean,
): Promise<{ commit: string; sent: number }> {
  let commit = parent;
  let sent = 0;
  let files: { path: VaultPath; after: Buffer | null }[] = [];
  let room = mostBytes;
  const add = async (): Promise<void> => {
    commit = await repository.commit({ parent: commit, machine, at: clock(), files });
    sent += files.filter(({ path, after }) => path !== identityPath && after !== null).length;
    [files, room] = [[], mostBytes];
  };
  if (parent === null)
    files.push({ path: identityPath, after: Buffer.from(`${JSON.stringify(identity, null, 2)}\n`) });
  for (const [path, id] of local.files) {
    if (known.get(path) === id || isLeftOut(path)) continue;
    const read = await view.read(path);
    // It went since it was listed, or was closed to us.
    if (read.kind !== 'file') {
      local.files.delete(path);
      if (read.kind === 'refused') local.leftOut.set(path, read.reason);
      continue;
    }
    local.files.set(path, blobIdOf(read.bytes));
    files.push({ path, after: read.bytes });
    room -= read.bytes.length;
    if (room < 0) await add();
  }
  for (const path of known.keys())
    if (!local.files.has(path) && !isLeftOut(path)) files.push({ path, after: null });
  if (files.length > 0 || commit === null) await add();
  return { commit: commit ?? '', sent };
}

/** False when another machine was quicker. */
export async function send(
  repository: SyncRepository,
  commit: string,
  newest: string | null,
): Promise<boolean> {
  try {
    await repository.push(commit);
    return true;
  } catch (error) {
    const now = await repository.ask();
    if (now === commit) return true;
    if (now !== newest) return false;
    throw error;
  }
}
