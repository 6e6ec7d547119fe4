import { walkFolders } from '../vault/index.ts';
import type { FolderEntry, Layout, VaultPath } from '../vault/index.ts';
import type { Plan } from './plan-incoming.ts';
import type { FileIds } from './syncable-files.ts';

type Parts = {
  plan: Plan;
  ours: FileIds;
  /** The folders and files on disk. */
  onDisk: FolderEntry;
  layout: Layout;
};

/**
 * The files and folders to remove before the plan is carried out, because a new file takes the place of a folder. A folder
 * is removed only if it is empty by then.
 */
export function findObsoleteFolders({ plan, ours, onDisk, layout }: Parts): {
  files: VaultPath[];
  folders: VaultPath[];
} {
  const added = [...plan.incoming].flatMap(([path, id]) => (id === null ? [] : [path]));
  const places = new Set(
    [...added, ...plan.concurrent.map(({ path }) => path)].filter((path) => !ours.has(path)),
  );
  const isReplaced = (path: VaultPath): boolean =>
    places.has(path) || [...places].some((place) => path.startsWith(`${place}/`));
  const all = [...walkFolders(onDisk)].map(({ path }) => path);
  // Most syncs replace no folder.
  if (!all.some((path) => places.has(path))) return { files: [], folders: [] };
  return {
    files: [...plan.incoming].flatMap(([path, id]) => (id === null && isReplaced(path) ? [path] : [])),
    folders: all.filter((path) => isReplaced(path) && !layout.isBuiltIn(path)),
  };
}
