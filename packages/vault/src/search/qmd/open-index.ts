import type { Database } from 'better-sqlite3';
import { errorCode, defaultLayout } from '../../vault/index.ts';
import { computeLayoutKey } from '../chunk-index.ts';
import type { ChunkIndex } from '../chunk-index.ts';
import { createDocumentTable, documentTable, migrateFormerTable } from './document-table.ts';
import { createFileTable } from './file-table.ts';
import { createLexicalSearch } from './lexical-search.ts';
import { createReplacementTable } from './replacements.ts';
import { createChunkReader } from './chunk-reader.ts';
import { createChunkWriter } from './chunk-writer.ts';
import type { QmdStore } from './chunk-writer.ts';
import { CorruptIndexError } from './index-error.ts';
import { createNoteLister } from './note-lister.ts';
import { createMatchFinder } from './match-finder.ts';
import { createWordMerger } from './merge-words.ts';
import { createVectorTables } from './vector-table.ts';
import { createTermDictionary } from './vocabulary.ts';

/** Raise it whenever chunks are split or stored differently: an index of another version is rebuilt. */
const indexVersion = 8;

const tables = `
  create table if not exists keepsake_index (version integer not null);
  create table if not exists keepsake_layout (key text not null);
  create table if not exists keepsake_files (
    id integer primary key, path text not null unique, revision text not null,
    size integer not null, mtime real not null, ctime real, updated text not null
  );
  create table if not exists keepsake_sections (
    id integer primary key, file integer not null, key text not null,
    first_line integer not null, last_line integer not null, day text not null, headings text not null, kind text not null
  );
  create index if not exists keepsake_sections_of on keepsake_sections (file);
  create table if not exists keepsake_replacements (
    target text not null, file integer not null, primary key (target, file)
  ) without rowid;
  create index if not exists keepsake_replacements_of on keepsake_replacements (file);
  ${documentTable}
  create virtual table if not exists temp.keepsake_words using fts5vocab(main, documents_fts, row);
`;

/**
 * Opens the index: chunks are stored as documents in the tables of the search library QMD, next to tables of our own.
 */
export async function openChunkIndex(file: string): Promise<ChunkIndex> {
  // Loaded on the first search, so that commands that only read start without it.
  const { createStore } = await import('./vendor.ts');
  // Passes only the path: if given a configuration, QMD would read and possibly write a global configuration file.
  const store = await createStore({ dbPath: file });
  const database = store.internal.db as unknown as Database;
  try {
    // If the last rows are lost, they are simply indexed again.
    database.pragma('synchronous = NORMAL');
    database.pragma('busy_timeout = 5000');
    database.pragma('secure_delete = on');
    database.exec(tables);
    checkVersion(database);
    migrateFormerTable(database);
    return buildIndex(database, store.internal);
  } catch (error) {
    database.close();
    // All statements match the tables created here, so an SQL error means that the database is damaged.
    if (errorCode(error) === 'SQLITE_ERROR') throw new CorruptIndexError((error as Error).message);
    throw error;
  }
}

/** QMD creates the full-text index with a tokenizer that keeps letters with two accents, such as `ậ`. */
const createFullTextIndex = `
  drop table documents_fts;
  create virtual table documents_fts using fts5(filepath, title, body, tokenize = 'porter unicode61 remove_diacritics 2');
`;

function checkVersion(database: Database): void {
  const version = database.prepare('select version from keepsake_index').pluck();
  const initialize = database.transaction(() => {
    // Another process may have opened the index meanwhile.
    if (version.get() !== undefined) return;
    database.exec(createFullTextIndex);
    database.prepare('insert into keepsake_index values (?)').run(indexVersion);
  });
  if (version.get() === undefined) initialize.immediate();
  if (version.get() !== indexVersion)
    throw new CorruptIndexError('the index was created by another version of Keepsake');
}

function buildIndex(database: Database, qmd: QmdStore): ChunkIndex {
  const vocabulary = createTermDictionary(database);
  const chunks = createChunkReader(database);
  /** The number of chunks, by hidden files. */
  const counted = new Map<string, number>();
  const forget = (): void => {
    vocabulary.forget();
    counted.clear();
    chunks.forget();
  };
  const known = createFileTable(database, forget);
  const readChunks = chunks.read;
  const replacements = createReplacementTable(database);
  const writer = createChunkWriter({ database, qmd, known, caches: { forget }, replacements });
  const layoutKey = database.prepare('select key from keepsake_layout').pluck();
  const chunkCount = database
    .prepare('select count(*) from keepsake_sections where file not in (select value from json_each(?))')
    .pluck();
  return {
    ...writer,
    mergeWords: createWordMerger(database, writer.transaction),
    layout: () => (layoutKey.get() as string | undefined) ?? computeLayoutKey(defaultLayout),
    resetForLayout(layout) {
      writer.transaction(() => {
        database.exec("update keepsake_files set revision = '', ctime = null; delete from keepsake_layout");
        database.prepare('insert into keepsake_layout values (?)').run(layout);
      });
      known.forget();
    },
    ...createDocumentTable(database),
    files: known.all,
    incompleteFiles: known.incomplete,
    replacingFiles: replacements.of,
    searchTerms: createLexicalSearch({ database, known, vocabulary, readChunks }),
    findMatches: createMatchFinder({ database, known, vocabulary }),
    newestNotes: createNoteLister({ database, known, readChunks }),
    readChunks,
    documentFrequency: vocabulary.frequency,
    filesNamed: known.named,
    findIndexedPrefix: vocabulary.beginning,
    similarTerms: vocabulary.alike,
    counts(isExcluded = null) {
      const files = known.all();
      const hidden =
        isExcluded === null ? [] : [...files].flatMap(([path, { id }]) => (isExcluded(path) ? [id] : []));
      const key = JSON.stringify(hidden);
      const sections = counted.get(key) ?? Number(chunkCount.get(key));
      counted.set(key, sections);
      return { files: files.size - hidden.length, sections };
    },
    vectors: createVectorTables({ database, known, readChunks }),
    close: () => void database.close(),
  };
}
