import { basename } from 'node:path';
import type { Linked } from '../hook/index.ts';
import { folderIn } from '../vault/index.ts';
import type { FolderEntry, Layout } from '../vault/index.ts';

/** The project that a session is about: that of its link, else for reading only one that is called as its folder or repository. */
export function projectOf(
  { linked, folder, remote }: { linked: Linked; folder: string; remote: string | null },
  contents: FolderEntry,
  layout: Layout,
): { project: string; by: string } | null {
  if (linked.kind === 'project') return { project: linked.project, by: linked.by };
  if (linked.kind === 'none') return null;
  const projects = folderIn(contents, layout.projectsPath)?.folders;
  const name = [basename(folder), remote === null ? '' : basename(remote)].find((each) =>
    projects?.has(each),
  );
  return name === undefined ? null : { project: name, by: 'by its name' };
}
