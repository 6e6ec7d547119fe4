import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { IsExcluded, VectorHit, VectorTable } from '../chunk-index.ts';
import { createBinaryIndex } from './binary-index.ts';
import type { FileTable } from './file-table.ts';
import type { ReadChunks } from './chunk-reader.ts';
import { CorruptIndexError } from './index-error.ts';
import { quantize } from './binary-quantization.ts';

type VectorTableDependencies = { database: Database; known: Pick<FileTable, 'all'>; readChunks: ReadChunks };

/** Part of the table names. Raise it whenever chunks are split into windows or vectors are stored differently. */
const tableVersion = 2;
/** Number of nearest binary codes whose full vectors are then compared. */
const rescoreCandidates = 400;
/** Number of rows processed before yielding to the event loop. */
const rowsPerPage = 5_000;
/** Share of the mean vector that is subtracted before comparing, because the mean does not distinguish chunks. */
const meanSubtraction = 0.5;

/** One table per model: after switching models, a new table is filled while the old one still exists. */
export function createVectorTables(parts: VectorTableDependencies): (fingerprint: string) => VectorTable {
  const tables = new Map<string, VectorTable>();
  const findTable = parts.database.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`);
  return (fingerprint) => {
    const hash = createHash('sha256').update(`${tableVersion} ${fingerprint}`).digest('hex').slice(0, 12);
    const name = `keepsake_vectors_${hash}`;
    const known = tables.get(name);
    // Another process may have switched models and dropped the table meanwhile.
    if (known !== undefined && findTable.get(name) !== undefined) return known;
    const table = createVectorTable(parts, name);
    tables.set(name, table);
    return table;
  };
}

/**
 * Has one row per distinct chunk text, with its binary codes. The full vectors are in a separate table, because only
 * a few of them are ever read.
 */
function createVectorTable(
  { database, known, readChunks }: VectorTableDependencies,
  table: string,
): VectorTable {
  database.exec(`
    create table if not exists ${table} (
      id integer primary key autoincrement, hash text not null unique, windows integer not null, codes blob not null
    );
    create table if not exists ${table}_whole (id integer primary key, vectors blob not null);
    create table if not exists ${table}_about (name text primary key, value) without rowid;
  `);
  const { newestRow, seenCount, wanting, exact, insert, gone, others, about } = prepare(database, table);
  const matrix = createBinaryIndex({ database, table, known });
  /** Every chunk up to this id has vectors; new chunks get higher ids. */
  let complete: { isExcluded: IsExcluded | null; through: number } = { isExcluded: null, through: 0 };

  /** The sum of all vectors ever stored, and their number. */
  const common = (dimensions: number): [sum: Float64Array, count: number] => {
    const stored = about.get.get('sum');
    const sum = stored === undefined ? new Float64Array(dimensions) : new Float64Array(copyToBuffer(stored));
    if (sum.length !== dimensions)
      throw new Error('the vector size of the model changed; run keepsake index --rebuild');
    return [sum, Number(about.get.get('count') ?? 0)];
  };
  const excludedFiles = (isExcluded: IsExcluded | null): string => {
    if (isExcluded === null) return '[]';
    return JSON.stringify([...known.all()].flatMap(([path, { id }]) => (isExcluded(path) ? [id] : [])));
  };
  const filterOf = (isExcluded: IsExcluded | null) => {
    if (complete.isExcluded !== isExcluded) complete = { isExcluded, through: 0 };
    return { after: complete.through, excluded: excludedFiles(isExcluded) };
  };
  return {
    chunksWithoutVectors(limit, isExcluded = null) {
      const filter = filterOf(isExcluded);
      const newest = Number(wanting.newest.get());
      const rows = wanting.some.all({ limit, ...filter }) as { id: number; hash: string; text: string }[];
      complete.through = rows[0] === undefined ? newest : rows[0].id - 1;
      // SQLite may read a damaged page without an error.
      if (rows.some(({ text }) => typeof text !== 'string')) throw new CorruptIndexError('missing text');
      return [...new Map(rows.map(({ hash, text }) => [hash, { hash, text }])).values()];
    },
    countWithoutVectors(isExcluded = null) {
      const filter = filterOf(isExcluded);
      const newest = Number(wanting.newest.get());
      const count = Number(wanting.count.get(filter));
      if (count === 0) complete.through = newest;
      return count;
    },
    countVisible: (isExcluded = null) => Number(seenCount.get({ excluded: excludedFiles(isExcluded) })),
    put: (hash, vectors) =>
      database
        .transaction(() => {
          const codes = Buffer.concat(vectors.map(quantize));
          const { lastInsertRowid, changes } = insert.codes.run(hash, vectors.length, codes);
          if (changes === 0) return;
          insert.vectors.run(lastInsertRowid, Buffer.concat(vectors.map(toFloat16Bytes)));
          const [sum, count] = common(vectors[0]?.length ?? 0);
          for (const vector of vectors) for (const [place, number] of vector.entries()) sum[place]! += number;
          about.set.run('sum', Buffer.from(sum.buffer));
          about.set.run('count', count + vectors.length);
        })
        .immediate(),
    async nearest(asked, filter, limit) {
      const [sum, count] = common(asked.length);
      const vector = asked.map(
        (number, place) => number - (meanSubtraction * sum[place]!) / Math.max(count, 1),
      );
      const ids = await matrix.nearest(vector, filter, Math.max(rescoreCandidates, limit));
      const rows = exact.all(JSON.stringify(ids)) as { id: number; vectors: Buffer }[];
      const best = nearestOf(rows, vector, limit);
      const near = readChunks([...best.keys()]).flatMap((chunk): VectorHit[] => {
        const found = best.get(Number(chunk.id));
        return found === undefined ? [] : [{ chunk, ...found }];
      });
      return near.toSorted((a, b) => b.similarity - a.similarity);
    },
    async pruneOrphans() {
      let dropped = 0;
      const newest = Number(newestRow.get());
      for (let after = 0; after < newest; after += rowsPerPage) {
        dropped += database.transaction(() => {
          gone.removeVectors.run({ after, to: after + rowsPerPage });
          return gone.removeCodes.run({ after, to: after + rowsPerPage }).changes;
        })();
        await setImmediate();
      }
      return dropped;
    },
    dropOtherModels() {
      for (const name of others.all({ table })) database.exec(`drop table ${String(name)}`);
    },
    lastError: () => (about.get.get('problem') ?? null) as string | null,
    setLastError: (text) =>
      void (text === null ? about.remove.run('problem') : about.set.run('problem', text)),
  };
}

/** Stores half-precision floats; the loss does not change any similarity noticeably. */
function toFloat16Bytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(new Float16Array(vector).buffer);
}

/** Copies the bytes, because typed arrays need aligned memory. */
function copyToBuffer(value: unknown): ArrayBuffer {
  // SQLite may read a damaged page without an error.
  if (!(value instanceof Uint8Array)) throw new CorruptIndexError('missing vectors');
  return new Uint8Array(value).buffer;
}

/** Ranks by the full vectors; the binary codes only select the candidates. */
function nearestOf(
  rows: readonly { id: number; vectors: Uint8Array }[],
  vector: Float32Array,
  limit: number,
): Map<number, { similarity: number; window: number }> {
  const nearest = rows
    .map(({ id, vectors }) => ({ id, ...bestWindow(vector, vectors) }))
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, limit);
  return new Map(nearest.map(({ id, ...near }) => [id, near]));
}

/** The most similar window of a chunk and its similarity. */
function bestWindow(vector: Float32Array, bytes: Uint8Array): { similarity: number; window: number } {
  const numbers = new Float16Array(copyToBuffer(bytes));
  const best = { similarity: -Infinity, window: 0 };
  for (let window = 0; window * vector.length < numbers.length; window += 1) {
    const start = window * vector.length;
    let similarity = 0;
    for (let place = 0; place < vector.length; place += 1)
      similarity += (vector[place] as number) * (numbers[start + place] as number);
    if (similarity > best.similarity) Object.assign(best, { similarity, window });
  }
  return best;
}

function prepare(database: Database, table: string) {
  const isWanting = `from documents d join keepsake_sections s on s.id = d.id
    where d.id > @after and not exists (select 1 from ${table} v where v.hash = d.hash)
      and s.file not in (select value from json_each(@excluded))`;
  const isGone = `id > @after and id <= @to and not exists (select 1 from documents d where d.hash = v.hash)`;
  return {
    newestRow: database.prepare(`select coalesce(max(id), 0) from ${table}`).pluck(),
    seenCount: database
      .prepare(
        'select count(*) from keepsake_sections where file not in (select value from json_each(@excluded))',
      )
      .pluck(),
    wanting: {
      newest: database.prepare('select coalesce(max(id), 0) from documents').pluck(),
      some: database.prepare(
        `select d.id, d.hash, d.title || char(10) || (select c.doc from content c where c.hash = d.hash) as text
         ${isWanting} order by d.id limit @limit`,
      ),
      count: database.prepare(`select count(*) ${isWanting}`).pluck(),
    },
    exact: database.prepare(
      `select d.id, w.vectors from json_each(?) wanted join documents d on d.id = wanted.value
         join ${table} v on v.hash = d.hash join ${table}_whole w on w.id = v.id`,
    ),
    insert: {
      codes: database.prepare(`insert or ignore into ${table} (hash, windows, codes) values (?, ?, ?)`),
      vectors: database.prepare(`insert into ${table}_whole values (?, ?)`),
    },
    gone: {
      removeVectors: database.prepare(
        `delete from ${table}_whole where id in (select v.id from ${table} v where ${isGone})`,
      ),
      removeCodes: database.prepare(`delete from ${table} as v where ${isGone}`),
    },
    others: database
      .prepare(
        `select name from sqlite_master where type = 'table' and name glob 'keepsake_vectors_*'
           and name not glob @table || '*'`,
      )
      .pluck(),
    about: {
      get: database.prepare(`select value from ${table}_about where name = ?`).pluck(),
      set: database.prepare(`insert or replace into ${table}_about values (?, ?)`),
      remove: database.prepare(`delete from ${table}_about where name = ?`),
    },
  };
}
