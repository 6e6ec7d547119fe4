import { blobIdOf } from '../changes/index.ts';
import { childPath, filesBelow, isTree, showPath } from '../vault/index.ts';
import type { Catalogue, FileEntry, VaultPath, VaultView } from '../vault/index.ts';
import type { SeenFiles } from './seen-files.ts';
import { nameProblem, sizeProblem } from './travelling.ts';
import type { LeftOut } from './travelling.ts';

export type LocalFiles = {
  /** By the ids of their contents. */
  files: Map<VaultPath, string>;
  /** What is there and stays on this machine. */
  leftOut: Map<VaultPath, string>;
};

type Parts = {
  catalogue: Pick<Catalogue, 'contents' | 'conflictCopies'>;
  view: Pick<VaultView, 'read'>;
  seen: SeenFiles;
};

/** What the vault has that travels. `known` are files that others have: one of those is gone only if it is not on the disk. */
export async function listLocal(
  { catalogue, view, seen }: Parts,
  known: ReadonlySet<VaultPath>,
): Promise<LocalFiles> {
  const files = new Map<VaultPath, string>();
  const leftOut = new Map<VaultPath, string>();
  const look = async (path: VaultPath, entry: FileEntry | null): Promise<void> => {
    if (isTree(path)) return;
    const problem = nameProblem(path) ?? (entry === null ? null : sizeProblem(entry.size));
    if (problem !== null) return void leftOut.set(path, problem);
    const remembered = entry === null ? null : seen.idOf(path, entry);
    if (remembered !== null) return void files.set(path, remembered);
    const read = await view.read(path);
    if (read.kind === 'refused') leftOut.set(path, read.reason);
    if (read.kind !== 'file') return;
    const id = blobIdOf(read.bytes);
    files.set(path, id);
    if (entry !== null) seen.put(path, entry, id);
  };
  const contents = await catalogue.contents();
  for (const { folder, name, entry } of filesBelow(contents)) await look(childPath(folder, name), entry);
  for (const { path } of catalogue.conflictCopies()) await look(path, null);
  for (const path of known) if (!files.has(path) && !leftOut.has(path)) await look(path, null);
  for (const path of twinsIn(files, known)) {
    files.delete(path);
    leftOut.set(path, 'another file has this name in upper or lower case');
  }
  return { files, leftOut };
}

/** Of files that are one where case makes no difference, all but the one that others have. */
function twinsIn(files: ReadonlyMap<VaultPath, string>, known: ReadonlySet<VaultPath>): VaultPath[] {
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

export function showLeftOut(leftOut: ReadonlyMap<VaultPath, string>): LeftOut[] {
  return [...leftOut].map(([path, reason]) => ({ path: showPath(path), reason }));
}
