import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkKey } from '../contract/index.ts';
import { baseName, computeRevision, parentPath, readOriginal } from '../vault/index.ts';
import type { FileEntry, Revision, VaultPath, VaultView, ViewEntry } from '../vault/index.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { chunkDocument } from './chunker.ts';
import type { DocumentTexts } from './document-texts.ts';
import { indexedFile } from './file-indexer.ts';
import type { EntryOf, FileIndexer } from './file-indexer.ts';
import { openText } from './open-text.ts';

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

type Parts = {
  index: ChunkIndex;
  view: VaultView;
  files: Pick<FileIndexer, 'writeDocument'>;
  texts: DocumentTexts;
};

/** About 1,000 pages of text. */
const maxTextCharacters = 2_000_000;

/** The text to index, and the revision of the file. `gone`: there is no such file; `later`: it cannot be converted now. */
type DocumentContent = { revision: Revision; text: string } | 'gone' | 'later';

export function createDocumentIndexer({ index, view, files, texts }: Parts): DocumentIndexer {
  const waiting = new Set<VaultPath>();

  const read = async (viewed: ViewEntry, signal: AbortSignal): Promise<DocumentContent> => {
    if (viewed.kind !== 'file') return 'gone';
    const opened = await openText(viewed, (document) => texts.read(document, signal));
    if (opened.kind === 'unavailable') return 'later';
    if (opened.kind === 'no-text') return { revision: opened.revision, text: baseName(viewed.path) };
    const { source, measure } = opened.file;
    const measured = await measure();
    if (measured === null) return 'gone';
    const text = (await source.read(0, source.size)).toString();
    return { revision: measured.revision, text: takeLines(text, maxTextCharacters) };
  };

  /** False if the document could not be converted and has to be tried again. */
  const indexDocument = async (path: VaultPath, entry: FileEntry, signal: AbortSignal): Promise<boolean> => {
    // The text of an original is in its note.
    const content = (await isOriginal(view, path))
      ? await readOriginalDocument(view, path)
      : await view.withEntry(path, (viewed) => read(viewed, signal));
    if (content === 'later') return false;
    if (content === 'gone') {
      index.remove(path);
      return true;
    }
    const { revision, text } = content;
    const file = indexedFile(entry, revision);
    if (index.files().get(path)?.revision === revision) index.touchFile(path, file);
    else await files.writeDocument(path, file, chunkDocument(path, text, view.layout()));
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

/** The revision of a document whose text is not indexed. */
async function readOriginalDocument(view: VaultView, path: VaultPath): Promise<DocumentContent> {
  const read = await view.read(path);
  return read.kind === 'file' ? { revision: computeRevision(read.bytes), text: '' } : 'gone';
}

/** The first lines of a text. */
function takeLines(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : text.slice(0, text.lastIndexOf('\n', maxCharacters) + 1);
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
