import { hashBlob } from '../changes/index.ts';
import { childPath, walkFiles, isTreeFile, formatPath } from '../vault/index.ts';
import type { Catalogue, FileEntry, VaultPath, VaultView } from '../vault/index.ts';
import type { BlobIdCache } from './blob-id-cache.ts';
import { syncNameProblem, syncSizeProblem } from './syncable-files.ts';
import type { SkippedFile } from './syncable-files.ts';

export type LocalFiles = {
  /** Path to blob id. */
  files: Map<VaultPath, string>;
  /** Files that stay on this machine, with the reason. */
  skipped: Map<VaultPath, string>;
};

type Parts = {
  catalogue: Pick<Catalogue, 'contents' | 'conflictCopies'>;
  view: Pick<VaultView, 'read'>;
  seen: BlobIdCache;
};

/**
 * Lists the files of the vault that can be synced. `known` are files that the remote has; such a file counts as deleted
 * only if it is not on disk.
 */
export async function listLocalFiles(
  { catalogue, view, seen }: Parts,
  known: ReadonlySet<VaultPath>,
): Promise<LocalFiles> {
  const files = new Map<VaultPath, string>();
  const skipped = new Map<VaultPath, string>();
  const addFile = async (path: VaultPath, entry: FileEntry | null): Promise<void> => {
    if (isTreeFile(path)) return;
    const problem = syncNameProblem(path) ?? (entry === null ? null : syncSizeProblem(entry.size));
    if (problem !== null) return void skipped.set(path, problem);
    const remembered = entry === null ? null : seen.idOf(path, entry);
    if (remembered !== null) return void files.set(path, remembered);
    const read = await view.read(path);
    if (read.kind === 'refused') skipped.set(path, read.reason);
    if (read.kind !== 'file') return;
    const id = hashBlob(read.bytes);
    files.set(path, id);
    if (entry !== null) seen.put(path, entry, id);
  };
  const contents = await catalogue.contents();
  for (const { folder, name, entry } of walkFiles(contents)) await addFile(childPath(folder, name), entry);
  for (const { path } of catalogue.conflictCopies()) await addFile(path, null);
  for (const path of known) if (!files.has(path) && !skipped.has(path)) await addFile(path, null);
  for (const path of findCaseCollisions(files, known)) {
    files.delete(path);
    skipped.set(path, 'another file has the same name with different case');
  }
  return { files, skipped };
}

/** Of files whose paths differ only in case, returns all but one, which is the one that the remote has, if any. */
function findCaseCollisions(
  files: ReadonlyMap<VaultPath, string>,
  known: ReadonlySet<VaultPath>,
): VaultPath[] {
  const first = new Map<string, VaultPath>();
  const twins: VaultPath[] = [];
  const order = [...files.keys()].toSorted(
    (a, b) => Number(known.has(b)) - Number(known.has(a)) || (a < b ? -1 : 1),
  );
  for (const path of order) {
    const key = path.toLowerCase();
    if (first.has(key)) twins.push(path);
    else first.set(key, path);
  }
  return twins;
}

export function toSkippedFiles(skipped: ReadonlyMap<VaultPath, string>): SkippedFile[] {
  return [...skipped].map(([path, reason]) => ({ path: formatPath(path), reason }));
}
