import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Changes } from '../changes/index.ts';
import { describeError } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import {
  createLastSync,
  createSeenFiles,
  parseAddress,
  seenFilesVersion,
  showAddress,
  syncVault,
} from '../sync/index.ts';
import type { DeletionRule, LastSync, SyncReport } from '../sync/index.ts';
import type { Catalogue, VaultRoot, VaultView } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { openDisposable } from './databases.ts';
import { machineName } from './configuration.ts';
import { ensureVault } from './ensure-vault.ts';
import type { Environment } from './environment.ts';
import { createFolderMarker } from './folder-marker.ts';
import { createLocalRepository } from './local-repository.ts';
import type { OutsideRecorder } from './record-outside.ts';
import type { State } from './state.ts';
import { createSyncLock } from './sync-lock.ts';

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

export function createSyncHost(parts: Parts): SyncHost {
  const { root, state, catalogue, view, changes, outside, environment, clock } = parts;
  const marker = createFolderMarker(root);
  const repository = createLocalRepository(state, environment);
  const holdLock = createSyncLock(state, clock);
  return {
    async run(remote, { deletions = 'ask', signal } = {}) {
      const address = remote === undefined ? null : parseAddress(remote, environment.cwd());
      const { identity, isJoining } = await ensureVault({ root, state, catalogue, repository }, address);
      const machine = machineName(environment);
      return holdLock((check) =>
        withDatabase(state, async (database) => {
          const opened = await repository.open(signal);
          if (address !== null) await opened.setAddress(address);
          // What an earlier copy of the vault was synced with says nothing about this folder.
          if (isJoining) await opened.forget();
          const last = createLastSync(database);
          const seen = createSeenFiles(database);
          const { language } = environment;
          const shared = { changes, catalogue, view, seen, identity, machine, language, clock, check };
          try {
            const report = await syncVault({ ...shared, repository: opened, marker, deletions });
            last.note({ at: clock() });
            // From here on commands notice what other programs do to the files, as after init.
            if (isJoining) await outside.takeBaseline(() => undefined);
            return { ...report, machine, remote: showAddress((await opened.address()) ?? '') };
          } catch (error) {
            if (signal?.aborted !== true) last.note({ problem: describeError(error) });
            throw error;
          }
        }),
      );
    },
    setWatched: (isWatched) => holdLock(async () => (await repository.open()).setWatched(isWatched)),
    async look() {
      const settings = await repository.settings();
      if (settings === null) return null;
      const last = await withDatabase(state, async (database) => createLastSync(database).read());
      return { ...last, remote: showAddress(settings.address), isWatched: settings.isWatched };
    },
    async stop() {
      if (!existsSync(repository.folder())) return null;
      return holdLock(async () => {
        const opened = await repository.open();
        const address = await opened.address();
        await opened.setAddress(null);
        await opened.setWatched(false);
        return address === null ? null : showAddress(address);
      });
    },
  };
}

async function withDatabase<Value>(
  state: State,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  const { database } = openDisposable(databaseFile(state.folder(), 'sync'), seenFilesVersion);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}
