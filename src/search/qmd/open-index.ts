import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../../vault/index.ts';
import type { SectionIndex } from '../section-index.ts';
import type { Section } from '../sections.ts';
import { ideograph } from '../words.ts';
import { createKnownFiles } from './known-files.ts';
import { createLexicalSearch } from './lexical-search.ts';
import { createSectionReader } from './section-reader.ts';
import { UnusableIndex } from './unusable-index.ts';
import { createVectorTable } from './vector-table.ts';
import { createWordFrequencies } from './word-frequencies.ts';

export { UnusableIndex } from './unusable-index.ts';

const collection = 'vault';
/** Changed whenever sections are cut or stored in another way: an index of another version is made anew. */
const indexVersion = 2;

const tables = `
  create table if not exists keepsake_index (version integer not null);
  create table if not exists keepsake_files (
    id integer primary key, path text not null unique, revision text not null,
    size integer not null, mtime real not null, ctime real, updated text not null
  );
  create table if not exists keepsake_sections (
    id integer primary key, file integer not null, key text not null,
    first_line integer not null, last_line integer not null, day text not null, is_whole integer not null
  );
  create index if not exists keepsake_sections_of on keepsake_sections (file);
  create virtual table if not exists temp.keepsake_words using fts5vocab(main, documents_fts, row);
`;

/**
 * Sections as documents in QMD's own tables, with ours beside them. A document's path is file and content hash, so an
 * unchanged section stays as it is wherever in the file it moves.
 */
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
    throw error;
  }
}

function checkVersion(database: Database): void {
  const version = database.prepare('select version from keepsake_index').pluck().get();
  if (version === undefined) database.prepare('insert into keepsake_index values (?)').run(indexVersion);
  else if (version !== indexVersion) throw new UnusableIndex('made by another version');
}

type QmdStore = { insertDocument: (...row: [string, string, string, string, string, string]) => void };

function createSectionIndex(database: Database, qmd: QmdStore): SectionIndex {
  const frequencies = createWordFrequencies(database);
  const known = createKnownFiles(database, frequencies.forget);
  const readSections = createSectionReader(database);
  const writes = prepareWrites(database);
  const reads = prepareReads(database);

  const insert = (path: VaultPath, fileId: number, key: string, section: Section): void => {
    const now = new Date().toISOString();
    const [hash, trail] = [key.slice(0, hashLength), section.trail.join(' › ')];
    const row = [collection, `${path}#${key}`, trail, hash, now, now] as const;
    writes.addContent.run(hash, section.body, now);
    // FTS5 cannot cut these into words by itself; QMD's own way of inserting does.
    if (ideograph.test(trail + section.body)) qmd.insertDocument(...row);
    else writes.addDocument.run(...row);
    const id = reads.documentId.get(collection, row[1]);
    writes.addSection.run(id, fileId, key, ...placeOf(section));
  };

  const replaceSections = (path: VaultPath, fileId: number, sections: readonly Section[]) => {
    const rows = reads.sectionsOf.all(fileId) as { id: number; key: string }[];
    const gone = new Map(rows.map(({ id, key }) => [key, id]));
    frequencies.forget();
    let added = 0;
    for (const [key, section] of keysOf(sections)) {
      const id = gone.get(key);
      if (id === undefined) insert(path, fileId, key, section);
      else writes.moveSection.run(...placeOf(section), id);
      added += id === undefined ? 1 : 0;
      gone.delete(key);
    }
    for (const [key, id] of gone) {
      writes.removeSection.run(id);
      writes.removeDocument.run(id);
      writes.removeContent.run({ hash: key.slice(0, hashLength) });
    }
    return { added, removed: gone.size };
  };
  const inTransaction = <Value>(work: () => Value): Value => {
    try {
      return database.transaction(work).immediate();
    } catch (error) {
      known.forget();
      throw error;
    }
  };

  return {
    files: known.all,
    put: (path, file, sections) =>
      inTransaction(() => replaceSections(path, known.put(path, file), sections)),
    touch(path, file) {
      // Another process may have removed it meanwhile: then it comes back only with its sections.
      if (known.has(path)) known.put(path, file);
    },
    remove(path) {
      const id = known.all().get(path)?.id;
      if (id === undefined) return;
      inTransaction(() => {
        replaceSections(path, id, []);
        known.remove(path, id);
      });
    },
    batch: inTransaction,
    lexical: createLexicalSearch({ database, known, frequency: frequencies.of, readSections }),
    frequency: frequencies.of,
    sectionCount: () => Number(reads.sectionCount.get()),
    vectors: (fingerprint) => createVectorTable({ database, fingerprint, known, readSections }),
    close: () => void database.close(),
  };
}

const hashLength = 32;

/** Each section under its content; the same content twice gets a number. The trail is part of it, as it is indexed. */
function keysOf(sections: readonly Section[]): Map<string, Section> {
  const keys = new Map<string, Section>();
  for (const section of sections) {
    const content = `${section.trail.join(' › ')}\n${section.body}`;
    const hash = createHash('sha256').update(content).digest('hex').slice(0, hashLength);
    let key = hash;
    for (let number = 2; keys.has(key); number += 1) key = `${hash}-${number}`;
    keys.set(key, section);
  }
  return keys;
}

function placeOf({ lines, date, isWholeFile }: Section): [number, number, string, number] {
  return [lines.start, lines.end, date ?? '', isWholeFile ? 1 : 0];
}

function prepareWrites(database: Database) {
  return {
    addContent: database.prepare('insert or ignore into content (hash, doc, created_at) values (?, ?, ?)'),
    addDocument: database.prepare(
      'insert into documents (collection, path, title, hash, created_at, modified_at) values (?, ?, ?, ?, ?, ?)',
    ),
    addSection: database.prepare('insert into keepsake_sections values (?, ?, ?, ?, ?, ?, ?)'),
    moveSection: database.prepare(
      'update keepsake_sections set first_line = ?, last_line = ?, day = ?, is_whole = ? where id = ?',
    ),
    removeSection: database.prepare('delete from keepsake_sections where id = ?'),
    removeDocument: database.prepare('delete from documents where id = ?'),
    removeContent: database.prepare(
      'delete from content where hash = @hash and not exists (select 1 from documents where hash = @hash)',
    ),
  };
}

function prepareReads(database: Database) {
  return {
    documentId: database.prepare('select id from documents where collection = ? and path = ?').pluck(),
    sectionsOf: database.prepare('select id, key from keepsake_sections where file = ?'),
    sectionCount: database.prepare('select count(*) from keepsake_sections').pluck(),
  };
}
