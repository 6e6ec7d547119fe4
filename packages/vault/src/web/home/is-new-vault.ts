import { isRequiredPath } from '../file-actions/file-action.ts';
import type { Status } from '../api/client.ts';
import type { Tree } from '../tree/build-tree.ts';

/** A vault with fewer user files than this counts as new. */
const newVaultMaxFiles = 5;

/** All files except those that every vault has from the start. */
export function userFiles(tree: Tree, layout: Status['layout']): string[] {
  return tree.files.map(({ path }) => path).filter((path) => !isRequiredPath(path, layout));
}

export function isNewVault(tree: Tree, layout: Status['layout']): boolean {
  return userFiles(tree, layout).length < newVaultMaxFiles;
}
