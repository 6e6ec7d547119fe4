import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkKey } from '../contract/index.ts';
import { baseName, computeRevision, parentPath, readOriginal } from '../vault/index.ts';
import type { FileEntry, VaultPath, VaultView } from '../vault/index.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { chunkDocument } from './chunker.ts';
import { indexedFile } from './file-indexer.ts';
import type { EntryOf, FileIndexer } from './file-indexer.ts';

/**
 * Extracts the text of a document; null if it could not be tried. A document without readable text has an empty text. Throws when
 * aborted.
 */
export type ReadDocument = (
  document: { name: string; bytes: Uint8Array },
  signal: AbortSignal,
) => Promise<{ markdown: string } | null>;

export type DocumentIndexOptions = {
  signal: AbortSignal;
  /** Starts no further document after this time. */
  maxMs?: number;
  onProgress?: (done: number, total: number) => void;
  /** Rests after each document for as long as it took. */
  isBackground?: boolean;
};

/** Indexes the text of documents, such as PDFs. The files themselves are not changed, and nothing is written next to them. */
export type DocumentIndexer = {
  /** The documents whose text is not indexed yet. */
  waiting(): ReadonlySet<VaultPath>;
  add(path: VaultPath): void;
  /** The document no longer exists. */
  delete(path: VaultPath): void;
  /** Indexes the waiting documents; returns how many. Documents that cannot be read are indexed by their names. */
  run(entryOf: EntryOf, options: DocumentIndexOptions): Promise<number>;
};

/** Larger documents are found by their names only. */
const maxDocumentBytes = 20_000_000;
/** About 1,000 pages of text. */
const maxTextCharacters = 2_000_000;

type Parts = {
  index: ChunkIndex;
  view: VaultView;
  files: Pick<FileIndexer, 'writeDocument'>;
  readDocument: ReadDocument;
};

export function createDocumentIndexer({ index, view, files, readDocument }: Parts): DocumentIndexer {
  const waiting = new Set<VaultPath>();

  /** False if the document could not be converted and has to be tried again. */
  const indexDocument = async (path: VaultPath, entry: FileEntry, signal: AbortSignal): Promise<boolean> => {
    const bytes = entry.size > maxDocumentBytes ? null : await readBytes(view, path);
    if (bytes === null) {
      index.remove(path);
      return true;
    }
    const file = indexedFile(entry, computeRevision(bytes));
    if (index.files().get(path)?.revision === file.revision && index.documentText(file.revision) !== null) {
      index.touchFile(path, file);
      return true;
    }
    if (await isOriginal(view, path)) {
      await files.writeDocument(path, file, { text: '', chunks: [] });
      return true;
    }
    const read = await readDocument({ name: baseName(path), bytes }, signal);
    if (read === null) return false;
    const text = read.markdown.slice(0, maxTextCharacters).trim() || baseName(path);
    await files.writeDocument(path, file, { text, chunks: chunkDocument(path, text, view.layout()) });
    return true;
  };

  const tryIndexing = async (
    ...[path, entry, signal]: Parameters<typeof indexDocument>
  ): Promise<boolean> => {
    try {
      return await indexDocument(path, entry, signal);
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  };

  return {
    waiting: () => waiting,
    add: (path) => void waiting.add(path),
    delete: (path) => void waiting.delete(path),
    async run(entryOf, { signal, maxMs = Infinity, onProgress = () => undefined, isBackground = false }) {
      let done = 0;
      const total = waiting.size;
      const end = performance.now() + maxMs;
      for (const path of waiting) {
        if (signal.aborted || performance.now() > end) break;
        onProgress(done, total);
        const began = performance.now();
        const entry = entryOf(path);
        if (entry === undefined) index.remove(path);
        else if (!(await tryIndexing(path, entry, signal))) break;
        waiting.delete(path);
        done += 1;
        if (isBackground) await sleep(performance.now() - began);
      }
      onProgress(total, total);
      return done;
    },
  };
}

async function readBytes(view: VaultView, path: VaultPath): Promise<Buffer | null> {
  const read = await view.read(path, maxDocumentBytes);
  return read.kind === 'file' ? read.bytes : null;
}

/** Whether a note was converted from this document: its text is found in the note. */
async function isOriginal(view: VaultView, path: VaultPath): Promise<boolean> {
  for (const note of await view.findLinkingNotes(new Set([linkKey(baseName(path))]))) {
    const read = await view.read(note);
    const original = read.kind === 'file' ? readOriginal(read.bytes.toString()) : null;
    if (original !== null && posix.join(parentPath(note), original) === path) return true;
  }
  return false;
}
