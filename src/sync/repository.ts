import { existsSync } from 'node:fs';
import {
  blobSizes,
  deletionsFirst,
  importCommits,
  parseTreeRow,
  readBlobs,
  removeStaleLocks,
  runGit,
} from '../changes/index.ts';
import type { Git } from '../changes/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { allowedProtocols, showAddress } from './address.ts';
import { SyncError } from './error.ts';

/** What a commit has under a name: as git spells it, below the root. */
type TreeEntry = { mode: string; id: string };
export type Tree = ReadonlyMap<string, TreeEntry>;

/**
 * `base` is the commit of the remote whose contents have all come into the vault, `local` the newest that was made of the vault, `late`
 * a list of files that have not come in although `base` has them, `marked` the commit that the marker in the folder names.
 */
type RefName = 'base' | 'local' | 'late' | 'remote' | 'marked';

type CommitParts = {
  parent: string | null;
  machine: string;
  at: number;
  files: readonly { path: VaultPath; after: Buffer | null }[];
};

/** The repository that carries one vault, on this machine. It is nobody else's, so its files are its settings, too. */
export type SyncRepository = {
  address(): Promise<string | null>;
  /** Another one than before has other commits: what was known of that one is forgotten. */
  setAddress(address: string | null): Promise<void>;
  /** Whether the service is to sync by itself. */
  setWatched(isWatched: boolean): Promise<void>;
  /** Names the folder that is synced with this repository; null until its first sync has ended. */
  folderId(): Promise<string | null>;
  setFolderId(id: string): Promise<void>;
  /** Deletes every ref, so that the next round starts from nothing. */
  forget(): Promise<void>;
  /** Whether this repository has the commit. */
  has(commit: string): Promise<boolean>;
  /** The newest commit of the remote, fetched; null while it has none. Throws when it cannot be reached. */
  receive(): Promise<string | null>;
  /** The newest commit of the remote, without fetching it. */
  ask(): Promise<string | null>;
  /** Never by force. */
  push(commit: string): Promise<void>;
  ref(name: RefName): Promise<string | null>;
  setRefs(refs: Partial<Record<RefName, string | null>>): Promise<void>;
  /** What may be coming into the vault: the id of the transaction, and the commit. */
  arrivals(): Promise<{ id: string; commit: string }[]>;
  setArrival(id: string, commit: string | null): Promise<void>;
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
  /** Packs what has become many files. */
  tidy(): Promise<void>;
};

type Parts = {
  folder: string;
  searchPath: string;
  /** What ssh, proxies and certificates need. */
  variables: Record<string, string>;
  /** Ends what waits for the remote. */
  signal?: AbortSignal | undefined;
};

const branch = 'refs/heads/main';
const own = 'refs/keepsake/';
const arriving = `${own}arriving/`;
const addressKey = 'remote.origin.url';
const watchKey = 'keepsake.watch';
const folderKey = 'keepsake.folder';
/** Files of one tree; a remote can name more than there is room for. */
const mostFiles = 1_000_000;
const mostMachines = 3;
const longestName = 60;

const settings = [
  'core.hooksPath=/dev/null',
  'fetch.fsckObjects=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'credential.helper=',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=60',
];

export async function openSyncRepository({
  folder,
  searchPath,
  variables,
  signal,
}: Parts): Promise<SyncRepository> {
  const git: Git = (args, input = []) => runGit({ folder, searchPath, settings }, args, input);
  const withRemote: Git = (args, input = []) =>
    runGit(
      {
        folder,
        searchPath,
        settings,
        signal,
        variables: {
          GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=30',
          ...variables,
          GIT_ALLOW_PROTOCOL: allowedProtocols,
        },
      },
      args,
      input,
    );
  try {
    if (!existsSync(folder)) await git(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new SyncError('no-git', 'git was not found', {
      mend: 'install git and make sure that it is in PATH',
      cause,
    });
  }
  removeStaleLocks(folder);

  const text = async (args: string[], input?: readonly Buffer[]): Promise<string> =>
    (await git(args, input)).toString().trimEnd();
  // Who changes any of this holds the lock, and does it here.
  let knownSettings: Map<string, string> | null = null;
  let knownRefs: Map<string, string> | null = null;
  const trees = new Map<string, Tree>();
  const settingsNow = async (): Promise<Map<string, string>> =>
    (knownSettings ??= await readConfig({ folder, searchPath }));
  const setting = async (key: string): Promise<string | null> => (await settingsNow()).get(key) ?? null;
  const setSetting = async (key: string, value: string): Promise<void> => {
    await git(['config', key, value]);
    (await settingsNow()).set(key, value);
  };
  const address = (): Promise<string | null> => setting(addressKey);
  const addressOrExplain = async (): Promise<string> => {
    const known = await address();
    if (known !== null) return known;
    throw new SyncError('no-remote', 'this vault is synced with nothing yet', {
      mend: 'name a repository: keepsake sync <remote>',
    });
  };
  const refs = async (): Promise<Map<string, string>> => {
    if (knownRefs !== null) return knownRefs;
    const rows = await text(['for-each-ref', '--format=%(objectname) %(refname)', own]);
    knownRefs = new Map(
      rows.split('\n').flatMap((row) => (row === '' ? [] : [[row.slice(41), row.slice(0, 40)]])),
    );
    return knownRefs;
  };
  const update = async (wanted: readonly [string, string | null | undefined][]): Promise<void> => {
    const known = await refs();
    const lines = wanted.flatMap(([name, id]) => {
      if (id === undefined || (known.get(name) ?? null) === id) return [];
      return [id === null ? `delete ${name}\n` : `update ${name} ${id}\n`];
    });
    if (lines.length === 0) return;
    await git(['update-ref', '--stdin'], [Buffer.from(lines.join(''))]);
    for (const [name, id] of wanted)
      if (id === null) known.delete(name);
      else if (id !== undefined) known.set(name, id);
  };
  const ask = async (): Promise<string | null> => {
    const at = await addressOrExplain();
    const answer = await withRemote(['ls-remote', '--quiet', '--', at, branch]).catch((cause: unknown) => {
      throw unreachable(at, cause);
    });
    return (
      answer
        .toString()
        .split('\n')
        .find((line) => line.endsWith(`\t${branch}`))
        ?.split('\t')[0] ?? null
    );
  };
  const forget = async (): Promise<void> => update([...(await refs()).keys()].map((name) => [name, null]));
  const ref: SyncRepository['ref'] = async (name) => (await refs()).get(own + name) ?? null;

  return {
    address,
    async setAddress(wanted) {
      if (wanted !== null && (await address()) === wanted) return;
      await forget();
      if (wanted !== null) return setSetting(addressKey, wanted);
      if ((await address()) === null) return;
      await git(['config', '--unset-all', addressKey]);
      (await settingsNow()).delete(addressKey);
    },
    setWatched: (isWatched) => setSetting(watchKey, String(isWatched)),
    folderId: () => setting(folderKey),
    setFolderId: (id) => setSetting(folderKey, id),
    forget,
    async has(commit) {
      try {
        await git(['cat-file', '-e', `${commit}^{commit}`]);
        return true;
      } catch {
        return false;
      }
    },
    ask,
    async receive() {
      const newest = await ask();
      if (newest === null || newest === (await ref('remote'))) return newest;
      const at = await addressOrExplain();
      const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
      await withRemote(['fetch', ...options, '--', at, `+${branch}:${own}remote`]).catch((cause: unknown) => {
        throw unreachable(at, cause);
      });
      knownRefs = null;
      return ref('remote');
    },
    async push(commit) {
      const at = await addressOrExplain();
      try {
        await withRemote(['push', '--quiet', '--no-verify', '--', at, `${commit}:${branch}`]);
        await update([[`${own}remote`, commit]]);
      } catch (cause) {
        throw new SyncError(
          'not-accepted',
          `${showAddress(at)} did not take what this machine sent (${reasonOf(cause)})`,
          { mend: 'what came from there is in the vault; the rest is sent the next time', cause },
        );
      }
    },
    ref,
    setRefs: (changed) => update(Object.entries(changed).map(([name, id]) => [own + name, id])),
    async arrivals() {
      const all = [...(await refs())].filter(([name]) => name.startsWith(arriving));
      return all.map(([name, commit]) => ({ id: name.slice(arriving.length), commit }));
    },
    setArrival: (id, commit) => update([[arriving + id, commit]]),
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
      const rows = (await git(['ls-tree', '-r', '-z', '--full-tree', commit])).toString('utf8').split('\0');
      if (rows.length > mostFiles)
        throw new SyncError('too-large', `the remote has more than ${mostFiles} files`);
      const tree = new Map(
        rows
          .filter((row) => row !== '')
          .map((row) => {
            const { path, mode, id } = parseTreeRow(row);
            return [path, { mode, id }];
          }),
      );
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
      const to = { branch: `${own}local`, from: parent, name };
      // It stands on a commit of the remote, not on the one that was made here last.
      const [commit = ''] = await importCommits(git, [made], to, ['--done', '--force']);
      (await refs()).set(`${own}local`, commit);
      return commit;
    },
    async tidy() {
      await runGit(
        { folder, searchPath, settings: ['gc.autoDetach=false'] },
        ['gc', '--auto', '--quiet'],
        [],
      );
    },
  };
}

/** What is to be known without waiting for whoever syncs; null for what is synced with nothing. */
export async function readSyncSettings({
  folder,
  searchPath,
}: Pick<Parts, 'folder' | 'searchPath'>): Promise<{ address: string; isWatched: boolean } | null> {
  if (!existsSync(folder)) return null;
  const config = await readConfig({ folder, searchPath });
  const address = config.get(addressKey);
  return address === undefined ? null : { address, isWatched: config.get(watchKey) === 'true' };
}

/** Of a key that is set several times the last value, as git reads it. */
async function readConfig({
  folder,
  searchPath,
}: Pick<Parts, 'folder' | 'searchPath'>): Promise<Map<string, string>> {
  const rows = (await runGit({ folder, searchPath }, ['config', '--list', '-z'], [])).toString().split('\0');
  return new Map(
    rows.flatMap((row) => {
      const at = row.indexOf('\n');
      return at < 0 ? [] : [[row.slice(0, at), row.slice(at + 1)] as const];
    }),
  );
}

function unreachable(address: string, cause: unknown): SyncError {
  return new SyncError(
    'unreachable',
    `${showAddress(address)} cannot be read (${reasonOf(cause)}); nothing was changed`,
    {
      mend: 'is it there, and may you reach it? A new one is made with: git init --bare <folder>',
      cause,
    },
  );
}

/** In one line, without what is secret. */
function reasonOf(error: unknown): string {
  const said = (error as Error).message.replace(/^git [\w-]+ failed: /, '');
  const lines = said.split('\n').map((line) => line.replace(/^(?:fatal|error|remote|warning): */, '').trim());
  return showAddress(lines.find((line) => line !== '') ?? said).slice(0, 300);
}

/** As git may have it in a commit. */
function machineName(name: string): string {
  const plain = name
    .replaceAll(/[<>\p{Cc}]/gu, '')
    .trim()
    .slice(0, longestName);
  return plain === '' ? 'machine' : plain;
}
