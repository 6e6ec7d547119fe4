import { basename } from 'node:path';
import { getRepositoryName } from '../hook/index.ts';
import type { Place, ProjectLink } from '../hook/index.ts';
import { findFolder } from '../vault/index.ts';
import type { FolderEntry, Layout } from '../vault/index.ts';

/**
 * The project of a session: that of its link, otherwise the folder or note of a project with the name of its folder or repository. A project
 * that was only matched by name may be read, but not written to.
 */
export function resolveProject(
  { linked, place }: { linked: ProjectLink; place: Pick<Place, 'mainFolder' | 'repository'> },
  contents: FolderEntry,
  layout: Layout,
): { project: string; by: string } | null {
  if (linked.kind === 'project') return { project: linked.project, by: linked.by };
  if (linked.kind === 'none') return null;
  const projects = findFolder(contents, layout.projectsPath);
  const { mainFolder, repository } = place;
  const ofRepository =
    repository === null ? [] : [getRepositoryName(repository), basename(repository.folder)];
  const name = [basename(mainFolder), ...ofRepository].find(
    (each) => projects?.folders.has(each) === true || projects?.files.has(`${each}.md`) === true,
  );
  return name === undefined ? null : { project: name, by: 'matched by name' };
}
