import { toRelativePath, VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { hashBlob, forEachBlob, toInputLines, parseTreeRow, readBlobs, vaultPathOf } from './git-objects.ts';
import { branch } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import type { RunGit } from './run-git.ts';

/** The files in history and their contents. */
export type HistoryContents = {
  /**
   * Throws unless these commits and contents can be read. Git does not rewrite an existing object, so a damaged one
   * would otherwise be taken for a newly added one.
   */
  verify(commits: readonly string[], contents: readonly Buffer[]): Promise<void>;
  /** Blob ids of these files in the newest commit; files that it does not contain are omitted. */
  blobIds(paths: readonly VaultPath[]): Promise<Map<VaultPath, string>>;
  /** Every file of the newest commit, with its blob id. */
  files(): Promise<Map<VaultPath, string>>;
  /** The contents of these blobs, including those in quarantined repositories. */
  contents(blobIds: readonly string[]): Promise<Map<string, Buffer>>;
};

/** The maximum number of paths per call, because the length of a command line is limited. */
const pathsAtOnce = 200;

export function createHistoryContents(
  git: RunGit,
  withQuarantined: RunGit,
  refs: HistoryRefs,
): HistoryContents {
  const listFiles = async (args: string[]): Promise<Map<VaultPath, string>> =>
    (await refs.hasCommits()) ? listTree(git, args) : new Map();
  return {
    async verify(commits, contents) {
      await git(['diff-tree', '--stdin', '-r', '--root', '--no-renames'], [toInputLines(commits)]);
      const expected = new Map(contents.map((content) => [hashBlob(content), content]));
      const sizes = expected.values().map(({ length }) => length);
      const compare = (id: string, bytes: Buffer): void => {
        if (expected.get(id)?.equals(bytes) !== true)
          throw new VaultError(
            'damaged-history',
            `the content of blob ${id} in history does not match its id`,
          );
      };
      await forEachBlob(git, [...expected.keys()], [...sizes], compare);
    },
    async blobIds(paths) {
      const found = new Map<VaultPath, string>();
      for (let from = 0; from < paths.length; from += pathsAtOnce) {
        const some = paths.slice(from, from + pathsAtOnce).map(toRelativePath);
        for (const [path, id] of await listFiles(['--', ...some])) found.set(path, id);
      }
      return found;
    },
    files: () => listFiles([]),
    contents: (ids) => readBlobs(withQuarantined, ids),
  };
}

/** The files of a commit, by default the newest, with their blob ids. Requires at least one commit. */
export async function listTree(
  git: RunGit,
  args: string[],
  commit: string = branch,
): Promise<Map<VaultPath, string>> {
  const listed = await git(['--literal-pathspecs', 'ls-tree', '-z', '-r', '--full-tree', commit, ...args]);
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
