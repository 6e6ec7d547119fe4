import { childPath, findFolder } from '../vault/index.ts';
import type { FolderEntry, Layout, VaultPath } from '../vault/index.ts';

/** Newest first: the file names start with date and time. */
export function listRecentSessions(
  contents: FolderEntry,
  layout: Layout,
  project: string | null,
  most: number,
): VaultPath[] {
  const folder = layout.sessionsFolder(project);
  const names = [...(findFolder(contents, folder)?.files.keys() ?? [])].filter((name) =>
    name.endsWith('.md'),
  );
  return names
    .toSorted()
    .toReversed()
    .slice(0, most)
    .map((name) => childPath(folder, name));
}
