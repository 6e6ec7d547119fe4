import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { systemCode } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { SectionIndex } from '../section-index.ts';
import type { Section } from '../sections.ts';
import { ideograph } from '../words.ts';
import type { KnownFiles } from './known-files.ts';
import type { Replacements } from './replacements.ts';
import { UnusableIndex } from './unusable-index.ts';
import type { Vocabulary } from './vocabulary.ts';

type Parts = {
  database: Database;
  qmd: QmdStore;
  known: KnownFiles;
  vocabulary: Pick<Vocabulary, 'forget'>;
  replacements: Pick<Replacements, 'put'>;
};

/** Collection, path, title, hash, and when it was created and changed. */
type DocumentRow = [string, string, string, string, string, string];
export type QmdStore = { insertDocument: (...row: DocumentRow) => void };

const collection = 'vault';
const hashLength = 32;

/** A document's path is file and content hash, so an unchanged section stays as it is wherever in the file it moves. */
export function createSectionWriter({
  database,
  qmd,
  known,
  vocabulary,
  replacements,
}: Parts): Pick<SectionIndex, 'put' | 'touch' | 'remove' | 'batch'> {
  const rows = createSectionRows(database, qmd);
  const replaceSections = (path: VaultPath, file: number, sections: readonly Section[]) => {
    const gone = rows.of(file);
    vocabulary.forget();
    let added = 0;
    for (const [key, section] of keysOf(sections)) {
      const id = gone.get(key);
      if (id === undefined) rows.insert(path, file, key, section);
      else rows.move(id, section);
      added += id === undefined ? 1 : 0;
      gone.delete(key);
    }
    for (const [key, id] of gone) rows.remove(id, key);
    return { added, removed: gone.size };
  };
  const inTransaction = <Value>(work: () => Value): Value => {
    try {
      return database.transaction(work).immediate();
    } catch (error) {
      known.forget();
      // Rows are deleted before they are made again; a damaged page may hide one.
      const code = systemCode(error);
      if (code?.startsWith('SQLITE_CONSTRAINT') === true) throw new UnusableIndex(code);
      throw error;
    }
  };
  return {
    put: (path, file, sections, replacesIn = []) =>
      inTransaction(() => {
        const id = known.put(path, file);
        replacements.put(id, replacesIn);
        return replaceSections(path, id, sections);
      }),
    touch(path, file) {
      // Another process may have removed it meanwhile: then it comes back only with its sections.
      if (known.has(path)) known.put(path, file);
    },
    remove(path) {
      const id = known.all().get(path)?.id;
      if (id === undefined) return;
      inTransaction(() => {
        replaceSections(path, id, []);
        replacements.put(id, []);
        known.remove(path, id);
      });
    },
    batch: inTransaction,
  };
}

/** One section at a time: its content, its document and its place in a file. */
function createSectionRows(database: Database, qmd: QmdStore) {
  const { select, documentId, addContent, addDocument, add, move, remove, removeDocument, removeContent } =
    prepare(database);
  return {
    /** The ids of a file's sections by their keys. */
    of: (file: number): Map<string, number> =>
      new Map((select.all(file) as { id: number; key: string }[]).map(({ id, key }) => [key, id])),
    insert(path: VaultPath, file: number, key: string, section: Section): void {
      const now = new Date().toISOString();
      const hash = key.slice(0, hashLength);
      const { trail, body } = section;
      const row: DocumentRow = [collection, `${path}#${key}`, trail, hash, now, now];
      addContent.run(hash, body, now);
      // FTS5 cannot cut these into words by itself; QMD's own way of inserting does.
      if (ideograph.test(trail + body)) qmd.insertDocument(...row);
      else addDocument.run(...row);
      add.run(documentId.get(collection, row[1]), file, key, ...placeOf(section));
    },
    move: (id: number, section: Section): void => void move.run(...placeOf(section), id),
    remove(id: number, key: string): void {
      remove.run(id);
      removeDocument.run(id);
      removeContent.run({ hash: key.slice(0, hashLength) });
    },
  };
}

/** Each section under its content; the same content twice gets a number. The trail is part of it, as it is indexed. */
function keysOf(sections: readonly Section[]): Map<string, Section> {
  const keys = new Map<string, Section>();
  const counts = new Map<string, number>();
  for (const section of sections) {
    const content = `${section.trail}\n${section.body}`;
    const hash = createHash('sha256').update(content).digest('hex').slice(0, hashLength);
    const number = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, number);
    keys.set(number === 1 ? hash : `${hash}-${number}`, section);
  }
  return keys;
}

function placeOf({ lines, date, headings, kind }: Section): [number, number, string, string, string] {
  return [lines.start, lines.end, date ?? '', JSON.stringify(headings), JSON.stringify(kind)];
}

function prepare(database: Database) {
  return {
    select: database.prepare('select id, key from keepsake_sections where file = ?'),
    documentId: database.prepare('select id from documents where collection = ? and path = ?').pluck(),
    addContent: database.prepare('insert or ignore into content (hash, doc, created_at) values (?, ?, ?)'),
    addDocument: database.prepare(
      'insert into documents (collection, path, title, hash, created_at, modified_at) values (?, ?, ?, ?, ?, ?)',
    ),
    add: database.prepare('insert into keepsake_sections values (?, ?, ?, ?, ?, ?, ?, ?)'),
    move: database.prepare(
      'update keepsake_sections set first_line = ?, last_line = ?, day = ?, headings = ?, kind = ? where id = ?',
    ),
    remove: database.prepare('delete from keepsake_sections where id = ?'),
    removeDocument: database.prepare('delete from documents where id = ?'),
    removeContent: database.prepare(
      'delete from content where hash = @hash and not exists (select 1 from documents where hash = @hash)',
    ),
  };
}
