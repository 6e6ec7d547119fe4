import { createFilteredView, folderProbeName } from '../agents/index.ts';
import type { ReadRun } from '../tools/index.ts';
import { baseName, parentPath, profilePath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** A run in which only this folder exists, and the profile and the overview of the vault; without a folder, the same run. */
export function limitToFolder(run: ReadRun, folder: VaultPath | undefined): ReadRun {
  if (folder === undefined) return run;
  const isAbove = (path: VaultPath): boolean => path === folder || folder.startsWith(`${path}/`);
  const isOutside = (path: VaultPath): boolean => {
    // The folders above it exist, although none of their files does.
    const isProbe = baseName(path) === folderProbeName && isAbove(parentPath(path));
    const isKept = path === run.view.layout().overviewPath || path === profilePath;
    return !(isKept || isProbe || isAbove(path) || path.startsWith(`${folder}/`));
  };
  return {
    ...run,
    view: createFilteredView(run.view, () => isOutside),
    search: (request) =>
      run.search({
        ...request,
        isExcluded: (path) => isOutside(path) || request.isExcluded?.(path) === true,
      }),
  };
}
