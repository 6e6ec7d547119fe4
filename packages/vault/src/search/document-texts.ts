import type { Revision } from '../vault/index.ts';

/** What was extracted from a document. */
export type DocumentText =
  /** `pages` is the number of pages of a PDF, otherwise null; `warnings` tell the user what was lost. */
  | { kind: 'text'; text: string; pages: number | null; warnings: string[] }
  /** `reason` tells the user what is wrong and what to do. */
  | { kind: 'no-text'; reason: string };

/** The text of a document, or why it could not be extracted on this machine. */
export type DocumentResult = DocumentText | { kind: 'unavailable'; reason: string };

/** Extracts the text of a document. Throws when aborted. */
export type ReadDocument = (
  document: { name: string; bytes: Uint8Array },
  signal: AbortSignal,
) => Promise<DocumentResult>;

/** A document and the revision of its bytes. */
export type DocumentVersion = Parameters<ReadDocument>[0] & { revision: Revision };

/** The texts of documents. Each is extracted once and stored in the index, so that all readers count the same lines. */
export type DocumentTexts = {
  /** Null if the text was not extracted yet. */
  stored: (revision: Revision) => DocumentText | null;
  /** Extracts the text if that was not done yet. */
  read: (document: DocumentVersion, signal?: AbortSignal) => Promise<DocumentResult>;
};

/** Stores texts; see `ChunkIndex`. */
type Store = {
  documentText(revision: Revision): DocumentText | null;
  putDocument(revision: Revision, text: DocumentText): void;
};

export function createDocumentTexts(index: Store, readDocument: ReadDocument): DocumentTexts {
  const stored: DocumentTexts['stored'] = (revision) => index.documentText(revision);
  return {
    stored,
    async read({ name, bytes, revision }, signal = new AbortController().signal) {
      const known = stored(revision);
      if (known !== null) return known;
      const result = await readDocument({ name, bytes }, signal);
      if (result.kind === 'unavailable') return result;
      index.putDocument(revision, result);
      // Another process may have stored it first.
      return stored(revision) ?? result;
    },
  };
}
