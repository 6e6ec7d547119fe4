import type { Database } from 'better-sqlite3';
import type { ChunkIndex } from '../chunk-index.ts';
import type { DocumentText } from '../document-texts.ts';

type Row = { text: string; about: string };

/** The texts extracted from documents, by the revision of the document. `about` is the rest of a `DocumentText` as JSON. */
export const documentTable = `
  create table if not exists keepsake_document_texts (
    revision text primary key, text text not null, about text not null
  ) without rowid;
`;

/**
 * Empties the table of earlier versions, which had neither pages nor the reason why there is no text. The documents are read again, and
 * chunks that stay the same are not written again. The table stays, because a process of such a version may still use it.
 */
export function migrateFormerTable(database: Database): void {
  const tables = database.prepare("select 1 from sqlite_master where name = 'keepsake_documents'");
  if (tables.get() === undefined) return;
  const endings = ['pdf', 'docx', 'eml', 'htm', 'html', 'txt', 'csv'];
  const isDocument = endings.map((ending) => `path like '%.${ending}'`).join(' or ');
  const rows = database.prepare('select 1 from keepsake_documents limit 1');
  database
    .transaction(() => {
      if (rows.get() === undefined) return;
      database.exec(`update keepsake_files set revision = '', ctime = null where ${isDocument}`);
      database.exec('delete from keepsake_documents');
    })
    .immediate();
}

export function createDocumentTable(
  database: Database,
): Pick<ChunkIndex, 'documentText' | 'putDocument' | 'pruneDocuments'> {
  const select = database.prepare('select text, about from keepsake_document_texts where revision = ?');
  const insert = database.prepare('insert or ignore into keepsake_document_texts values (?, ?, ?)');
  const prune = database.prepare(
    'delete from keepsake_document_texts where revision not in (select revision from keepsake_files)',
  );
  return {
    documentText(revision) {
      const row = select.get(revision) as Row | undefined;
      return row === undefined ? null : toDocumentText(row);
    },
    putDocument(revision, content) {
      const { text, ...about } = content.kind === 'text' ? content : { ...content, text: '' };
      insert.run(revision, text, JSON.stringify(about));
    },
    pruneDocuments: () => void prune.run(),
  };
}

function toDocumentText({ text, about }: Row): DocumentText {
  const parsed = JSON.parse(about) as DocumentText;
  return parsed.kind === 'text' ? { ...parsed, text } : parsed;
}
