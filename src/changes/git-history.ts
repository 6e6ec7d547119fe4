import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { belowRoot, VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { isOfHistory } from './git-errors.ts';
import { importStream } from './git-import.ts';
import type { HistoryCommit } from './git-import.ts';
import { removeStaleLocks } from './git-locks.ts';
import { blobIdOf, eachBlob, linesOf, readBlobs } from './git-objects.ts';
import { runGit } from './run-git.ts';
import { historiesAside } from './set-aside.ts';

/**
 * A repository of our own beside the vault, never in it. Only plumbing that takes bytes and gives bytes: the person's
 * configuration, ignore rules, attributes, filters, hooks and signing have no say.
 */
export type GitHistory = {
  /** Adds commits in order; all of them are there when it returns, with these hashes. */
  add(commits: readonly HistoryCommit[]): Promise<string[]>;
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
  hasCommits(): Promise<boolean>;
  /** The newest commit, as far as that can be told without starting a program. */
  tip(): string | null;
  /** The newest commits with their messages, newest first. */
  newest(most: number): Promise<MessageOfCommit[]>;
  /** Whether it has had every file of the vault once. */
  isComplete(): Promise<boolean>;
  /** Says so from now on. */
  setComplete(): Promise<void>;
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
  /** What is wrong with the repository so that no commit can be added, in one line; null when nothing is. */
  damage(): Promise<string | null>;
  /** Everything that is wrong with it, read from end to end. */
  problems(): Promise<string[]>;
};

type MessageOfCommit = { commit: string; message: string };

const branch = 'refs/heads/main';
/** Names the commit with which history had every file. */
const complete = 'refs/keepsake/complete';

/** Null when there is no git on this machine. */
export async function openGitHistory(folder: string, searchPath: string): Promise<GitHistory | null> {
  const git = (args: string[], input: readonly Buffer[] = []): Promise<Buffer> =>
    runGit({ folder, searchPath }, args, input);
  /** What was set aside is read as far as it can be, and never built on. */
  const readAll = (args: string[], input: readonly Buffer[] = []): Promise<Buffer> =>
    runGit({ folder, searchPath, alternates: historiesAside(folder) }, args, input);
  try {
    if (!existsSync(folder))
      await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder]);
  } catch (error) {
    if (isMissingGit(error)) return null;
    throw error;
  }
  const textOf = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  /** Looked up where git keeps it: to start a program for it takes as long as everything else when a vault is opened. */
  const refIn = (ref: string): string | null => /^([\da-f]{40,64})\n$/.exec(textOf(ref))?.[1] ?? null;
  const hasRef = async (ref: string): Promise<boolean> => {
    if (refIn(ref) !== null || textOf('packed-refs').includes(` ${ref}\n`)) return true;
    return existsSync(join(folder, ref)) && (await git(['for-each-ref', ref])).length > 0;
  };
  const hasCommits = (): Promise<boolean> => hasRef(branch);
  const listTree = async (args: string[]): Promise<Map<VaultPath, string>> => {
    if (!(await hasCommits())) return new Map();
    const rows = (await git(['--literal-pathspecs', 'ls-tree', '-z', '-r', '--full-tree', branch, ...args]))
      .toString('utf8')
      .split('\0');
    return new Map(
      rows
        .filter((row) => row !== '')
        .map((row) => [vaultPathOf(row.slice(row.indexOf('\t') + 1)), row.split(/[ \t]/)[2] ?? '']),
    );
  };
  const blobsOf = (ids: readonly string[]): Promise<Map<string, Buffer>> => readBlobs(readAll, ids);
  /** Without those that cannot be read: one is enough for git to tell nothing of the others. */
  const messagesOf = async (commits: readonly string[]): Promise<MessageOfCommit[]> => {
    if (commits.length === 0) return [];
    try {
      const asked = ['log', ...withMessages, '--no-walk=unsorted', '--stdin'];
      return messagesIn(await readAll(asked, [linesOf(commits)]));
    } catch (error) {
      if (!isOfHistory(error)) throw error;
      const half = Math.floor(commits.length / 2);
      if (half === 0) return [];
      return [...(await messagesOf(commits.slice(0, half))), ...(await messagesOf(commits.slice(half)))];
    }
  };
  return {
    add: async (commits) => {
      removeStaleLocks(folder);
      const hashes = await git(
        ['fast-import', '--quiet', '--date-format=raw'],
        importStream(commits, { branch, from: (await hasCommits()) ? `${branch}^0` : null }),
      );
      return hashes.toString().split('\n').slice(0, commits.length);
    },
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
      for (let from = 0; from < paths.length; from += 200) {
        for (const [path, id] of await listTree(['--', ...paths.slice(from, from + 200).map(belowRoot)]))
          found.set(path, id);
      }
      return found;
    },
    files: () => listTree([]),
    contents: blobsOf,
    hasCommits,
    tip: () => refIn(branch),
    newest: async (most) =>
      (await hasCommits())
        ? messagesIn(await git(['log', ...withMessages, `--max-count=${most}`, branch]))
        : [],
    isComplete: () => hasRef(complete),
    async setComplete() {
      await git(['update-ref', complete, branch]);
    },
    async versions(path, most) {
      if (!(await hasCommits())) return [];
      const asked = ['log', '-z', '--format=%H %ct', '--raw', '--no-abbrev', '--no-renames'];
      const where = [branch, '--', belowRoot(path)];
      const fields = (await git(['--literal-pathspecs', ...asked, ...where])).toString('utf8').split('\0');
      const all: { commit: string; at: number; id: string }[] = [];
      let [commit = '', seconds = ''] = [];
      for (let at = 0; at < fields.length; at += 1) {
        const [, id] = /^\n?:\d+ \d+ [\da-f]+ ([\da-f]+) /.exec(fields[at] ?? '') ?? [];
        if (id === undefined) [commit = '', seconds = ''] = (fields[at] ?? '').split(' ');
        else {
          at += 1;
          // Git also names what lies below a folder that was called so.
          if (vaultPathOf(fields[at] ?? '') === path && !/^0+$/.test(id))
            all.push({ commit, at: Number(seconds) * 1000, id });
        }
      }
      const found = all.length > most ? [...all.slice(0, most - 1), ...all.slice(-1)] : all;
      const blobs = await blobsOf([...new Set(found.map(({ id }) => id))]);
      return found.map(({ id, ...each }) => ({ ...each, bytes: blobs.get(id) ?? Buffer.alloc(0) }));
    },
    async changesOf(commit, only) {
      const listed = await readAll([
        '--literal-pathspecs',
        'diff-tree',
        '-r',
        '-z',
        '--root',
        '--no-renames',
        '--no-commit-id',
        commit,
        ...(only === undefined ? [] : ['--', belowRoot(only)]),
      ]);
      const fields = listed.toString('utf8').split('\0');
      const rows: { path: VaultPath; before: string; after: string }[] = [];
      for (let at = 0; at + 1 < fields.length; at += 2) {
        const [, , before = '', after = ''] = (fields[at] ?? '').split(' ');
        const path = vaultPathOf(fields[at + 1] ?? '');
        // Git also names what lies below a folder that was called so.
        if (only === undefined || path === only) rows.push({ path, before, after });
      }
      const named = new Set(rows.flatMap(({ before, after }) => [before, after]));
      const bytes = await blobsOf([...named].filter((blob) => !/^0+$/.test(blob)));
      return rows.flatMap(
        ({ path, before, after }) =>
          fileChange(path, bytes.get(before) ?? null, bytes.get(after) ?? null) ?? [],
      );
    },
    async messages() {
      const objects = await readAll([
        'cat-file',
        '--batch-all-objects',
        '--batch-check=%(objecttype) %(objectname)',
      ]);
      return messagesOf([...objects.toString().matchAll(/^commit (.+)$/gm)].map(([, id = '']) => id));
    },
    async missing(commits) {
      const asked = linesOf(commits);
      const answer = (await readAll(['cat-file', '--batch-check=%(objecttype)'], [asked])).toString();
      return answer.split('\n').filter((line) => line.endsWith(' missing')).length;
    },
    async damage() {
      // What must not be looked at, or not be changed, may be whole.
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      try {
        await git(['rev-parse', '--is-bare-repository']);
        if (await hasCommits()) await listTree(['-t']);
        else if (existsSync(join(folder, branch))) return `${branch} names no commit`;
        return null;
      } catch (error) {
        if (!isOfHistory(error)) throw error;
        return firstLine(error);
      }
    },
    async problems() {
      try {
        await git(['fsck', '--full', '--no-dangling', '--no-progress']);
        return [];
      } catch (error) {
        if (!isOfHistory(error)) throw error;
        const { stdout, message } = error as Error & { stdout?: Buffer };
        return `${message}\n${stdout?.toString() ?? ''}`.split('\n').filter((line) => line !== '');
      }
    },
  };
}

const withMessages = ['-z', '--format=%H%n%B'];

function messagesIn(log: Buffer): MessageOfCommit[] {
  const records = log.toString('utf8').split('\0');
  return records.filter(Boolean).map((record) => {
    const end = record.indexOf('\n');
    return { commit: record.slice(0, end), message: record.slice(end + 1) };
  });
}

function isMissingGit(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0] ?? '';
}

function vaultPathOf(path: string): VaultPath {
  return `vault/${path}` as VaultPath;
}
