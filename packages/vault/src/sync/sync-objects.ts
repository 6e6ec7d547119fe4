import { createHash } from 'node:crypto';
import { blobSizes, sortDeletionsFirst, importCommits, isKilledError, readBlobs } from '../changes/index.ts';
import type { RunGit, StreamGit } from '../changes/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { formatMoveRecord, parseMoveRecord } from './moves.ts';
import type { Moves } from './moves.ts';
import { createRemovalKey } from './removal-seal.ts';
import { fullRef } from './sync-refs.ts';
import type { RefName } from './sync-refs.ts';
import { readPastVersions } from './past-versions.ts';
import { readTree } from './read-tree.ts';
import type { GitTree } from './read-tree.ts';

type CommitParts = {
  parent: string | null;
  machine: string;
  at: number;
  files: readonly { path: VaultPath; after: Buffer | null }[];
  /** The moves in relation to the parent; not set if they are unknown. */
  moves?: Moves;
  /** The ref that points to the new commit; `local` by default. */
  ref?: RefName;
};

type RootParts = { machine: string; at: number; removalKey: string };

export type SyncObjects = {
  /** Whether the local repository contains the commit. */
  has(commit: string): Promise<boolean>;
  isAncestor(older: string, newer: string): Promise<boolean>;
  tree(commit: string): Promise<GitTree>;
  sizes(ids: readonly string[]): Promise<number[]>;
  contents(ids: readonly string[]): Promise<Map<string, Buffer>>;
  /** Stores a blob and returns its id. */
  writeBlob(content: string | Buffer): Promise<string>;
  /** The moves that each commit in the range `older..newer` records, oldest first; null for a commit that records none. */
  moveRecords(older: string, newer: string): Promise<(Moves | null)[]>;
  /** Maps paths of the older commit to the paths of similar files that are new in the newer one. */
  findRenames(older: string, newer: string): Promise<Map<string, string>>;
  /** The versions, as blob ids, that each of these files has had at its path up to this commit. */
  pastVersions(
    newest: string,
    paths: ReadonlySet<VaultPath>,
  ): Promise<ReadonlyMap<VaultPath, ReadonlySet<string>>>;
  /** The machines that made the commits in the range `older..newer`. */
  listMachines(older: string | null, newer: string): Promise<string[]>;
  commit(parts: CommitParts): Promise<string>;
  /** Replaces the last commit made here by one that records the moves. */
  recordMoves(commit: string, moves: Moves): Promise<string>;
  /** Adds a commit with the files of this one and without a parent. */
  commitRoot(commit: string, parts: RootParts): Promise<string>;
  /** The removal key of the history that ends with this commit: see `readRemovalKey`. */
  removalKeyOf(commit: string): Promise<string>;
};

/** Limit of the messages that are read to find moves. */
const maxRecordBytes = 64_000_000;
const maxListedMachines = 3;
const maxMachineNameCharacters = 60;

/** `onCommit` is called for each new commit, after the ref points to it. */
export function createSyncObjects(
  git: RunGit,
  streamGit: StreamGit,
  onCommit: (ref: RefName, commit: string) => Promise<void>,
): SyncObjects {
  const trees = new Map<string, GitTree>();
  const text = async (args: string[], input?: readonly Buffer[]): Promise<string> =>
    (await git(args, input)).toString().trimEnd();
  return {
    async has(commit) {
      try {
        await git(['cat-file', '-e', `${commit}^{commit}`]);
        return true;
      } catch (error) {
        if (isKilledError(error)) throw error;
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
    async moveRecords(older, newer) {
      const messages: Buffer[] = [];
      let size = 0;
      const args = ['log', '--reverse', '--topo-order', '--format=%B%x00', newer, `^${older}`];
      await streamGit(args, (piece) => {
        size += piece.length;
        if (size <= maxRecordBytes) messages.push(piece);
      });
      if (size > maxRecordBytes) return [null];
      const texts = Buffer.concat(messages).toString('utf8').split('\0');
      return texts.slice(0, -1).map(parseMoveRecord);
    },
    async findRenames(older, newer) {
      const options = ['diff-tree', '-r', '-z', '-M60%', '--no-rename-empty', '--diff-filter=R'];
      const fields = (await git([...options, '--name-status', older, newer])).toString('utf8').split('\0');
      const moves = new Map<string, string>();
      for (let at = 0; at + 2 < fields.length; at += 3) moves.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
      return moves;
    },
    pastVersions: (newest, paths) => readPastVersions(streamGit, newest, paths),
    async listMachines(older, newer) {
      const range = older === null ? [newer] : [newer, `^${older}`];
      const names = (await text(['log', '--max-count=1000', '--format=%cn', ...range])).split('\n');
      return [...new Set(names)]
        .slice(0, maxListedMachines)
        .map((name) => name.slice(0, maxMachineNameCharacters));
    },
    async commit({ parent, machine, at, files, moves, ref = 'local' }) {
      const name = machineName(machine);
      const record = moves === undefined ? '' : `\n${formatMoveRecord(moves)}`;
      const message =
        parent === null ? rootMessage(name, createRemovalKey()) : `${commitMessage(name)}${record}`;
      const made = { at, message, files: sortDeletionsFirst(files) };
      const to = { branch: fullRef(ref), from: parent, name };
      // `--force`, because the parent is a commit of the remote, not the last commit made here.
      const [commit = ''] = await importCommits(git, [made], to, ['--done', '--force']);
      await onCommit(ref, commit);
      return commit;
    },
    async recordMoves(commit, moves) {
      const content = `${await text(['cat-file', 'commit', commit])}\n\n${formatMoveRecord(moves)}`;
      const recorded = await text(['hash-object', '-t', 'commit', '-w', '--stdin'], [Buffer.from(content)]);
      await git(['update-ref', fullRef('local'), recorded]);
      await onCommit('local', recorded);
      return recorded;
    },
    async commitRoot(commit, { machine, at, removalKey }) {
      const name = machineName(machine);
      const author = `${name} <keepsake@localhost> ${Math.floor(at / 1000)} +0000`;
      const header = `tree ${await text(['rev-parse', `${commit}^{tree}`])}\nauthor ${author}\ncommitter ${author}\n`;
      const content = Buffer.from(`${header}\n${rootMessage(name, removalKey)}`);
      return text(['hash-object', '-t', 'commit', '-w', '--stdin'], [content]);
    },
    async removalKeyOf(commit) {
      const [root = ''] = (await text(['rev-list', '--max-parents=0', commit])).split('\n');
      return readRemovalKey(await text(['cat-file', 'commit', root]));
    },
  };
}

function commitMessage(name: string): string {
  return `Vault of ${name}\n`;
}

const removalKeyField = 'Removal-Key: ';

function rootMessage(name: string, removalKey: string): string {
  return `${commitMessage(name)}\n${removalKeyField}${removalKey}\n`;
}

/**
 * Every machine that has synced has the first commit, and a history that was rewritten does not contain the earlier
 * one, so a key in it is known exactly to the machines that have the removed words. Earlier versions stored no key; the
 * whole commit then serves as one.
 */
function readRemovalKey(rootCommit: string): string {
  const line = rootCommit.split('\n').find((each) => each.startsWith(removalKeyField));
  if (line !== undefined) return line.slice(removalKeyField.length);
  return createHash('sha256').update(rootCommit).digest('base64url');
}

/** Removes the characters that git does not allow in an author name. */
function machineName(name: string): string {
  const plain = name
    .replaceAll(/[<>\p{Cc}]/gu, '')
    .trim()
    .slice(0, maxMachineNameCharacters);
  return plain === '' ? 'machine' : plain;
}
