import { childPath, findFile, walkFiles } from '../vault/index.ts';
import type { Catalogue, FileEntry, FolderEntry, Layout, VaultPath, VaultView } from '../vault/index.ts';
import { computeLayoutKey } from './chunk-index.ts';
import type { IndexedFile, ChunkIndex } from './chunk-index.ts';
import { createFileIndexer, isLargeFile, partition } from './file-indexer.ts';
import type { EntryOf, IndexStats } from './file-indexer.ts';

/** Keeps the index up to date with the files. */
export type Indexer = {
  /** Compares all files with the index and indexes those that differ. */
  reconcile(onProgress?: (done: number, total: number) => void): Promise<IndexStats>;
  /**
   * Indexes files whose changes the catalogue already contains. Files over 1 MB continue in the background after this
   * returns; an error of theirs is thrown by the next call, which also retries them.
   */
  update(paths: readonly VaultPath[]): Promise<IndexStats>;
  /** Like `update`, but rescans the files first because the catalogue missed their changes. */
  reindexStale(paths: readonly VaultPath[]): Promise<IndexStats>;
  /** The files that are being indexed or wait for it. */
  unfinished(): ReadonlyMap<VaultPath, unknown>;
  /**
   * When all files were last compared, in milliseconds; null before that, and after the vault's layout names change.
   */
  lastReconciledAt(): number | null;
};

type IndexerDependencies = { index: ChunkIndex; catalogue: Catalogue; view: VaultView; clock: () => number };

export function createIndexer({ index, catalogue, view, clock }: IndexerDependencies): Indexer {
  let reconciled: { at: number; layout: string } | null = null;
  const files = createFileIndexer(index, view);
  /** Errors of files that were indexed in the background. */
  const failures = new Map<VaultPath, unknown>();

  const update = async (paths: readonly VaultPath[]): Promise<IndexStats> => {
    const contents = await catalogue.contents();
    const entryOf: EntryOf = (path) => findFile(contents, path);
    const wanted = new Set([...paths, ...failures.keys()].filter(view.layout().isSearchable));
    const [failure] = failures.values();
    failures.clear();
    const [small, large] = partition(wanted, (path) => isLargeFile(path, entryOf(path)));
    for (const path of large)
      void files.indexLargeFile(path, entryOf).catch((error: unknown) => failures.set(path, error));
    const indexed = await files.indexFiles(small, entryOf);
    if (failure !== undefined) throw failure;
    return indexed;
  };

  return {
    unfinished: () => files.unfinished(),
    lastReconciledAt: () => (reconciled?.layout === computeLayoutKey(view.layout()) ? reconciled.at : null),
    async reconcile(onProgress = () => undefined) {
      const now = clock();
      await catalogue.refresh();
      const layout = view.layout();
      const key = computeLayoutKey(layout);
      if (index.layout() !== key) await files.resetForLayout(key);
      const present = searchableFiles(await catalogue.contents(), layout);
      const changed = [...present].flatMap(([path, entry]) =>
        isUnchanged(index.files().get(path), entry) ? [] : [path],
      );
      const gone = [...index.files().keys()].filter((path) => !present.has(path));
      const all = [...changed, ...gone];
      const entryOf: EntryOf = (path) => present.get(path);
      const [small, longest] = partition(all, (path) => isLargeFile(path, entryOf(path)));
      const indexed = await files.indexFiles(small, entryOf, (done) => onProgress(done, all.length));
      for (const [position, path] of longest.entries()) {
        const large = await files.indexLargeFile(path, entryOf);
        indexed.files += large.files;
        indexed.sections += large.sections;
        onProgress(small.length + position + 1, all.length);
      }
      reconciled = { at: now, layout: key };
      return indexed;
    },
    update,
    async reindexStale(paths) {
      for (const path of paths) await catalogue.refreshPath(path);
      return update(paths);
    },
  };
}

function isUnchanged(indexed: IndexedFile | undefined, entry: FileEntry): boolean {
  if (indexed === undefined || entry.ctime === null) return false;
  return indexed.ctime === entry.ctime && indexed.mtime === entry.mtime && indexed.size === entry.size;
}

function searchableFiles(contents: FolderEntry, { isSearchable }: Layout): Map<VaultPath, FileEntry> {
  const found = new Map<VaultPath, FileEntry>();
  for (const { folder, name, entry } of walkFiles(contents)) {
    const path = childPath(folder, name);
    if (isSearchable(path)) found.set(path, entry);
  }
  return found;
}
