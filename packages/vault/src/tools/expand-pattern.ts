import { compilePathPattern } from '../search/index.ts';
import {
  childPath,
  formatFolderPath,
  formatInput,
  formatPath,
  parseVaultPath,
  pluralize,
  rootPath,
  findFolder,
  walkFiles,
  walkFolders,
} from '../vault/index.ts';
import type { VaultView } from '../vault/index.ts';

/** The files and folders that a pattern stands for, as displayed paths in the order of the tree. */
type Expansion = { paths: string[]; note: string | null };

/** More files do not fit into a result anyway. */
const maxMatches = 200;

/**
 * Expands a path with `*`, for example to the `state.md` of all projects; null for a path without, and for an existing one of
 * exactly this name. A string says what is wrong.
 */
export async function expandPattern(input: string, view: VaultView): Promise<Expansion | string | null> {
  if (!input.includes('*')) return null;
  const literal = parseVaultPath(input);
  if (literal.ok && (await view.withEntry(literal.path, async ({ kind }) => kind !== 'missing'))) return null;
  const isMatch = compilePathPattern(input);
  if (typeof isMatch === 'string') return isMatch;
  const root = findFolder(await view.contents(), rootPath);
  if (root === undefined) return noMatch;
  const wantsFiles = !input.endsWith('/');
  // `**` stands for all files below a folder, which the folders above them would repeat.
  const wantsFolders = !wantsFiles || !input.includes('**');
  const files = wantsFiles ? [...walkFiles(root)].map(({ folder, name }) => childPath(folder, name)) : [];
  const folders = wantsFolders ? [...walkFolders(root)].map(({ path }) => path) : [];
  const found = [
    ...files.filter(isMatch).map(formatPath),
    ...folders.filter((path) => path !== rootPath && isMatch(path)).map(formatFolderPath),
  ].toSorted();
  if (found.length === 0) return noMatch;
  const note =
    found.length > maxMatches
      ? `${formatInput(input)} matches ${pluralize(found.length, 'path')}, of which the first ${maxMatches} are read; narrow the pattern`
      : null;
  return { paths: found.slice(0, maxMatches), note };
}

const noMatch = 'no file or folder matches this pattern';
