import type { Database } from 'better-sqlite3';
import { isProcessDead } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { createFileRedactor, createForgetting, createStateFiles } from '../forget/index.ts';
import { spoolFolder } from '../hook/index.ts';
import { refreshTreeFile } from '../upkeep/index.ts';
import type { Catalogue, VaultRoot, VaultView } from '../vault/index.ts';
import { hasDatabase } from './database-files.ts';
import type { Environment } from './environment.ts';
import { listKnownBackups } from './known-backups.ts';
import { removeLeftOvers } from './left-over-state.ts';
import { readLocks } from './locks.ts';
import type { SearchHost } from './search-host.ts';
import type { State } from './state.ts';
import type { RemovalHandler } from '../sync/index.ts';
import { createSyncHost } from './sync.ts';
import type { SyncHost } from './sync.ts';
import { createSyncLock } from './sync-lock.ts';

type Dependencies = {
  root: VaultRoot;
  view: VaultView;
  catalogue: Catalogue;
  changes: Changes;
  search: Pick<SearchHost, 'prepare'>;
  state: State;
  environment: Environment;
  clock: Clock;
  /** Removes everything that other machines stored before now; undefined if they store nothing. */
  purgeReplicas: (() => Promise<void>) | undefined;
  sync: Pick<SyncHost, 'storeRemoval' | 'redactRepository'>;
};

/** Opens sync and forgetting, which use each other: sync carries what is forgotten, and forgets what it receives. */
export function openSyncAndForgetting(
  parts: Omit<Dependencies, 'sync'> & Omit<Parameters<typeof createSyncHost>[0], 'removals'>,
): { sync: SyncHost; forget: ReturnType<typeof createForgetting> } {
  const removals = (check: () => void): RemovalHandler => ({
    apply: (rules) => forget.apply(rules, check),
    createRedactor: createFileRedactor,
  });
  const sync = createSyncHost({ ...parts, removals });
  const forget = createVaultForgetting({ ...parts, sync });
  return { sync, forget };
}

function createVaultForgetting({
  search,
  state,
  environment,
  purgeReplicas,
  sync,
  ...vault
}: Dependencies): ReturnType<typeof createForgetting> {
  const { root, catalogue, clock } = vault;
  const holdForgetLock = createSyncLock(state, clock, 'forget');
  const holdSyncLock = createSyncLock(state, clock);
  const { searchPath, language, stateHome, temporaryFolder } = environment;
  const forgetting = createForgetting({
    ...vault,
    searchPath,
    language,
    stateFolder: state.folder,
    durable: () => (state.hasDurable() ? state.databases().durable : null),
    stateFiles: () =>
      createStateFiles({
        root,
        stateFolder: state.folder(),
        spoolFolder: spoolFolder(stateHome),
        temporaryFolder,
      }),
    holdLock(work) {
      state.ensureAdopted();
      removeLeftOvers({ root, state, environment });
      state.databases().leases.start();
      // A sync that is running could bring the words back.
      return holdForgetLock((checkForget) =>
        holdSyncLock((checkSync) =>
          work(() => {
            checkForget();
            checkSync();
          }),
        ),
      );
    },
    isLockHeld: () => isForgetting(state.folder()),
    async refreshDerived() {
      await catalogue.refresh();
      if (hasDatabase(state.folder(), 'index')) await search.prepare('fast');
      await refreshTreeFile(root, () => catalogue.contents());
    },
    sync: { store: (id, rules) => sync.storeRemoval(id, rules), redact: () => sync.redactRepository() },
    listBackups: () => listKnownBackups(state.folder()),
    purgeReplicas,
  });
  return {
    ...forgetting,
    apply(rules, check) {
      removeLeftOvers({ root, state, environment });
      state.databases().leases.start();
      return forgetting.apply(rules, check);
    },
    async resume() {
      try {
        await forgetting.resume();
      } catch {
        // The vault stays readable, for example on a full disk; the next process tries again.
      }
    },
  };
}

/** Whether a running process is forgetting, also what another machine has forgotten. */
function isForgetting(stateFolder: string): boolean {
  const held = readLocks(stateFolder, (locks) => ['forget', 'sync'].some((name) => isHeld(locks, name)));
  return held === true;
}

type Holder = { owner: string | null; pid: number; host: string };

function isHeld(locks: Database, table: string): boolean {
  const hasTable = locks.prepare('select 1 from sqlite_master where name = ?').get(table) !== undefined;
  const row = hasTable ? locks.prepare(`select owner, pid, host from ${table}`).get() : undefined;
  return row !== undefined && (row as Holder).owner !== null && !isProcessDead(row as Holder);
}
