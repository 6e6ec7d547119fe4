import type { Changes } from '../changes/index.ts';
import { readLineage } from './lineage.ts';
import { SyncError } from './sync-error.ts';
import type { SyncRepository } from './sync-repository.ts';

/** An applied transaction means that its commit was imported, even if the process crashed before it updated the ref. */
export async function completePendingImports({
  repository,
  changes,
}: {
  repository: SyncRepository;
  changes: Pick<Changes, 'find'>;
}): Promise<void> {
  for (const { id, commit } of await repository.pendingImports()) {
    if (changes.find(id)?.entry.state === 'applied') await repository.setRefs({ base: commit });
    await repository.setPendingImport(id, null);
  }
}

/** The newest remote commit that is already imported; null if there is none. */
export async function findBase(repository: SyncRepository, newest: string | null): Promise<string | null> {
  const [local, base] = [await repository.ref('local'), await repository.ref('base')];
  const isIn = async (commit: string): Promise<boolean> =>
    newest !== null && repository.isAncestor(commit, newest);
  // The last commit pushed from here may be older than the last one imported.
  const isLocalNewer = local !== null && (base === null || (await repository.isAncestor(base, local)));
  if (isLocalNewer && (await isIn(local))) return local;
  if (base === null || (await isIn(base))) return base;
  const origin = (await readLineage(repository))?.origin ?? null;
  if (origin !== null && (await repository.has(origin)) && (await isIn(origin))) return base;
  throw new SyncError(
    'rewritten',
    `the remote ${newest === null ? 'is now empty' : 'has a different history than at the last sync'}: it was rewritten; nothing was changed`,
    {
      hint: 'restore it, or start over with: keepsake sync --off, then keepsake sync <remote> on each machine; where files differ, both versions are kept',
    },
  );
}
