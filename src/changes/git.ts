import type { ExecFileException } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { belowRoot, VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { runProgram } from './run-program.ts';

/** One commit to be: what each file becomes, null when it goes, when and why. */
export type HistoryCommit = {
  at: number;
  message: string;
  files: readonly { path: VaultPath; after: Buffer | null }[];
};

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

/** What a repository is called that was damaged and put out of the way; a date follows. */
const asideMark = '.broken-';

const branch = 'refs/heads/main';
/** Names the commit with which history had every file. */
const complete = 'refs/keepsake/complete';
const mostAtOnce = 64 * 1024 * 1024;

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

/** Only one process at a time writes into a repository of ours, so a lock that is left was left by a git that was killed. */
export function removeStaleLocks(folder: string): void {
  for (const below of ['', 'refs/heads', 'refs/keepsake', 'objects/info']) {
    const place = join(folder, below);
    const names = existsSync(place) ? readdirSync(place) : [];
    for (const name of names) if (name.endsWith('.lock')) rmSync(join(place, name), { force: true });
  }
}

/** Runs git in one repository. */
export type Git = (args: string[], input?: readonly Buffer[]) => Promise<Buffer>;

export async function blobSizes(git: Git, ids: readonly string[]): Promise<number[]> {
  const rows = (await git(['cat-file', '--batch-check=%(objectsize)'], [linesOf(ids)])).toString();
  const sizes = rows.split('\n').slice(0, ids.length).map(Number);
  if (sizes.some(Number.isNaN)) throw new VaultError('damaged-history', 'history lacks a file that it names');
  return sizes;
}

export async function readBlobs(git: Git, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const bytes = new Map<string, Buffer>();
  if (ids.length > 0)
    await eachBlob(git, ids, await blobSizes(git, ids), (id, blob) => void bytes.set(id, blob));
  return bytes;
}

/** Hands over all of them, with few calls, none of which holds more than a part in memory twice. */
async function eachBlob(
  git: Git,
  ids: readonly string[],
  sizes: readonly number[],
  take: (id: string, bytes: Buffer) => void,
): Promise<void> {
  for (let from = 0; from < ids.length;) {
    let to = from;
    for (let bytes = 0; to < ids.length && (to === from || bytes < mostAtOnce); to += 1)
      bytes += sizes[to] ?? 0;
    const answer = await git(['cat-file', '--batch=%(objectsize)'], [linesOf(ids.slice(from, to))]);
    let at = 0;
    for (; from < to; from += 1) {
      const start = answer.indexOf('\n', at) + 1;
      at = start + (sizes[from] ?? 0) + 1;
      take(ids[from] ?? '', answer.subarray(start, at - 1));
    }
  }
}

/** Puts a damaged repository out of the way, under a name with the day; nothing of it is lost. */
export function setHistoryAside(folder: string, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const names = new Set(readdirSync(dirname(folder)));
  let name = `${basename(folder)}${asideMark}${day}`;
  for (let turn = 2; names.has(name); turn += 1) name = `${basename(folder)}${asideMark}${day}-${turn}`;
  const aside = join(dirname(folder), name);
  renameSync(folder, aside);
  return aside;
}

/** The repositories that were set aside. */
export function historiesAside(folder: string): string[] {
  const beginning = `${basename(folder)}${asideMark}`;
  const place = dirname(folder);
  const names = existsSync(place) ? readdirSync(place) : [];
  return names.filter((name) => name.startsWith(beginning)).map((name) => join(place, name));
}

function linesOf(ids: readonly string[]): Buffer {
  return Buffer.from(ids.map((id) => `${id}\n`).join(''));
}

function isMissingGit(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Beyond these codes git did not end by itself: somebody or something ended it. */
const lastOwnCode = 129;
/** In the words of the system: what was asked for could not be had, which says nothing of what lies there. */
const ofTheMachine =
  /out of memory|cannot allocate memory|too many open files|resource temporarily unavailable|no space left|disk quota exceeded|permission denied/i;

/**
 * Whether a failure tells something of history itself. A git that was ended (Ctrl-C ends those of a whole terminal), that could
 * not be started or that lacked something tells nothing, nor does a journal that fails.
 */
export function isOfHistory(error: unknown): boolean {
  if (error instanceof VaultError) return error.code === 'damaged-history';
  const { code, signal, message } = error as ExecFileException;
  return (
    typeof code === 'number' &&
    code <= lastOwnCode &&
    (signal ?? null) === null &&
    !ofTheMachine.test(message)
  );
}

/** Whether an object is named by it: one that cannot be read shows only where it is needed. */
export function namesObject(error: unknown): boolean {
  return /\b[\da-f]{2}\/?[\da-f]{38}\b/.test((error as Error).message);
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0] ?? '';
}

/** The id git gives to these bytes. */
export function blobIdOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** In parts: together they may be too much to hold twice. `from` is what the first of them comes after, null for nothing. */
export function importStream(
  commits: readonly HistoryCommit[],
  { branch: ref, from, name = 'Keepsake' }: { branch: string; from: string | null; name?: string },
): Buffer[] {
  const parts: Buffer[] = [];
  const line = (text: string): void => void parts.push(Buffer.from(`${text}\n`));
  const data = (bytes: Buffer): void => {
    line(`data ${bytes.length}`);
    parts.push(bytes);
    line('');
  };
  for (const [index, { at, message, files }] of commits.entries()) {
    line(`commit ${ref}`);
    line(`mark :${index + 1}`);
    line(`committer ${name} <keepsake@localhost> ${Math.floor(at / 1000)} +0000`);
    data(Buffer.from(message));
    if (from !== null && index === 0) line(`from ${from}`);
    for (const { path, after } of files) {
      if (after === null) line(`D ${quote(belowRoot(path))}`);
      else {
        line(`M 100644 inline ${quote(belowRoot(path))}`);
        data(after);
      }
    }
    // Answered with its hash.
    line(`get-mark :${index + 1}`);
  }
  line('done');
  return parts;
}

/** Quoted as git reads it, so that any name can be one. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}

function vaultPathOf(path: string): VaultPath {
  return `vault/${path}` as VaultPath;
}

type Running = {
  folder: string;
  searchPath: string;
  alternates?: string[];
  /** Beyond those that every git of ours has. */
  variables?: Record<string, string>;
  settings?: readonly string[];
  /** Ends it. */
  signal?: AbortSignal | undefined;
};

/** What this prints, whatever the person's configuration says; it fails with what git said. */
export async function runGit(
  { folder, searchPath, alternates = [], variables = {}, settings = [], signal }: Running,
  args: string[],
  input: readonly Buffer[],
): Promise<Buffer> {
  const env = {
    PATH: searchPath,
    GIT_DIR: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates
      .map((each) => JSON.stringify(join(each, 'objects')))
      .join(delimiter),
    ...variables,
  };
  // Looking for what two large files have in common takes minutes, and mostly finds nothing.
  const all = ['core.fsync=all', 'core.bigFileThreshold=1m', ...settings].flatMap((each) => ['-c', each]);
  const program = { name: 'git', args: [...all, ...args], env, input };
  const { failure, stdout, stderr } = await runProgram(program, signal);
  if (failure === null) return stdout;
  const said = stderr.toString().trim() || failure.message;
  const message = `git ${args.find((each) => !each.startsWith('-'))} failed: ${said}`;
  throw Object.assign(new Error(message), { code: failure.code, signal: failure.signal, stdout });
}
