import { askAboutLeftCopy, askAboutMarkers, settleCopy } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import {
  createMemory,
  createRecordedFiles,
  memoryVersion,
  recordOutsideEdits,
  startUpkeep,
  watchFiles,
} from '../upkeep/index.ts';
import type { Timing, Upkeep, UpkeepEvent, Watch } from '../upkeep/index.ts';
import type { Catalogue, Language, VaultPath, VaultRoot } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { openDisposable } from './databases.ts';
import type { SearchHost } from './search-host.ts';

type Parts = {
  root: VaultRoot;
  stateFolder: string;
  catalogue: Catalogue;
  search: SearchHost;
  changes: Changes;
  clock: Clock;
  /** That of questions to the person. */
  language: Language;
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
  const { database } = openDisposable(databaseFile(parts.stateFolder, 'upkeep'), memoryVersion);
  const asking = {
    root,
    writer: changes.writer,
    changesOf: (path: VaultPath) => changes.list({ path, limit: 100 }),
    language: parts.language,
  };
  const upkeep = startUpkeep({
    root,
    catalogue,
    search,
    vectors: search,
    async reconcile() {
      await changes.writer.lookBack();
      return search.withIndex(({ indexer }) => indexer.reconcile());
    },
    writer: changes.writer,
    stamps: changes.stamps,
    isAsLeft: (path, bytes) => changes.isAsLeft(path, bytes),
    memory: createMemory(database),
    changes,
    recordUnseen: () =>
      recordOutsideEdits({ changes, catalogue, recorded: createRecordedFiles(database), clock }),
    settleCopy: (copy) => settleCopy({ ...asking, versionsOf: changes.versionsOf }, copy),
    askAboutMarkers: (path) => askAboutMarkers(asking, path),
    askAboutLeftCopy: (path) => askAboutLeftCopy(asking, path),
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
