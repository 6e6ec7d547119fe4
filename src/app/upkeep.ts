import { join } from 'node:path';
import type { Clock } from '../contract/index.ts';
import { createMemory, memoryVersion, startUpkeep, watchFiles } from '../upkeep/index.ts';
import type { Timing, Upkeep, UpkeepEvent, Watch } from '../upkeep/index.ts';
import { createWriterLock, openGitHistory, recordOutsideEdits } from '../changes/index.ts';
import type { Catalogue, VaultPath, VaultRoot } from '../vault/index.ts';
import type { Changes } from './changes.ts';
import { openDisposable, openLockDatabase } from './databases.ts';
import type { SearchHost } from './search-host.ts';

type Parts = {
  root: VaultRoot;
  stateFolder: string;
  /** Where the state lies by now, made the vault's own. */
  claimState: () => string;
  searchPath: string;
  catalogue: Catalogue;
  search: SearchHost;
  changes: Changes;
  clock: Clock;
};

export type UpkeepOptions = {
  onEvent: (event: UpkeepEvent) => void;
  timing?: Partial<Timing>;
  /** Another way to be told of changes than that of the system. */
  watch?: Watch;
};

/** Upkeep over an open vault. It is to be stopped before the vault is closed. */
export function hostUpkeep(parts: Parts, { onEvent, timing = {}, watch }: UpkeepOptions): Upkeep {
  const { root, catalogue, search, changes, clock } = parts;
  const { database } = openDisposable(join(parts.stateFolder, 'upkeep.sqlite'), memoryVersion);
  const upkeep = startUpkeep({
    root,
    catalogue,
    search,
    async reconcile() {
      await changes.writer.lookBack();
      return search.withIndex(({ indexer }) => indexer.reconcile());
    },
    writer: changes.writer,
    memory: createMemory(database),
    record: (paths) => record(parts, paths),
    watch: watch ?? watchFiles(root),
    clock,
    onEvent,
    timing,
  });
  return {
    async stop() {
      await upkeep.stop();
      database.close();
    },
  };
}

/** First what the journal has; what still differs then, and no transaction has begun since, was edited outside. */
async function record(
  { root, changes, clock, claimState, searchPath }: Parts,
  paths: readonly VaultPath[],
): ReturnType<typeof recordOutsideEdits> {
  const latest = () => changes.list({ limit: 10 });
  const [newest] = latest();
  await changes.record();
  if (paths.length === 0) return { done: [], committed: 0 };
  const folder = claimState();
  const locks = openLockDatabase(folder);
  try {
    return await recordOutsideEdits(
      {
        root,
        clock,
        lock: createWriterLock(locks, clock, 'historian'),
        git: () => openGitHistory(join(folder, 'history.git'), searchPath),
        isUndisturbed: () =>
          latest()[0]?.id === newest?.id && latest().every(({ state }) => state !== 'applying'),
      },
      paths,
    );
  } finally {
    locks.close();
  }
}
