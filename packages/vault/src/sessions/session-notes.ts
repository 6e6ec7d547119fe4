import { childPath, folderIn } from '../vault/index.ts';
import type { FolderEntry, Layout, VaultPath } from '../vault/index.ts';

/** Where the notes of sessions of a project lie, and of those that belong to none. */
export function sessionsFolder(layout: Layout, project: string | null): VaultPath {
  const inside = project === null ? null : childPath(childPath(layout.projectsPath, project), 'any.md');
  return childPath(
    inside === null ? layout.bucketFor(layout.overviewPath) : layout.bucketFor(inside),
    'sessions',
  );
}

/** The newest first: their names begin with the day and time. */
export function lastSessions(contents: FolderEntry, project: VaultPath, most: number): VaultPath[] {
  const folder = childPath(childPath(project, 'bucket'), 'sessions');
  const names = [...(folderIn(contents, folder)?.files.keys() ?? [])].filter((name) => name.endsWith('.md'));
  return names
    .toSorted()
    .toReversed()
    .slice(0, most)
    .map((name) => childPath(folder, name));
}

/** How many notes of sessions there are; one that was filed is deleted or moved. */
export function countUnfiled(contents: FolderEntry, layout: Layout): number {
  const projects = [...(folderIn(contents, layout.projectsPath)?.folders.keys() ?? [])];
  return [null, ...projects].reduce(
    (sum, project) => sum + (folderIn(contents, sessionsFolder(layout, project))?.files.size ?? 0),
    0,
  );
}
