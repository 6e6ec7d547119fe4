import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { belowRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fileChange } from './change.ts';
import type { FileChange } from './change.ts';

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
  /** Adds commits in order; all of them are there when it returns. */
  add(commits: readonly HistoryCommit[]): Promise<void>;
  /** Blob ids of these files in the newest commit; no entry for those it does not have. */
  blobIds(paths: readonly VaultPath[]): Promise<Map<VaultPath, string>>;
  /** What the commit with this trailer changed. */
  changesOf(id: string): Promise<FileChange[]>;
};

const branch = 'refs/heads/main';
const mostAtOnce = 64 * 1024 * 1024;

/** Null when there is no git on this machine. */
export async function openGitHistory(folder: string, searchPath: string): Promise<GitHistory | null> {
  const git = (args: string[], input: readonly Buffer[] = []): Promise<Buffer> =>
    runGit({ folder, searchPath }, args, input);
  try {
    if (!existsSync(folder)) await git(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  // Only one process at a time writes here, so a lock that is left was left by a git that was killed.
  const removeStaleLocks = (): void => {
    for (const name of ['HEAD.lock', 'config.lock', 'packed-refs.lock', 'shallow.lock', `${branch}.lock`])
      rmSync(join(folder, name), { force: true });
  };
  const hasCommits = async (): Promise<boolean> => (await git(['for-each-ref', branch])).length > 0;
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
  /** All of them with few calls, none of which holds more than a part in memory twice. */
  const blobs = async (ids: readonly string[]): Promise<Map<string, Buffer>> => {
    const ask = (args: string[], of: readonly string[]): Promise<Buffer> =>
      git(['cat-file', ...args], [Buffer.from(of.map((id) => `${id}\n`).join(''))]);
    const sizes = (await ask(['--batch-check=%(objectsize)'], ids))
      .toString()
      .split('\n')
      .slice(0, ids.length)
      .map(Number);
    if (sizes.some(Number.isNaN)) throw new Error('history lacks a file that it names');
    const found = new Map<string, Buffer>();
    for (let from = 0; from < ids.length;) {
      let to = from;
      for (let bytes = 0; to < ids.length && (to === from || bytes < mostAtOnce); to += 1)
        bytes += sizes[to] ?? 0;
      const answer = await ask(['--batch=%(objectsize)'], ids.slice(from, to));
      let at = 0;
      for (; from < to; from += 1) {
        const start = answer.indexOf('\n', at) + 1;
        at = start + (sizes[from] ?? 0) + 1;
        found.set(ids[from] ?? '', answer.subarray(start, at - 1));
      }
    }
    return found;
  };
  return {
    add: async (commits) => {
      removeStaleLocks();
      await git(['fast-import', '--quiet', '--date-format=raw'], importStream(commits, await hasCommits()));
    },
    async blobIds(paths) {
      const found = new Map<VaultPath, string>();
      for (let from = 0; from < paths.length; from += 200) {
        for (const [path, id] of await listTree(['--', ...paths.slice(from, from + 200).map(belowRoot)]))
          found.set(path, id);
      }
      return found;
    },
    async changesOf(id) {
      const commit = (
        await git([
          'log',
          '--format=%H',
          '--fixed-strings',
          `--grep=Keepsake-Update: ${id}`,
          '--max-count=1',
          branch,
        ])
      )
        .toString()
        .trim();
      if (commit === '') return [];
      const fields = (
        await git(['diff-tree', '-r', '-z', '--root', '--no-renames', '--no-commit-id', commit])
      )
        .toString('utf8')
        .split('\0');
      const rows: { path: VaultPath; before: string; after: string }[] = [];
      for (let at = 0; at + 1 < fields.length; at += 2) {
        const [, , before = '', after = ''] = (fields[at] ?? '').split(' ');
        rows.push({ path: vaultPathOf(fields[at + 1] ?? ''), before, after });
      }
      const ids = new Set(rows.flatMap(({ before, after }) => [before, after]));
      const bytes = await blobs([...ids].filter((blob) => !/^0+$/.test(blob)));
      return rows.flatMap(
        ({ path, before, after }) =>
          fileChange(path, bytes.get(before) ?? null, bytes.get(after) ?? null) ?? [],
      );
    },
  };
}

/** The id git gives to these bytes. */
export function blobIdOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** In parts: together they may be too much to hold twice. */
function importStream(commits: readonly HistoryCommit[], hasParent: boolean): Buffer[] {
  const parts: Buffer[] = [];
  const line = (text: string): void => void parts.push(Buffer.from(`${text}\n`));
  const data = (bytes: Buffer): void => {
    line(`data ${bytes.length}`);
    parts.push(bytes);
    line('');
  };
  for (const [index, { at, message, files }] of commits.entries()) {
    line(`commit ${branch}`);
    line(`committer Keepsake <keepsake@localhost> ${Math.floor(at / 1000)} +0000`);
    data(Buffer.from(message));
    if (hasParent && index === 0) line(`from ${branch}^0`);
    for (const { path, after } of files) {
      if (after === null) line(`D ${quote(belowRoot(path))}`);
      else {
        line(`M 100644 inline ${quote(belowRoot(path))}`);
        data(after);
      }
    }
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

function runGit(
  { folder, searchPath }: { folder: string; searchPath: string },
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
  };
  return new Promise((resolve, reject) => {
    const options = { env, encoding: 'buffer' as const, maxBuffer: 2 ** 30 };
    // Looking for what two large files have in common takes minutes, and mostly finds nothing.
    const settings = ['-c', 'core.fsync=all', '-c', 'core.bigFileThreshold=1m'];
    const child = execFile('git', [...settings, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else
        reject(
          Object.assign(error, {
            message: `git ${args[0]} failed: ${stderr.toString().trim() || error.message}`,
          }),
        );
    });
    child.stdin?.on('error', () => undefined); // its end is reported by the exit code
    for (const part of input) child.stdin?.write(part);
    child.stdin?.end();
  });
}
