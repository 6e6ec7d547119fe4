import type { Database } from 'better-sqlite3';
import { systemCode, usualLayout } from '../../vault/index.ts';
import { layoutKeyOf } from '../section-index.ts';
import type { SectionIndex } from '../section-index.ts';
import { createKnownFiles } from './known-files.ts';
import { createLexicalSearch } from './lexical-search.ts';
import { createReplacements } from './replacements.ts';
import { createSectionReader } from './section-reader.ts';
import { createSectionWriter } from './section-writer.ts';
import type { QmdStore } from './section-writer.ts';
import { UnusableIndex } from './unusable-index.ts';
import { createVectorTables } from './vector-table.ts';
import { createVocabulary } from './vocabulary.ts';

/** Changed whenever sections are cut or stored in another way: an index of another version is made anew. */
const indexVersion = 5;

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
  create virtual table if not exists temp.keepsake_words using fts5vocab(main, documents_fts, row);
`;

/** Sections as documents in QMD's own tables, with ours beside them. */
export async function openSectionIndex(file: string): Promise<SectionIndex> {
  // Loaded when somebody searches: whoever only reads does without.
  const { createStore } = await import('./vendor.ts');
  // Nothing but the path: with a configuration QMD would keep, and may write, a global one.
  const store = await createStore({ dbPath: file });
  const database = store.internal.db as unknown as Database;
  try {
    // Losing the last rows costs indexing them again, nothing else.
    database.pragma('synchronous = NORMAL');
    database.pragma('busy_timeout = 5000');
    database.exec(tables);
    checkVersion(database);
    return createSectionIndex(database, store.internal);
  } catch (error) {
    database.close();
    // Every statement fits the tables that were made here, unless a damaged page says otherwise.
    if (systemCode(error) === 'SQLITE_ERROR') throw new UnusableIndex((error as Error).message);
    throw error;
  }
}

function checkVersion(database: Database): void {
  const version = database.prepare('select version from keepsake_index').pluck().get();
  if (version === undefined) database.prepare('insert into keepsake_index values (?)').run(indexVersion);
  else if (version !== indexVersion) throw new UnusableIndex('made by another version');
}

function createSectionIndex(database: Database, qmd: QmdStore): SectionIndex {
  const vocabulary = createVocabulary(database);
  const known = createKnownFiles(database, vocabulary.forget);
  const readSections = createSectionReader(database);
  const replacements = createReplacements(database);
  const writer = createSectionWriter({ database, qmd, known, vocabulary, replacements });
  const layoutKey = database.prepare('select key from keepsake_layout').pluck();
  const sectionCount = database
    .prepare('select count(*) from keepsake_sections where file not in (select value from json_each(?))')
    .pluck();
  return {
    ...writer,
    layout: () => (layoutKey.get() as string | undefined) ?? layoutKeyOf(usualLayout),
    beginLayout(layout) {
      writer.batch(() => {
        database.exec("update keepsake_files set revision = '', ctime = null; delete from keepsake_layout");
        database.prepare('insert into keepsake_layout values (?)').run(layout);
      });
      known.forget();
    },
    files: known.all,
    replacing: replacements.of,
    lexical: createLexicalSearch({ database, known, vocabulary, readSections }),
    frequency: vocabulary.frequency,
    beginning: vocabulary.beginning,
    alike: vocabulary.alike,
    counts(isExcluded = null) {
      const files = known.all();
      const hidden =
        isExcluded === null ? [] : [...files].flatMap(([path, { id }]) => (isExcluded(path) ? [id] : []));
      return {
        files: files.size - hidden.length,
        sections: Number(sectionCount.get(JSON.stringify(hidden))),
      };
    },
    vectors: createVectorTables({ database, known, readSections }),
    close: () => void database.close(),
  };
}
