import { isFixed } from '../arrange/arranging.ts';
import type { Status } from '../api/client.ts';
import type { Tree } from '../tree/build-tree.ts';

/** So few that who owns them is still about to start. */
const few = 5;

/** Files that are not there from the beginning. */
export function ownFiles(tree: Tree, layout: Status['layout']): string[] {
  return tree.files.map(({ path }) => path).filter((path) => !isFixed(path, layout));
}

export function isFresh(tree: Tree, layout: Status['layout']): boolean {
  return ownFiles(tree, layout).length < few;
}
