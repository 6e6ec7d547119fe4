import { createLimiter } from '../contract/index.ts';
import { childPath, findFile, walkFiles } from '../vault/index.ts';
import type { Catalogue, FileEntry, FolderEntry, Layout, VaultPath, VaultView } from '../vault/index.ts';
import { computeLayoutKey } from './chunk-index.ts';
import type { IndexedFile, ChunkIndex } from './chunk-index.ts';
import { createDocumentIndexer } from './document-indexer.ts';
import type { DocumentIndexOptions } from './document-indexer.ts';
import type { DocumentTexts } from './document-texts.ts';
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
  /** Documents, such as PDFs, whose text is not indexed yet; they are indexed by `indexDocuments` only. */
  waitingDocuments(): ReadonlySet<VaultPath>;
  /** Indexes the text of documents and returns how many; stops early when the signal is aborted. */
  indexDocuments(options: DocumentIndexOptions): Promise<number>;
  /** The files that are being indexed or wait for it. */
  unfinished(): ReadonlyMap<VaultPath, unknown>;
  /**
   * When all files were last compared, in milliseconds; null before that, and after the vault's layout names change.
   */
  lastReconciledAt(): number | null;
};

type IndexerDependencies = {
  index: ChunkIndex;
  catalogue: Catalogue;
  view: VaultView;
  clock: () => number;
  texts: DocumentTexts;
};

export function createIndexer({ index, catalogue, view, clock, texts }: IndexerDependencies): Indexer {
  let reconciled: { at: number; layout: string } | null = null;
  const files = createFileIndexer(index, view);
  const documents = createDocumentIndexer({ index, view, files, texts });
  const runDocuments = createLimiter();
  /** Errors of files that were indexed in the background. */
  const failures = new Map<VaultPath, unknown>();

  const update = async (paths: readonly VaultPath[]): Promise<IndexStats> => {
    const contents = await catalogue.contents();
    const entryOf: EntryOf = (path) => findFile(contents, path);
    const { isSearchable, isSearchableDocument } = view.layout();
    for (const path of paths.filter(isSearchableDocument)) {
      if (entryOf(path) !== undefined) documents.add(path);
      else documents.delete(path);
      // Until its text is indexed again, the document is not found.
      index.remove(path);
    }
    const wanted = new Set([...paths, ...failures.keys()].filter(isSearchable));
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
    waitingDocuments: () => documents.waiting(),
    indexDocuments: (options) =>
      runDocuments(async () => {
        if (documents.waiting().size === 0) return 0;
        const contents = await catalogue.contents();
        const done = await documents.run((path) => findFile(contents, path), options);
        index.pruneDocuments();
        return done;
      }),
    lastReconciledAt: () => (reconciled?.layout === computeLayoutKey(view.layout()) ? reconciled.at : null),
    async reconcile(onProgress = () => undefined) {
      const now = clock();
      await catalogue.refresh();
      const layout = view.layout();
      const key = computeLayoutKey(layout);
      if (index.layout() !== key) await files.resetForLayout(key);
      const { present, documents: found } = searchableFiles(await catalogue.contents(), layout);
      const changed = [...present].flatMap(([path, entry]) =>
        isUnchanged(index.files().get(path), entry) ? [] : [path],
      );
      for (const [path, entry] of found)
        if (!isUnchanged(index.files().get(path), entry)) documents.add(path);
      for (const path of documents.waiting()) if (!found.has(path)) documents.delete(path);
      const gone = [...index.files().keys()].filter((path) => !present.has(path) && !found.has(path));
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
      if (gone.length > 0) index.pruneDocuments();
      // After a large change, such as the first indexing, the full-text index has many parts, each of which slows searches.
      if (indexed.sections > index.counts().sections * minMergedShare) await files.mergeWords();
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

/** The share of new chunks above which the full-text index is merged. */
const minMergedShare = 0.1;

function isUnchanged(indexed: IndexedFile | undefined, entry: FileEntry): boolean {
  if (indexed === undefined || entry.ctime === null) return false;
  return indexed.ctime === entry.ctime && indexed.mtime === entry.mtime && indexed.size === entry.size;
}

type SearchableFiles = { present: Map<VaultPath, FileEntry>; documents: Map<VaultPath, FileEntry> };

function searchableFiles(
  contents: FolderEntry,
  { isSearchable, isSearchableDocument }: Layout,
): SearchableFiles {
  const found: SearchableFiles = { present: new Map(), documents: new Map() };
  for (const { folder, name, entry } of walkFiles(contents)) {
    const path = childPath(folder, name);
    if (isSearchable(path)) found.present.set(path, entry);
    else if (isSearchableDocument(path)) found.documents.set(path, entry);
  }
  return found;
}
