import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../../vault/index.ts';
import type { Query } from '../query.ts';
import type { Filter, SectionIndex } from '../section-index.ts';
import type { Section } from '../sections.ts';
import { ideograph, wordsOf } from '../words.ts';
import { createKnownFiles } from './known-files.ts';
import { matchAll, matchAny, matchLiteral } from './match.ts';
import { createSectionReader } from './section-reader.ts';
import { isInTime, timeOf } from './is-in-time.ts';
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

  /** The best matches of a query; a scope is checked only for what the words found, best first. */
  const matchesOf = (match: string | null, filter: Filter, limit: number): Matched[] => {
    if (match === null) return [];
    const { isInScope, from, to } = filter;
    if (isInScope === null && from === null && to === null)
      return reads.match.all({ match, limit }) as Matched[];
    const time = timeOf(filter);
    known.all();
    const found: Matched[] = [];
    for (const row of reads.match.iterate({ match, limit: -1 })) {
      const matched = row as Matched;
      const file = reads.fileIn.get({ id: matched.id, ...time });
      const path = known.pathOf(Number(file ?? 0));
      if (path !== undefined && isInScope?.(path) !== false) found.push(matched);
      if (found.length === limit) break;
    }
    return found;
  };

  /** A word that is everywhere tells nothing, unless hardly anything else is left to go by. */
  const matchSome = (query: Query, filter: Filter, limit: number): Matched[] => {
    const telling = withoutCommon(query, frequencies.of);
    const found = matchesOf(matchAny(telling), filter, limit);
    return found.length < limit / 3 && telling !== query ? matchesOf(matchAny(query), filter, limit) : found;
  };

  const lexical: SectionIndex['lexical'] = (query, filter, limit) => {
    const all = matchesOf(matchAll(query), filter, limit);
    // As it was typed: among those with all words, unless there are more of them than were asked for.
    const literal = all.length < limit ? [] : matchesOf(matchLiteral(wordsOf(query.literal)), filter, limit);
    const some = all.length < limit ? matchSome(query, filter, limit) : [];
    const found = new Map<number, number | undefined>(literal.map(({ id }) => [id, undefined]));
    for (const { id, keywords } of [...all, ...some]) found.set(id, keywords);
    return readSections([...found.keys()]).map((section) => {
      const keywords = found.get(Number(section.id));
      return keywords === undefined ? section : { ...section, keywords };
    });
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
    lexical(query, filter, limit) {
      const found = lexical(query, filter, limit);
      // People quote titles as they remember them: where nothing has the phrase, its words are looked for.
      return found.length > 0 || query.phrases.length === 0
        ? found
        : lexical({ ...query, phrases: [] }, filter, limit);
    },
    frequency: frequencies.of,
    sectionCount: () => Number(reads.sectionCount.get()),
    vectors: (fingerprint) => createVectorTable({ database, fingerprint, known, readSections }),
    close: () => void database.close(),
  };
}

type Matched = { id: number; keywords: number };

/** So many occurrences are looked at without anybody noticing. */
const cheap = 500;

/** Leaves out the most common words of a query as long as the others occur often enough; all at once would be slow. */
function withoutCommon(query: Query, frequency: (word: string) => number): Query {
  const terms = query.terms
    .map((term) => ({ term, count: frequency(term) }))
    .toSorted((a, b) => a.count - b.count);
  let total = 0;
  const kept = terms.filter(({ count }, index) => (total += count) <= cheap || index === 0);
  return kept.length === terms.length ? query : { ...query, terms: kept.map(({ term }) => term) };
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
  const ranked = `documents_fts match @match and rank match 'bm25(0.0, 1.0, 1.0)'`;
  return {
    documentId: database.prepare('select id from documents where collection = ? and path = ?').pluck(),
    sectionsOf: database.prepare('select id, key from keepsake_sections where file = ?'),
    match: database.prepare(
      `select rowid as id, -rank as keywords from documents_fts where ${ranked} order by rank limit @limit`,
    ),
    /** The file of a section, if the section is of the time asked for. */
    fileIn: database
      .prepare(
        `select s.file from keepsake_sections s join keepsake_files f on f.id = s.file where s.id = @id and ${isInTime}`,
      )
      .pluck(),
    sectionCount: database.prepare('select count(*) from keepsake_sections').pluck(),
  };
}
