import { belowRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { isOfHistory } from './git-errors.ts';
import { isNoObject, linesOf, readBlobs, vaultPathOf } from './git-objects.ts';
import { branch } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import type { Git } from './run-git.ts';

/** The commits of history, read. */
export type HistoryCommits = {
  /** The newest commits with their messages, newest first. */
  newest(most: number): Promise<MessageOfCommit[]>;
  /**
   * What a file was after each commit that changed it, newest first, without those that took it away. Of more than `most` the newest, and
   * the very first.
   */
  versions(path: VaultPath, most: number): Promise<{ commit: string; at: number; bytes: Buffer }[]>;
  /** What the commit with this hash changed, or only in one file; also one that lies in a repository that was set aside. */
  changesOf(commit: string, only?: VaultPath): Promise<FileChange[]>;
  /** Every commit with its message, in any order; also those in what was set aside, whatever became of its branch. */
  messages(): Promise<MessageOfCommit[]>;
  /** How many of these commits are not there, also not in what was set aside. */
  missing(commits: readonly string[]): Promise<number>;
};

type MessageOfCommit = { commit: string; message: string };

const withMessages = ['-z', '--format=%H%n%B'];

export function createHistoryCommits(git: Git, withAside: Git, refs: HistoryRefs): HistoryCommits {
  return {
    newest: async (most) =>
      (await refs.hasCommits())
        ? parseMessages(await git(['log', ...withMessages, `--max-count=${most}`, branch]))
        : [],
    async versions(path, most) {
      if (!(await refs.hasCommits())) return [];
      const asked = ['log', '-z', '--format=%H %ct', '--raw', '--no-abbrev', '--no-renames'];
      const log = await git(['--literal-pathspecs', ...asked, branch, '--', belowRoot(path)]);
      const all = parseVersions(log, path);
      const found = all.length > most ? [...all.slice(0, most - 1), ...all.slice(-1)] : all;
      const blobs = await readBlobs(withAside, [...new Set(found.map(({ id }) => id))]);
      return found.map(({ id, ...each }) => ({ ...each, bytes: blobs.get(id) ?? Buffer.alloc(0) }));
    },
    async changesOf(commit, only) {
      const asked = ['diff-tree', '-r', '-z', '--root', '--no-renames', '--no-commit-id', commit];
      const where = only === undefined ? [] : ['--', belowRoot(only)];
      const rows = parseChangedFiles(await withAside(['--literal-pathspecs', ...asked, ...where]), only);
      const named = new Set(rows.flatMap(({ before, after }) => [before, after]));
      const bytes = await readBlobs(
        withAside,
        [...named].filter((id) => !isNoObject(id)),
      );
      return rows.flatMap(
        ({ path, before, after }) =>
          fileChange(path, bytes.get(before) ?? null, bytes.get(after) ?? null) ?? [],
      );
    },
    async messages() {
      const asked = ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)'];
      const objects = (await withAside(asked)).toString();
      return readMessages(
        withAside,
        [...objects.matchAll(/^commit (.+)$/gm)].map(([, id = '']) => id),
      );
    },
    async missing(commits) {
      const asked = ['cat-file', '--batch-check=%(objecttype)'];
      const answer = (await withAside(asked, [linesOf(commits)])).toString();
      return answer.split('\n').filter((line) => line.endsWith(' missing')).length;
    },
  };
}

/** Without those that cannot be read: one is enough for git to tell nothing of the others. */
async function readMessages(git: Git, commits: readonly string[]): Promise<MessageOfCommit[]> {
  if (commits.length === 0) return [];
  try {
    const asked = ['log', ...withMessages, '--no-walk=unsorted', '--stdin'];
    return parseMessages(await git(asked, [linesOf(commits)]));
  } catch (error) {
    if (!isOfHistory(error)) throw error;
    const half = Math.floor(commits.length / 2);
    if (half === 0) return [];
    return [
      ...(await readMessages(git, commits.slice(0, half))),
      ...(await readMessages(git, commits.slice(half))),
    ];
  }
}

function parseMessages(log: Buffer): MessageOfCommit[] {
  const records = log.toString('utf8').split('\0');
  return records.filter(Boolean).map((record) => {
    const end = record.indexOf('\n');
    return { commit: record.slice(0, end), message: record.slice(end + 1) };
  });
}

/** The blobs of one file, from `log --raw -z`: a commit, then a row and a name for each file that it changed. */
function parseVersions(log: Buffer, path: VaultPath): { commit: string; at: number; id: string }[] {
  const fields = log.toString('utf8').split('\0');
  const versions: { commit: string; at: number; id: string }[] = [];
  let [commit = '', seconds = ''] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const [, id] = /^\n?:\d+ \d+ [\da-f]+ ([\da-f]+) /.exec(fields[at] ?? '') ?? [];
    if (id === undefined) [commit = '', seconds = ''] = (fields[at] ?? '').split(' ');
    else {
      at += 1;
      // Git also names what lies below a folder that was called so.
      if (vaultPathOf(fields[at] ?? '') === path && !isNoObject(id))
        versions.push({ commit, at: Number(seconds) * 1000, id });
    }
  }
  return versions;
}

/** The files of one commit with their blobs before and after it, from `diff-tree -z`. */
function parseChangedFiles(
  listed: Buffer,
  only: VaultPath | undefined,
): { path: VaultPath; before: string; after: string }[] {
  const fields = listed.toString('utf8').split('\0');
  const rows: { path: VaultPath; before: string; after: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , before = '', after = ''] = (fields[at] ?? '').split(' ');
    const path = vaultPathOf(fields[at + 1] ?? '');
    // Git also names what lies below a folder that was called so.
    if (only === undefined || path === only) rows.push({ path, before, after });
  }
  return rows;
}
