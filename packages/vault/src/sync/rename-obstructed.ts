import { childPath, baseName, findFreeName, parentPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { listParentFolders } from './incoming-changes.ts';
import type { Plan } from './plan-incoming.ts';
import type { FileIds } from './syncable-files.ts';

type OnDisk = {
  files: FileIds;
  /** Files that are not synced. */
  skipped: Iterable<VaultPath>;
  folders: Iterable<VaultPath>;
};

/**
 * Gives a free name to each file whose path is taken by a folder, for example because one machine replaced a file by a
 * folder and another one edited the file. The files in the folder stay where they are.
 */
export function renameObstructed(plan: Plan, { files, skipped, folders }: OnDisk): Plan {
  const after = new Set(files.keys());
  const added = new Set<VaultPath>();
  const [incoming, moved, concurrent] = [new Map(plan.incoming), new Map(plan.moved), [...plan.concurrent]];
  const add = (path: VaultPath): void => {
    if (!files.has(path)) added.add(path);
    after.add(path);
  };
  for (const [path, id] of incoming)
    if (id === null) after.delete(path);
    else add(path);
  for (const { path } of concurrent) add(path);
  const fold = (paths: Iterable<VaultPath>): Set<string> =>
    new Set([...paths].map((path) => path.toLowerCase()));
  const newParents = fold([...added].flatMap(listParentFolders));
  const allFolders = fold([...[...after, ...skipped].flatMap(listParentFolders), ...folders]);
  const taken = fold([...after, ...files.keys(), ...skipped]);
  const renamed = [...plan.renamed];
  for (const path of after) {
    const key = path.toLowerCase();
    if (!newParents.has(key) && !(added.has(path) && allFolders.has(key))) continue;
    const isTaken = (name: string): boolean => {
      const other = childPath(parentPath(path), name).toLowerCase();
      return taken.has(other) || allFolders.has(other);
    };
    const to = childPath(parentPath(path), findFreeName(baseName(path), isTaken));
    taken.add(to.toLowerCase());
    renamed.push({ from: path, to, why: 'folder-in-place' });
    const index = concurrent.findIndex((each) => each.path === path);
    if (index >= 0)
      concurrent.splice(index, 1, { ...concurrent[index], path: to } as (typeof concurrent)[number]);
    else incoming.set(to, incoming.get(path) ?? files.get(path) ?? null);
    incoming.delete(path);
    const from = moved.get(path) ?? (files.has(path) ? path : undefined);
    moved.delete(path);
    if (from !== undefined) moved.set(to, from);
    if (files.has(path)) incoming.set(path, null);
  }
  return { incoming, concurrent, moved, renamed };
}
