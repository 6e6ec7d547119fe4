import { belowRoot, VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { blobIdOf, eachBlob, linesOf, parseTreeRow, readBlobs, vaultPathOf } from './git-objects.ts';
import { branch } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import type { Git } from './run-git.ts';

/** The files of history and what they hold. */
export type HistoryContents = {
  /**
   * Throws unless these commits and contents can be read. What is in the repository already is not written again, so a damaged
   * object would be taken for what was added.
   */
  readBack(commits: readonly string[], contents: readonly Buffer[]): Promise<void>;
  /** Blob ids of these files in the newest commit; no entry for those it does not have. */
  blobIds(paths: readonly VaultPath[]): Promise<Map<VaultPath, string>>;
  /** Every file of the newest commit, with its blob id. */
  files(): Promise<Map<VaultPath, string>>;
  /** What these blobs hold; also those that lie in a repository that was set aside. */
  contents(blobIds: readonly string[]): Promise<Map<string, Buffer>>;
};

/** Paths that are named in one call: a command line has an end. */
const pathsAtOnce = 200;

export function createHistoryContents(git: Git, withAside: Git, refs: HistoryRefs): HistoryContents {
  const listFiles = async (args: string[]): Promise<Map<VaultPath, string>> =>
    (await refs.hasCommits()) ? listBranch(git, args) : new Map();
  return {
    async readBack(commits, contents) {
      await git(['diff-tree', '--stdin', '-r', '--root', '--no-renames'], [linesOf(commits)]);
      const wanted = new Map(contents.map((content) => [blobIdOf(content), content]));
      const sizes = wanted.values().map(({ length }) => length);
      const compare = (id: string, bytes: Buffer): void => {
        if (wanted.get(id)?.equals(bytes) !== true)
          throw new VaultError('damaged-history', `history gives back another ${id}`);
      };
      await eachBlob(git, [...wanted.keys()], [...sizes], compare);
    },
    async blobIds(paths) {
      const found = new Map<VaultPath, string>();
      for (let from = 0; from < paths.length; from += pathsAtOnce) {
        const some = paths.slice(from, from + pathsAtOnce).map(belowRoot);
        for (const [path, id] of await listFiles(['--', ...some])) found.set(path, id);
      }
      return found;
    },
    files: () => listFiles([]),
    contents: (ids) => readBlobs(withAside, ids),
  };
}

/** The files of the newest commit, of which there has to be one, with their blob ids. */
export async function listBranch(git: Git, args: string[]): Promise<Map<VaultPath, string>> {
  const listed = await git(['--literal-pathspecs', 'ls-tree', '-z', '-r', '--full-tree', branch, ...args]);
  const rows = listed.toString('utf8').split('\0');
  return new Map(
    rows
      .filter((row) => row !== '')
      .map((row) => {
        const { path, id } = parseTreeRow(row);
        return [vaultPathOf(path), id];
      }),
  );
}
