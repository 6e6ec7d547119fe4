import { blobSizes, sortDeletionsFirst, importCommits, readBlobs } from '../changes/index.ts';
import type { RunGit, StreamGit } from '../changes/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fullRef } from './sync-refs.ts';
import { readTree } from './read-tree.ts';
import type { GitTree } from './read-tree.ts';

type CommitParts = {
  parent: string | null;
  machine: string;
  at: number;
  files: readonly { path: VaultPath; after: Buffer | null }[];
};

export type SyncObjects = {
  /** Whether the local repository contains the commit. */
  has(commit: string): Promise<boolean>;
  isAncestor(older: string, newer: string): Promise<boolean>;
  tree(commit: string): Promise<GitTree>;
  sizes(ids: readonly string[]): Promise<number[]>;
  contents(ids: readonly string[]): Promise<Map<string, Buffer>>;
  /** Stores a text as a blob and returns its id. */
  writeBlob(text: string): Promise<string>;
  /** Maps paths of the older commit to the paths they were renamed to in the newer one. */
  findRenames(older: string, newer: string): Promise<Map<string, string>>;
  /** The machines that made the commits in the range `older..newer`. */
  listMachines(older: string | null, newer: string): Promise<string[]>;
  commit(parts: CommitParts): Promise<string>;
};

const maxListedMachines = 3;
const maxMachineNameCharacters = 60;

/** `onCommit` is called for each new commit, after the ref `local` points to it. */
export function createSyncObjects(
  git: RunGit,
  streamGit: StreamGit,
  onCommit: (commit: string) => Promise<void>,
): SyncObjects {
  const trees = new Map<string, GitTree>();
  const text = async (args: string[], input?: readonly Buffer[]): Promise<string> =>
    (await git(args, input)).toString().trimEnd();
  return {
    async has(commit) {
      try {
        await git(['cat-file', '-e', `${commit}^{commit}`]);
        return true;
      } catch {
        return false;
      }
    },
    async isAncestor(older, newer) {
      if (older === newer) return true;
      try {
        await git(['merge-base', '--is-ancestor', older, newer]);
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code === 1) return false;
        throw error;
      }
    },
    async tree(commit) {
      const known = trees.get(commit);
      if (known !== undefined) return known;
      const tree = await readTree(streamGit, commit);
      trees.set(commit, tree);
      return tree;
    },
    sizes: async (ids) => (ids.length === 0 ? [] : blobSizes(git, ids)),
    contents: (ids) => readBlobs(git, ids),
    writeBlob: (content) => text(['hash-object', '-w', '--stdin'], [Buffer.from(content)]),
    async findRenames(older, newer) {
      const options = ['diff-tree', '-r', '-z', '-M60%', '--no-rename-empty', '--diff-filter=R'];
      const fields = (await git([...options, '--name-status', older, newer])).toString('utf8').split('\0');
      const moves = new Map<string, string>();
      for (let at = 0; at + 2 < fields.length; at += 3) moves.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
      return moves;
    },
    async listMachines(older, newer) {
      const range = older === null ? [newer] : [newer, `^${older}`];
      const names = (await text(['log', '--max-count=1000', '--format=%cn', ...range])).split('\n');
      return [...new Set(names)]
        .slice(0, maxListedMachines)
        .map((name) => name.slice(0, maxMachineNameCharacters));
    },
    async commit({ parent, machine, at, files }) {
      const name = machineName(machine);
      const made = { at, message: `Vault of ${name}\n`, files: sortDeletionsFirst(files) };
      const to = { branch: fullRef('local'), from: parent, name };
      // `--force`, because the parent is a commit of the remote, not the last commit made here.
      const [commit = ''] = await importCommits(git, [made], to, ['--done', '--force']);
      await onCommit(commit);
      return commit;
    },
  };
}

/** Removes the characters that git does not allow in an author name. */
function machineName(name: string): string {
  const plain = name
    .replaceAll(/[<>\p{Cc}]/gu, '')
    .trim()
    .slice(0, maxMachineNameCharacters);
  return plain === '' ? 'machine' : plain;
}
