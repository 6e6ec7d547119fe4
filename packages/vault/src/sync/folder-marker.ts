import { randomUUID } from 'node:crypto';
import type { SyncRepository } from './sync-repository.ts';

/**
 * A small file in the vault that records the commit the folder was last synced with. It is looked up by the id of the
 * folder, so that the marker of another machine, copied by a file sync service, is not mistaken for it.
 */
export type FolderMarker = {
  /** Null if there is no readable marker. */
  read(folderId: string): FolderMark | null;
  /** Durable when it returns. Throws if the folder is no longer a vault. */
  write(folderId: string, mark: FolderMark): void;
  /** The removal keys of all markers in the folder. */
  removalKeys(): string[];
};

/** The removal key is null in the marker of an earlier version. */
export type FolderMark = { commit: string; removalKey: string | null };

type Parts = { repository: SyncRepository; marker: FolderMarker };

/**
 * Forgets the last sync if this is not the folder that was synced then: a folder that was lost and recreated, an
 * unmounted disk, or an old copy. Otherwise its missing files would count as deleted. An old copy continues from the
 * commit that its marker names; any other folder starts from scratch.
 */
export async function forgetOtherFolder({ repository, marker }: Parts, newest: string | null): Promise<void> {
  const folderId = await repository.folderId();
  // A repository without an id was last used by a version that stored no id in the folder.
  if (folderId === null) return;
  const found = marker.read(folderId)?.commit ?? null;
  const accepted = [
    await repository.ref('base'),
    await repository.ref('marked'),
    await repository.ref('redacted'),
  ];
  if (found !== null && accepted.includes(found)) return;
  if ((await repository.ref('base')) === null && (await repository.ref('local')) === null) return;
  const isKnown =
    found !== null &&
    newest !== null &&
    (await repository.has(found)) &&
    (await repository.isAncestor(found, newest));
  for (const { id } of await repository.pendingImports()) await repository.setPendingImport(id, null);
  await repository.setRefs({ base: isKnown ? found : null, local: null, late: null, marked: null });
}

/** Records in the folder the commit that it is now in sync with. */
export async function markFolder(
  { repository, marker }: Parts,
  commit: string,
  removalKey: string,
): Promise<void> {
  const known = await repository.folderId();
  const folderId = known ?? randomUUID();
  const mark = { commit, removalKey };
  if (known !== null && (await repository.ref('marked')) === commit && isSame(marker.read(known), mark))
    return;
  // The marker first: if the process is killed in between, it names `base` or `marked`, which are both accepted.
  marker.write(folderId, mark);
  if (known === null) await repository.setFolderId(folderId);
  await repository.setRefs({ marked: commit });
}

function isSame(a: FolderMark | null, b: FolderMark): boolean {
  return a?.commit === b.commit && a.removalKey === b.removalKey;
}
