import { toRelativePath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { createFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { isRepositoryError } from './git-errors.ts';
import { isNoObject, toInputLines, readBlobs, vaultPathOf } from './git-objects.ts';
import { branch } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import type { RunGit } from './run-git.ts';

/** Reads the commits of history. */
export type HistoryCommits = {
  /** The newest commits with their messages, newest first. */
  recentCommits(limit: number): Promise<CommitMessage[]>;
  /**
   * The versions of a file, one for each commit that changed it, newest first, without deletions. If there are more
   * than `limit`, only the newest and the very first are returned.
   */
  fileVersions(path: VaultPath, limit: number): Promise<{ commit: string; at: number; bytes: Buffer }[]>;
  /** The changes of a commit, or of one file in it; also of a commit in a quarantined repository. */
  changesOf(commit: string, only?: VaultPath): Promise<FileChange[]>;
  /**
   * All commits with their messages, in any order, including those in quarantined repositories, even if no branch reaches
   * them.
   */
  messages(): Promise<CommitMessage[]>;
  /** How many of these commits are missing from the repository and from all quarantined ones. */
  countMissing(commits: readonly string[]): Promise<number>;
};

type CommitMessage = { commit: string; message: string };

const withMessages = ['-z', '--format=%H%n%B'];

export function createHistoryCommits(
  git: RunGit,
  withQuarantined: RunGit,
  refs: HistoryRefs,
): HistoryCommits {
  return {
    recentCommits: async (limit) =>
      (await refs.hasCommits())
        ? parseMessages(await git(['log', ...withMessages, `--max-count=${limit}`, branch]))
        : [],
    async fileVersions(path, limit) {
      if (!(await refs.hasCommits())) return [];
      const args = ['log', '-z', '--format=%H %ct', '--raw', '--no-abbrev', '--no-renames'];
      const log = await git(['--literal-pathspecs', ...args, branch, '--', toRelativePath(path)]);
      const all = parseVersions(log, path);
      const found = all.length > limit ? [...all.slice(0, limit - 1), ...all.slice(-1)] : all;
      const blobs = await readBlobs(withQuarantined, [...new Set(found.map(({ id }) => id))]);
      return found.map(({ id, ...each }) => ({ ...each, bytes: blobs.get(id) ?? Buffer.alloc(0) }));
    },
    async changesOf(commit, only) {
      const args = ['diff-tree', '-r', '-z', '--root', '--no-renames', '--no-commit-id', commit];
      const where = only === undefined ? [] : ['--', toRelativePath(only)];
      const rows = parseChangedFiles(await withQuarantined(['--literal-pathspecs', ...args, ...where]), only);
      const named = new Set(rows.flatMap(({ before, after }) => [before, after]));
      const bytes = await readBlobs(
        withQuarantined,
        [...named].filter((id) => !isNoObject(id)),
      );
      return rows.flatMap(
        ({ path, before, after }) =>
          createFileChange(path, bytes.get(before) ?? null, bytes.get(after) ?? null) ?? [],
      );
    },
    async messages() {
      const args = ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)'];
      const objects = (await withQuarantined(args)).toString();
      return readMessages(
        withQuarantined,
        [...objects.matchAll(/^commit (.+)$/gm)].map(([, id = '']) => id),
      );
    },
    async countMissing(commits) {
      const args = ['cat-file', '--batch-check=%(objecttype)'];
      const answer = (await withQuarantined(args, [toInputLines(commits)])).toString();
      return answer.split('\n').filter((line) => line.endsWith(' missing')).length;
    },
  };
}

/** Omits unreadable commits: git reports nothing at all if one of them is unreadable, so the list is bisected. */
async function readMessages(git: RunGit, commits: readonly string[]): Promise<CommitMessage[]> {
  if (commits.length === 0) return [];
  try {
    const args = ['log', ...withMessages, '--no-walk=unsorted', '--stdin'];
    return parseMessages(await git(args, [toInputLines(commits)]));
  } catch (error) {
    if (!isRepositoryError(error)) throw error;
    const half = Math.floor(commits.length / 2);
    if (half === 0) return [];
    return [
      ...(await readMessages(git, commits.slice(0, half))),
      ...(await readMessages(git, commits.slice(half))),
    ];
  }
}

function parseMessages(log: Buffer): CommitMessage[] {
  const records = log.toString('utf8').split('\0');
  return records.filter(Boolean).map((record) => {
    const end = record.indexOf('\n');
    return { commit: record.slice(0, end), message: record.slice(end + 1) };
  });
}

/** Parses the blobs of one file from `log --raw -z`: a commit, then a row and a name for each file that it changed. */
function parseVersions(log: Buffer, path: VaultPath): { commit: string; at: number; id: string }[] {
  const fields = log.toString('utf8').split('\0');
  const versions: { commit: string; at: number; id: string }[] = [];
  let [commit = '', seconds = ''] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const [, id] = /^\n?:\d+ \d+ [\da-f]+ ([\da-f]+) /.exec(fields[at] ?? '') ?? [];
    if (id === undefined) [commit = '', seconds = ''] = (fields[at] ?? '').split(' ');
    else {
      at += 1;
      // Git also lists files below a folder that once had this name.
      if (vaultPathOf(fields[at] ?? '') === path && !isNoObject(id))
        versions.push({ commit, at: Number(seconds) * 1000, id });
    }
  }
  return versions;
}

/** Parses the files of one commit, with their blobs before and after it, from `diff-tree -z`. */
function parseChangedFiles(
  listed: Buffer,
  only: VaultPath | undefined,
): { path: VaultPath; before: string; after: string }[] {
  const fields = listed.toString('utf8').split('\0');
  const rows: { path: VaultPath; before: string; after: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , before = '', after = ''] = (fields[at] ?? '').split(' ');
    const path = vaultPathOf(fields[at + 1] ?? '');
    // Git also lists files below a folder that once had this name.
    if (only === undefined || path === only) rows.push({ path, before, after });
  }
  return rows;
}
