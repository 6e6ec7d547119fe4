import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { createWriterLock } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import { describeError } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import {
  createLastSync,
  createSeenFiles,
  openSyncRepository,
  parseAddress,
  readRemoteIdentity,
  readSyncSettings,
  seenFilesVersion,
  showAddress,
  syncVault,
} from '../sync/index.ts';
import type { DeletionRule, LastSync, SyncReport, SyncRepository } from '../sync/index.ts';
import { filePathsBelow, joinVault, readIdentity } from '../vault/index.ts';
import type { Catalogue, VaultRoot, VaultView } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { openDisposable } from './databases.ts';
import { machineName } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { createFolderMarker } from './folder-marker.ts';
import type { OutsideRecorder } from './record-outside.ts';
import type { State } from './state.ts';

/** Carries the vault between machines with a git repository. */
export type SyncHost = {
  /** One sync, with the remote that is given, which is remembered, or with the one that was. */
  run(
    remote?: string,
    options?: { deletions?: DeletionRule; signal?: AbortSignal },
  ): Promise<SyncReport & { remote: string; machine: string }>;
  /** Whether the service is to sync by itself, from now on. */
  setWatched(isWatched: boolean): Promise<void>;
  /** With what it is synced; null when with nothing. */
  look(): Promise<(LastSync & { remote: string; isWatched: boolean }) | null>;
  /** Forgets the remote; gives its address, null when there was none. */
  stop(): Promise<string | null>;
};

type Parts = {
  root: VaultRoot;
  state: State;
  catalogue: Catalogue;
  view: VaultView;
  changes: Changes;
  outside: Pick<OutsideRecorder, 'takeBaseline'>;
  environment: Environment;
  clock: Clock;
};

/** What git needs of the environment to reach a remote; nothing that could have it start a program but ssh. */
const passedOn = [
  'HOME',
  'GIT_SSH_COMMAND',
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]),
];

export function createSyncHost({
  root,
  state,
  catalogue,
  view,
  changes,
  outside,
  environment,
  clock,
}: Parts): SyncHost {
  const marker = createFolderMarker(root);
  const folder = (): string => join(state.folder(), 'sync.git');
  const open = (signal?: AbortSignal): Promise<SyncRepository> => {
    const variables = passedOn.flatMap((name) => {
      const value = environment.variable(name);
      return value === undefined ? [] : [[name, value]];
    });
    return openSyncRepository({
      folder: folder(),
      searchPath: environment.searchPath,
      variables: Object.fromEntries(variables) as Record<string, string>,
      signal,
    });
  };
  /** A folder that is no vault yet becomes the one that the remote carries if it is empty, else one of its own. */
  const becomeVault = async (address: string): Promise<void> => {
    const before = folder();
    mkdirSync(dirname(before), { recursive: true, mode: 0o700 });
    const repository = await open();
    await repository.setAddress(address);
    const newest = await repository.receive();
    if (newest !== null) {
      const identity = await readRemoteIdentity(repository, await repository.tree(newest));
      const isEmpty = filePathsBelow(await catalogue.contents()).next().done === true;
      if (!isEmpty)
        throw new AppError(
          'bad-target',
          `${root} holds files and is no vault yet, and the remote carries one`,
          {
            mend: 'sync an empty folder with it, and put the files there afterwards; or name an empty repository',
          },
        );
      joinVault(root, identity);
    }
    state.adopt({ isJoining: true });
    if (folder() === before) return;
    // An earlier copy of the vault may have left its own, with the same commits.
    if (existsSync(folder())) rmSync(before, { recursive: true });
    else renameSync(before, folder());
  };
  const lock = state.follow(({ locks, confirm }) =>
    createWriterLock({ database: locks, name: 'sync', clock, confirm }),
  );
  const alone = <Value>(work: (check: () => void) => Promise<Value>): Promise<Value> =>
    lock.open().hold(async (grant) => {
      const check = (): void => grant.check();
      // A network may keep it waiting for longer than a sign of life may be missing; who was replaced finds out at the next check.
      const sign = setInterval(() => attempt(check), 1_000).unref();
      try {
        return await work(check);
      } finally {
        clearInterval(sign);
      }
    });
  const withMemory = async <Value>(work: (database: Database) => Promise<Value>): Promise<Value> => {
    const { database } = openDisposable(databaseFile(state.folder(), 'sync'), seenFilesVersion);
    try {
      return await work(database);
    } finally {
      database.close();
    }
  };
  return {
    async run(remote, { deletions = 'ask', signal } = {}) {
      const address = remote === undefined ? null : parseAddress(remote, environment.cwd());
      const isJoining = readIdentity(root) === null;
      if (isJoining) {
        if (address === null) throw noVault(root);
        await becomeVault(address);
      }
      state.adopt();
      const identity = readIdentity(root);
      if (identity === null) throw noVault(root);
      const machine = machineName(environment);
      return alone((check) =>
        withMemory(async (database) => {
          const repository = await open(signal);
          if (address !== null) await repository.setAddress(address);
          // What an earlier copy of the vault was synced with says nothing about this folder.
          if (isJoining) await repository.forget();
          const last = createLastSync(database);
          const seen = createSeenFiles(database);
          const { language } = environment;
          const parts = { changes, catalogue, view, seen, identity, machine, language, clock, check };
          try {
            const report = await syncVault({ ...parts, repository, marker, deletions });
            last.note({ at: clock() });
            // From here on commands notice what other programs do to the files, as after init.
            if (isJoining) await outside.takeBaseline(() => undefined);
            return { ...report, machine, remote: showAddress((await repository.address()) ?? '') };
          } catch (error) {
            if (signal?.aborted !== true) last.note({ problem: describeError(error) });
            throw error;
          }
        }),
      );
    },
    setWatched: (isWatched) => alone(async () => (await open()).setWatched(isWatched)),
    async look() {
      const settings = await readSyncSettings({ folder: folder(), searchPath: environment.searchPath });
      if (settings === null) return null;
      const last = await withMemory(async (database) => createLastSync(database).read());
      return { ...last, remote: showAddress(settings.address), isWatched: settings.isWatched };
    },
    async stop() {
      if (!existsSync(folder())) return null;
      return alone(async () => {
        const repository = await open();
        const address = await repository.address();
        await repository.setAddress(null);
        await repository.setWatched(false);
        return address === null ? null : showAddress(address);
      });
    },
  };
}

function noVault(root: VaultRoot): AppError {
  return new AppError('bad-state', `${root} is no vault, or is one no longer; nothing was synced`, {
    mend: 'if its disk is not mounted, mount it; to bring the vault into this folder, name the repository: keepsake sync <remote>',
  });
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
