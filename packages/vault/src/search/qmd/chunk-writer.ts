import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { errorCode } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { ChunkIndex } from '../chunk-index.ts';
import type { Chunk } from '../chunker.ts';
import { cjkCharacter } from '../tokenizer.ts';
import { incompleteRevision } from './file-table.ts';
import type { FileTable } from './file-table.ts';
import type { ReplacementTable } from './replacements.ts';
import { CorruptIndexError } from './index-error.ts';

type ChunkWriterDependencies = {
  database: Database;
  qmd: QmdStore;
  known: FileTable;
  /** Whatever was read from the index. */
  caches: { forget: () => void };
  replacements: Pick<ReplacementTable, 'put'>;
};

/** Collection, path, title, hash, created and modified time. */
type DocumentRow = [string, string, string, string, string, string];
export type QmdStore = { insertDocument: (...row: DocumentRow) => void };

const collection = 'vault';
const hashLength = 32;

/**
 * The path of a document in QMD consists of the file and the content hash, so an unchanged chunk keeps its row when it
 * moves within the file.
 */
export function createChunkWriter({
  database,
  qmd,
  known,
  caches,
  replacements,
}: ChunkWriterDependencies): Pick<
  ChunkIndex,
  'upsertFile' | 'upsertSlices' | 'touchFile' | 'remove' | 'transaction'
> {
  const rows = createChunkRows(database, qmd);
  const replaceChunks = (path: VaultPath, file: number, chunks: readonly Chunk[]) => {
    const gone = rows.of(file);
    caches.forget();
    let added = 0;
    for (const [key, chunk] of contentKeys(chunks)) {
      const id = gone.get(key);
      if (id === undefined) rows.insert(path, file, key, chunk);
      else rows.move(id, chunk);
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
      // Rows are deleted before they are inserted again, so a constraint error means that a damaged page hides a row.
      const code = errorCode(error);
      if (code?.startsWith('SQLITE_CONSTRAINT') === true) throw new CorruptIndexError(code);
      throw error;
    }
  };
  /** Returns null if another process removed the file meanwhile. */
  const inSlice = <Value>(path: VaultPath, id: number, work: () => Value): Value | null =>
    inTransaction(() => {
      caches.forget();
      return known.storedId(path) === id ? work() : null;
    });
  const upsertSlices = function* (
    ...[path, file, chunks, replacesIn = []]: Parameters<ChunkIndex['upsertSlices']>
  ): Generator<number, void> {
    const id = inTransaction(() => known.put(path, { ...file, revision: incompleteRevision, ctime: null }));
    const gone = rows.of(id);
    const keys = new Set<string>();
    for (const slice of slicesOf(contentKeys(chunks))) {
      const added = inSlice(path, id, () =>
        slice.reduce((sum, [key, chunk]) => sum + rows.put(path, id, key, chunk), 0),
      );
      if (added === null) return;
      for (const [key] of slice) {
        keys.add(key);
        gone.delete(key);
      }
      yield added;
    }
    for (const slice of slicesOf(gone)) {
      if (inSlice(path, id, () => slice.forEach(([key, chunk]) => rows.remove(chunk, key))) === null) return;
      yield 0;
    }
    inSlice(path, id, () => {
      const stored = rows.of(id);
      // Another process may have written to the same file meanwhile.
      if (stored.size !== keys.size || !keys.isSubsetOf(stored)) replaceChunks(path, id, chunks);
      known.put(path, file);
      replacements.put(id, replacesIn);
    });
  };
  return {
    upsertSlices,
    upsertFile: (path, file, chunks, replacesIn = []) =>
      inTransaction(() => {
        const id = known.put(path, file);
        replacements.put(id, replacesIn);
        return replaceChunks(path, id, chunks);
      }),
    touchFile(path, file) {
      // If another process removed the file meanwhile, it must not come back without its chunks.
      if (known.storedId(path) !== null) known.put(path, file);
    },
    remove(path) {
      const id = known.all().get(path)?.id;
      if (id === undefined) return;
      inTransaction(() => {
        replaceChunks(path, id, []);
        replacements.put(id, []);
        known.remove(path, id);
      });
    },
    transaction: inTransaction,
  };
}

/** Inserts and deletes single chunks: their content, document and position in a file. */
function createChunkRows(database: Database, qmd: QmdStore) {
  const { select, documentId, addContent, addDocument, add, move, remove, removeDocument, removeContent } =
    prepare(database);
  const insert = (path: VaultPath, file: number, key: string, chunk: Chunk): void => {
    const now = new Date().toISOString();
    const hash = key.slice(0, hashLength);
    const { headingPath, body } = chunk;
    const row: DocumentRow = [collection, `${path}#${key}`, headingPath, hash, now, now];
    addContent.run(hash, body, now);
    // FTS5 cannot tokenize Chinese, Japanese and Korean; QMD's own insert function can.
    if (cjkCharacter.test(headingPath + body)) qmd.insertDocument(...row);
    else addDocument.run(...row);
    add.run(documentId.get(collection, row[1]), file, key, ...locationColumns(chunk));
  };
  const moveTo = (id: number, chunk: Chunk): void => void move.run(...locationColumns(chunk), id);
  return {
    /** The ids of a file's chunks by their keys. */
    of: (file: number): Map<string, number> =>
      new Map((select.all(file) as { id: number; key: string }[]).map(({ id, key }) => [key, id])),
    insert,
    move: moveTo,
    /** Inserts or moves a chunk; returns the number of inserted chunks. */
    put(path: VaultPath, file: number, key: string, chunk: Chunk): number {
      const id = documentId.get(collection, `${path}#${key}`) as number | undefined;
      if (id === undefined) insert(path, file, key, chunk);
      else moveTo(id, chunk);
      return id === undefined ? 1 : 0;
    },
    remove(id: number, key: string): void {
      remove.run(id);
      removeDocument.run(id);
      removeContent.run({ hash: key.slice(0, hashLength) });
    },
  };
}

/** Number of chunks written or deleted in one transaction, which takes about ten milliseconds. */
const chunksPerSlice = 8;

function* slicesOf<Value>(values: Iterable<Value>): Generator<Value[]> {
  let slice: Value[] = [];
  for (const value of values) {
    slice.push(value);
    if (slice.length < chunksPerSlice) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/**
 * Keys chunks by the hash of their content, which includes the heading path because that is indexed, too. Duplicates
 * get a number.
 */
function* contentKeys(chunks: readonly Chunk[]): Generator<[string, Chunk]> {
  const counts = new Map<string, number>();
  for (const chunk of chunks) {
    const content = `${chunk.headingPath}\n${chunk.body}`;
    const hash = createHash('sha256').update(content).digest('hex').slice(0, hashLength);
    const number = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, number);
    yield [number === 1 ? hash : `${hash}-${number}`, chunk];
  }
}

function locationColumns({ lines, date, headings, kind }: Chunk): [number, number, string, string, string] {
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
