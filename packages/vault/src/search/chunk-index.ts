import { defaultLayout } from '../vault/index.ts';
import type { Layout, LineRange, Revision, VaultPath } from '../vault/index.ts';
import type { DocumentText } from './document-texts.ts';
import type { Query } from './query.ts';
import type { Heading, Chunk } from './chunker.ts';
import type { FoldedText } from './folded-text.ts';

/** State of a file when it was indexed; its times and size show whether it has changed since. */
export type IndexedFile = {
  revision: Revision;
  size: number;
  mtime: number;
  /** Null if the file had changed so recently that its times cannot reveal a further change. */
  ctime: number | null;
  /** `2025-07-14T18:30:00`; the date of chunks without a date of their own. */
  updated: string;
};

export type IndexedChunk = {
  /** A string for a staged chunk that is not in the index. */
  id: number | string;
  path: VaultPath;
  revision: Revision;
  kind: Chunk['kind'];
  lines: LineRange;
  headings: Heading[];
  headingPath: string;
  body: string;
  /** The dates of `Chunk.date`; empty if the file's date applies. */
  date: string;
  bm25?: number;
  /** The normalized text; a chunk of the index has it, so that it is computed once for several searches. */
  folded?: FoldedText;
};

/** Restricts a search to some chunks. */
export type SearchFilter = {
  /** Null for all files. */
  isInScope: ((path: VaultPath) => boolean) | null;
  /** `2025-07-14`; both ends are included. */
  from: string | null;
  to: string | null;
  /** Files that must not crowd out others. */
  isSecondary?: (path: VaultPath) => boolean;
};

/** A note with all words of a query. */
export type NoteMatches = {
  path: VaultPath;
  /** The lines that contain a word of the query, in order. */
  lines: readonly number[];
  /** The ids of their chunks. */
  chunks: readonly number[];
};

/** The search index: chunks of files, with keywords and vectors. It is disposable and can be rebuilt from the files. */
export type ChunkIndex = {
  files(): ReadonlyMap<VaultPath, IndexedFile>;
  /** Replaces the indexed state of a file; unchanged chunks are not indexed again. */
  upsertFile(
    path: VaultPath,
    file: IndexedFile,
    chunks: readonly Chunk[],
    /** Changelogs whose entries this file replaces. */
    replacesIn?: Iterable<VaultPath>,
  ): { added: number; removed: number };
  /**
   * Like `upsertFile`, but writes one slice per step, so that the caller can yield to the event loop between them; each
   * step returns the number of chunks it added. Until the last step the file is in `incompleteFiles`.
   */
  upsertSlices(
    path: VaultPath,
    file: IndexedFile,
    chunks: readonly Chunk[],
    replacesIn?: Iterable<VaultPath>,
  ): Generator<number, void>;
  /** Files that are only partly indexed, by this process or by another one. A search must skip them. */
  incompleteFiles(): ReadonlySet<VaultPath>;
  /** The files with an entry that replaces an entry of this file. */
  replacingFiles(path: VaultPath): VaultPath[];
  /** Records the new times of a file whose content has not changed. */
  touchFile(path: VaultPath, file: IndexedFile): void;
  remove(path: VaultPath): void;
  /** What was extracted from a document, by its revision; null if that was not tried. */
  documentText(revision: Revision): DocumentText | null;
  /** Stores what was extracted from a document, unless there is something already. */
  putDocument(revision: Revision, text: DocumentText): void;
  /** Deletes the texts of documents that no longer exist. */
  pruneDocuments(): void;
  /** The layout that the files were indexed with, which determines how they are split; see `computeLayoutKey`. */
  layout(): string;
  /** Marks all files for reindexing under this layout; chunks that stay the same are not written again. */
  resetForLayout(layout: string): void;
  /**
   * Merges the parts of the full-text index, which makes searches faster; each call is a step of a few milliseconds. `start` begins a
   * merge of all parts. False if nothing is left to merge.
   */
  mergeWords(step: 'start' | 'continue'): boolean;
  /** Runs several writes in one transaction, which is much faster. */
  transaction<Value>(work: () => Value): Value;
  /** The best chunks by keywords. */
  searchTerms(query: Query, filter: SearchFilter, limit: number): IndexedChunk[];
  /** All notes that contain every word and phrase of the query. */
  findMatches(query: Query, filter: SearchFilter): Promise<NoteMatches[]>;
  /** The first chunks of the notes within the filter that were updated last. */
  newestNotes(filter: SearchFilter, limit: number): IndexedChunk[];
  /** The chunks with these ids; ids that do not exist are skipped. */
  readChunks(ids: readonly number[]): IndexedChunk[];
  /** The number of files whose name consists of these normalized words. */
  filesNamed(name: string): number;
  /** The number of chunks that contain a word. */
  documentFrequency(word: string): number;
  /** The longest prefix that indexed words share with this one, allowing for stemming; null if there is none. */
  findIndexedPrefix(prefix: string): string | null;
  /** Indexed words at edit distance 1, most frequent first. */
  similarTerms(word: string): string[];
  /** Counts only what the caller may see. */
  counts(isExcluded?: IsExcluded | null): { files: number; sections: number };
  vectors(fingerprint: string): VectorTable;
  close(): void;
};

/** Two layouts have the same key if they split files in the same way. */
export function computeLayoutKey({ names }: Layout): string {
  const custom = names.inbox === defaultLayout.names.inbox ? [] : [names.inbox];
  return JSON.stringify([names.overview, names.changelog, names.tasks, names.projects, ...custom]);
}

/** Whether a file is hidden from the caller. */
export type IsExcluded = (path: VaultPath) => boolean;

/** A chunk with its most similar window and the similarity after subtracting the mean vector. */
export type VectorHit = { chunk: IndexedChunk; similarity: number; window: number };

/** The vectors of one model; a chunk has one per window. */
export type VectorTable = {
  /** Chunks without vectors in files visible to AI, oldest first. `text` starts with the heading path. */
  chunksWithoutVectors(limit: number, isExcluded?: IsExcluded | null): { hash: string; text: string }[];
  countWithoutVectors(isExcluded?: IsExcluded | null): number;
  /** The number of chunks in files visible to AI. */
  countVisible(isExcluded?: IsExcluded | null): number;
  /** One vector per window, in order. */
  put(hash: string, vectors: readonly Float32Array[]): void;
  /** The most similar chunks, best first. */
  nearest(vector: Float32Array, filter: SearchFilter, limit: number): Promise<VectorHit[]>;
  /** Deletes the vectors of deleted chunks and returns how many distinct chunk texts they belonged to. */
  pruneOrphans(): Promise<number>;
  /** Drops the tables of other models. */
  dropOtherModels(): void;
  /** The last embedding error, stored so that other processes can report it; null if there was none. */
  lastError(): string | null;
  setLastError(problem: string | null): void;
};
