import { askAboutOrphanedCopy, askAboutConflictMarkers, mergeConflictCopy } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import {
  createFileStateStore,
  createRecordedFiles,
  fileStateVersion,
  recordExternalEdits,
  startUpkeep,
  createFileWatcher,
} from '../upkeep/index.ts';
import type { UpkeepTiming, Upkeep, UpkeepEvent, StartWatching } from '../upkeep/index.ts';
import type { Catalogue, Language, VaultPath, VaultRoot } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { openDisposable } from './databases.ts';
import type { IsExcluded } from './exclusion.ts';
import type { RetentionResult } from './retention.ts';
import type { SearchHost } from './search-host.ts';

type Dependencies = {
  root: VaultRoot;
  stateFolder: string;
  catalogue: Catalogue;
  search: SearchHost;
  changes: Changes;
  clock: Clock;
  /** The language of questions to the user. */
  language: Language;
  /** Whether a file is hidden from models. */
  isHidden: IsExcluded;
  applyRetention: () => Promise<RetentionResult>;
};

export type UpkeepOptions = {
  onEvent: (event: UpkeepEvent) => void;
  timing?: Partial<UpkeepTiming>;
  /** Replaces the file watcher of the system. */
  watch?: StartWatching;
};

/** Starts upkeep of an open vault. Stop it before closing the vault. */
export function startVaultUpkeep(
  parts: Dependencies,
  { onEvent, timing = {}, watch }: UpkeepOptions,
): Upkeep {
  const { root, catalogue, search, changes, clock } = parts;
  const { database } = openDisposable(databaseFile(parts.stateFolder, 'upkeep'), fileStateVersion);
  const asking = {
    root,
    writer: changes.writer,
    changesOf: (path: VaultPath) => changes.list({ path, limit: 100 }),
    language: parts.language,
    isHidden: parts.isHidden,
  };
  const upkeep = startUpkeep({
    root,
    catalogue,
    search,
    vectors: {
      ...search,
      async embed(options) {
        await search.indexDocuments({ signal: options.signal, isBackground: true });
        return search.embed(options);
      },
    },
    async reconcile() {
      await changes.writer.collectLateWrites();
      return search.withIndex(({ indexer }) => indexer.reconcile());
    },
    writer: changes.writer,
    stamps: changes.stamps,
    isLastOwnWrite: (path, bytes) => changes.isLastOwnWrite(path, bytes),
    memory: createFileStateStore(database),
    changes,
    recordUnseen: () =>
      recordExternalEdits({ changes, catalogue, recorded: createRecordedFiles(database), clock }),
    async applyRetention() {
      const deleted = await parts.applyRetention();
      await changes.compactHistory();
      return deleted;
    },
    settleCopy: (copy) => mergeConflictCopy({ ...asking, fileVersions: changes.fileVersions }, copy),
    askAboutMarkers: (path) => askAboutConflictMarkers(asking, path),
    askAboutLeftCopy: (path) => askAboutOrphanedCopy(asking, path),
    watch: watch ?? createFileWatcher(root),
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
