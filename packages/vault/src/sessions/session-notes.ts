import { childPath, findFolder } from '../vault/index.ts';
import type { FolderEntry, Layout, VaultPath } from '../vault/index.ts';

/** The folder for session notes of a project, or of sessions without a project. */
export function getSessionsFolder(layout: Layout, project: string | null): VaultPath {
  const inside = project === null ? null : childPath(childPath(layout.projectsPath, project), 'any.md');
  return childPath(
    inside === null ? layout.bucketFor(layout.overviewPath) : layout.bucketFor(inside),
    'sessions',
  );
}

/** Newest first: the file names start with date and time. */
export function listRecentSessions(contents: FolderEntry, project: VaultPath, most: number): VaultPath[] {
  const folder = childPath(childPath(project, 'bucket'), 'sessions');
  const names = [...(findFolder(contents, folder)?.files.keys() ?? [])].filter((name) =>
    name.endsWith('.md'),
  );
  return names
    .toSorted()
    .toReversed()
    .slice(0, most)
    .map((name) => childPath(folder, name));
}

/** The number of notes in the session folders, regardless of their `filed` property. */
export function countUnfiledNotes(contents: FolderEntry, layout: Layout): number {
  const projects = [...(findFolder(contents, layout.projectsPath)?.folders.keys() ?? [])];
  return [null, ...projects].reduce(
    (sum, project) => sum + (findFolder(contents, getSessionsFolder(layout, project))?.files.size ?? 0),
    0,
  );
}
