import { blobSizes, deletionsFirst, importCommits, parseTreeRow, readBlobs } from '../changes/index.ts';
import type { Git } from '../changes/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { SyncError } from './error.ts';
import { fullRef } from './sync-refs.ts';

/** What a commit has under a name: as git spells it, below the root. */
type TreeEntry = { mode: string; id: string };
export type Tree = ReadonlyMap<string, TreeEntry>;

type CommitParts = {
  parent: string | null;
  machine: string;
  at: number;
  files: readonly { path: VaultPath; after: Buffer | null }[];
};

/** Commits, trees and blobs of the repository. */
export type SyncObjects = {
  /** Whether this repository has the commit. */
  has(commit: string): Promise<boolean>;
  isAncestor(older: string, newer: string): Promise<boolean>;
  tree(commit: string): Promise<Tree>;
  sizes(ids: readonly string[]): Promise<number[]>;
  contents(ids: readonly string[]): Promise<Map<string, Buffer>>;
  /** Keeps a text of ours; gives its id. */
  keep(text: string): Promise<string>;
  /** Which files of the older commit the newer one has under another name. */
  moves(older: string, newer: string): Promise<Map<string, string>>;
  /** Which machines made what the newer commit has and the older one has not. */
  machines(older: string | null, newer: string): Promise<string[]>;
  commit(parts: CommitParts): Promise<string>;
};

/** Files of one tree; a remote can name more than there is room for. */
const mostFiles = 1_000_000;
const mostMachines = 3;
const longestName = 60;

/** `onCommit` is told of each new commit, which `local` is by then. */
export function createSyncObjects(git: Git, onCommit: (commit: string) => Promise<void>): SyncObjects {
  const trees = new Map<string, Tree>();
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
      const tree = parseTree(await git(['ls-tree', '-r', '-z', '--full-tree', commit]));
      trees.set(commit, tree);
      return tree;
    },
    sizes: async (ids) => (ids.length === 0 ? [] : blobSizes(git, ids)),
    contents: (ids) => readBlobs(git, ids),
    keep: (kept) => text(['hash-object', '-w', '--stdin'], [Buffer.from(kept)]),
    async moves(older, newer) {
      const asked = ['diff-tree', '-r', '-z', '-M60%', '--no-rename-empty', '--diff-filter=R'];
      const fields = (await git([...asked, '--name-status', older, newer])).toString('utf8').split('\0');
      const moves = new Map<string, string>();
      for (let at = 0; at + 2 < fields.length; at += 3) moves.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
      return moves;
    },
    async machines(older, newer) {
      const range = older === null ? [newer] : [newer, `^${older}`];
      const names = (await text(['log', '--max-count=1000', '--format=%cn', ...range])).split('\n');
      return [...new Set(names)].slice(0, mostMachines).map((name) => name.slice(0, longestName));
    },
    async commit({ parent, machine, at, files }) {
      const name = machineName(machine);
      const made = { at, message: `Vault of ${name}\n`, files: deletionsFirst(files) };
      const to = { branch: fullRef('local'), from: parent, name };
      // It stands on a commit of the remote, not on the one that was made here last.
      const [commit = ''] = await importCommits(git, [made], to, ['--done', '--force']);
      await onCommit(commit);
      return commit;
    },
  };
}

function parseTree(listed: Buffer): Tree {
  const rows = listed.toString('utf8').split('\0');
  if (rows.length > mostFiles)
    throw new SyncError('too-large', `the remote has more than ${mostFiles} files`);
  return new Map(
    rows
      .filter((row) => row !== '')
      .map((row) => {
        const { path, mode, id } = parseTreeRow(row);
        return [path, { mode, id }];
      }),
  );
}

/** As git may have it in a commit. */
function machineName(name: string): string {
  const plain = name
    .replaceAll(/[<>\p{Cc}]/gu, '')
    .trim()
    .slice(0, longestName);
  return plain === '' ? 'machine' : plain;
}
