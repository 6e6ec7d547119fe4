import type { VaultPath } from '../vault/index.ts';
import { redactBlob } from './redact-commit.ts';
import type { RedactFile } from './redact-commit.ts';
import type { SyncRepository } from './sync-repository.ts';
import type { FileIds } from './syncable-files.ts';

/**
 * Skipped files that are newer on the remote, with the blob id of the version that was last received; null for a file
 * that was never received.
 */
export type DeferredFiles = ReadonlyMap<VaultPath, string | null>;

export function withDeferred(files: FileIds, deferred: DeferredFiles): Map<VaultPath, string> {
  const all = new Map(files);
  for (const [path, id] of deferred) {
    if (id === null) all.delete(path);
    else all.set(path, id);
  }
  return all;
}

export function computeDeferred(
  base: FileIds,
  theirs: FileIds,
  isSkipped: (path: VaultPath) => boolean,
): DeferredFiles {
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].filter(isSkipped);
  return new Map(
    paths.filter((path) => base.get(path) !== theirs.get(path)).map((path) => [path, base.get(path) ?? null]),
  );
}

export async function readDeferred(repository: SyncRepository): Promise<DeferredFiles> {
  const id = await repository.ref('late');
  if (id === null) return new Map();
  const text = (await repository.contents([id])).get(id)?.toString() ?? '[]';
  return new Map(JSON.parse(text) as [VaultPath, string | null][]);
}

export async function writeDeferred(repository: SyncRepository, deferred: DeferredFiles): Promise<void> {
  const id = await storeDeferred(repository, deferred);
  if (id !== (await repository.ref('late'))) await repository.setRefs({ late: id });
}

/** Returns the value for the ref `late`. */
async function storeDeferred(repository: SyncRepository, deferred: DeferredFiles): Promise<string | null> {
  return deferred.size === 0 ? null : repository.writeBlob(JSON.stringify([...deferred]));
}

/** Returns the value for the ref `late` without forgotten words in the files it names. */
export async function redactDeferred(repository: SyncRepository, redact: RedactFile): Promise<string | null> {
  const deferred = new Map<VaultPath, string | null>();
  for (const [path, id] of await readDeferred(repository))
    deferred.set(path, id === null ? null : await redactBlob(repository, { path, id }, redact));
  return storeDeferred(repository, deferred);
}
