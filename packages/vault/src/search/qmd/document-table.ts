import type { Database } from 'better-sqlite3';
import type { ChunkIndex } from '../chunk-index.ts';

/** The texts extracted from documents, by the revision of the document. */
export function createDocumentTable(
  database: Database,
): Pick<ChunkIndex, 'documentText' | 'putDocument' | 'pruneDocuments'> {
  const select = database.prepare('select text from keepsake_documents where revision = ?').pluck();
  const insert = database.prepare('insert or replace into keepsake_documents values (?, ?)');
  const prune = database.prepare(
    'delete from keepsake_documents where revision not in (select revision from keepsake_files)',
  );
  return {
    documentText: (revision) => (select.get(revision) as string | undefined) ?? null,
    putDocument: (revision, text) => void insert.run(revision, text),
    pruneDocuments: () => void prune.run(),
  };
}
