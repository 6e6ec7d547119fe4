import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Changes } from '../changes/index.ts';
import { describeError } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import {
  createSyncStatusStore,
  createBlobIdCache,
  parseRemoteUrl,
  blobIdCacheVersion,
  redactSyncRepository,
  redactUrl,
  storeRemoval,
  syncVault,
} from '../sync/index.ts';
import type { ConfirmSecrets, DeletionRule, RemovalHandler, SyncStatus, SyncReport } from '../sync/index.ts';
import type { Catalogue, VaultRoot, VaultView } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { withDisposable } from './databases.ts';
import { readMachineName } from './configuration.ts';
import { ensureVault } from './ensure-vault.ts';
import type { Environment } from './environment.ts';
import type { IsExcluded } from './exclusion.ts';
import { createFolderMarker } from './folder-marker.ts';
import { createLocalRepository } from './local-repository.ts';
import type { ExternalEditRecorder } from './external-edit-recorder.ts';
import type { State } from './state.ts';
import { createSyncLock } from './sync-lock.ts';

/** Syncs the vault between machines through a git repository. */
export type SyncHost = {
  /** Syncs once: with `remote`, which is then stored, or else with the stored remote. By default, secrets that the remote does not have are not sent. */
  run(
    remote?: string,
    options?: { deletions?: DeletionRule; confirmSecrets?: ConfirmSecrets; signal?: AbortSignal },
  ): Promise<SyncReport & { remote: string; machine: string }>;
  /** Enables or disables automatic sync by the running service. */
  setWatched(isWatched: boolean): Promise<void>;
  /** The remote and the result of the last sync; null when sync is not set up. */
  status(): Promise<(SyncStatus & { remote: string; isWatched: boolean }) | null>;
  /** Removes the stored remote; returns its address, or null when there was none. */
  stop(): Promise<string | null>;
  /**
   * Stores what is being forgotten on this machine, sealed, so that the next sync removes it from the remote and from
   * every other machine. Has no effect when sync is not set up. Call it while the lock of sync is held.
   */
  storeRemoval(id: string, rules: unknown): Promise<void>;
  /** Removes what was stored from the sync repository of this machine. Call it while the lock of sync is held. */
  redactRepository(): Promise<void>;
};

type Dependencies = {
  root: VaultRoot;
  state: State;
  catalogue: Catalogue;
  view: VaultView;
  changes: Changes;
  externalEdits: Pick<ExternalEditRecorder, 'takeBaseline'>;
  environment: Environment;
  /** Whether a file is hidden from models. */
  isHidden: IsExcluded;
  /** Removes from this machine what was forgotten on another one; `check` throws when the lock was lost. */
  removals: (check: () => void) => RemovalHandler;
  clock: Clock;
};

export function createSyncHost(parts: Dependencies): SyncHost {
  const { root, state, catalogue, view, changes, externalEdits, environment, isHidden, removals, clock } =
    parts;
  const marker = createFolderMarker(root);
  const repository = createLocalRepository(state, environment);
  const holdLock = createSyncLock(state, clock);
  return {
    async run(remote, { deletions = 'ask', confirmSecrets = async () => false, signal } = {}) {
      const address = remote === undefined ? null : parseRemoteUrl(remote, environment.cwd());
      const { identity, isJoining } = await ensureVault({ root, state, catalogue, repository }, address);
      const machine = readMachineName(environment);
      return holdLock((check) =>
        withDatabase(state, async (database) => {
          const opened = await repository.open(signal);
          if (address !== null) await opened.setRemoteUrl(address);
          // The sync state of an earlier copy of the vault does not apply to this folder.
          if (isJoining) await opened.forget();
          const last = createSyncStatusStore(database);
          const seen = createBlobIdCache(database);
          const { language } = environment;
          const found = { changes, catalogue, view, seen, identity, machine };
          const shared = { ...found, language, isHidden, clock, check, marker, removals: removals(check) };
          try {
            const report = await syncVault({ ...shared, repository: opened, deletions, confirmSecrets });
            last.note({ at: clock(), leftOut: report.leftOut });
            // From now on, commands notice edits by other programs, as after init.
            if (isJoining) await externalEdits.takeBaseline(() => undefined);
            return { ...report, machine, remote: redactUrl((await opened.remoteUrl()) ?? '') };
          } catch (error) {
            if (signal?.aborted !== true) last.note({ problem: describeError(error) });
            throw error;
          }
        }),
      );
    },
    setWatched: (isWatched) => holdLock(async () => (await repository.open()).setWatched(isWatched)),
    async status() {
      const settings = await repository.settings();
      if (settings === null) return null;
      const last = await withDatabase(state, async (database) => createSyncStatusStore(database).read());
      return { ...last, remote: redactUrl(settings.address), isWatched: settings.isWatched };
    },
    async stop() {
      if (!existsSync(repository.folder())) return null;
      return holdLock(async () => {
        const opened = await repository.open();
        const address = await opened.remoteUrl();
        await opened.setRemoteUrl(null);
        await opened.setWatched(false);
        return address === null ? null : redactUrl(address);
      });
    },
    async storeRemoval(id, rules) {
      if ((await repository.settings()) !== null) await storeRemoval(await repository.open(), { id, rules });
    },
    async redactRepository() {
      if (!existsSync(repository.folder())) return;
      const machine = readMachineName(environment);
      const context = { repository: await repository.open(), marker, machine, clock };
      await redactSyncRepository({ ...context, removals: removals(() => undefined) });
    },
  };
}

function withDatabase<Value>(state: State, work: (database: Database) => Promise<Value>): Promise<Value> {
  const file = databaseFile(state.folder(), 'sync');
  return withDisposable(file, blobIdCacheVersion, ({ database }) => work(database));
}
