import { randomUUID } from 'node:crypto';
import type { SyncRepository } from './repository.ts';

/**
 * A small file in the vault that names the commit the folder was last synced with. It is found by the id of the folder, so that the
 * marker of another machine, brought by a sync service, is not taken for it.
 */
export type FolderMarker = {
  /** Null when there is none that can be read. */
  read(folderId: string): string | null;
  /** Durable when it returns. Throws when the folder is no vault any more. */
  write(folderId: string, commit: string): void;
};

type Parts = { repository: SyncRepository; marker: FolderMarker };

/**
 * Forgets the last sync when this is not the folder that was synced then: a folder that was lost and made again, a disk that is not
 * mounted, an old copy in its place. Otherwise the files that it lacks would count as deleted. An old copy goes on from the commit
 * that its marker names, everything else starts from nothing.
 */
export async function forgetOtherFolder({ repository, marker }: Parts, newest: string | null): Promise<void> {
  const folderId = await repository.folderId();
  // A repository without an id was last used before folders had markers.
  if (folderId === null) return;
  const found = marker.read(folderId);
  if (found !== null && [await repository.ref('base'), await repository.ref('marked')].includes(found))
    return;
  if ((await repository.ref('base')) === null && (await repository.ref('local')) === null) return;
  const isKnown =
    found !== null &&
    newest !== null &&
    (await repository.has(found)) &&
    (await repository.isAncestor(found, newest));
  for (const { id } of await repository.arrivals()) await repository.setArrival(id, null);
  await repository.setRefs({ base: isKnown ? found : null, local: null, late: null, marked: null });
}

/** Notes in the folder with which commit it is in sync now. */
export async function markFolder({ repository, marker }: Parts, commit: string): Promise<void> {
  const known = await repository.folderId();
  const folderId = known ?? randomUUID();
  if (known !== null && (await repository.ref('marked')) === commit && marker.read(known) === commit) return;
  // In this order: a process that ends in between leaves a marker that names `base`, or the one before it.
  marker.write(folderId, commit);
  if (known === null) await repository.setFolderId(folderId);
  await repository.setRefs({ marked: commit });
}
