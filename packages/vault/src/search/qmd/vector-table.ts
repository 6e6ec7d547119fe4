import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { Exclusion, NearSection, VectorTable } from '../section-index.ts';
import { createCodeMatrix } from './code-matrix.ts';
import type { KnownFiles } from './known-files.ts';
import type { ReadSections } from './section-reader.ts';
import { UnusableIndex } from './unusable-index.ts';
import { codeOf } from './vector-code.ts';

type Parts = { database: Database; known: Pick<KnownFiles, 'all'>; readSections: ReadSections };

/** Part of the names of tables. Raise it whenever a section is cut into other windows or its vectors stored in another way. */
const layout = 2;
/** Sections near by their codes whose vectors are then compared in full. */
const compared = 400;
/** Rows looked at before others are served. */
const page = 5_000;
/** How much of what all vectors have in common is left out when they are compared: it tells nothing of any of them. */
const commonLeftOut = 0.5;

/** One table per model: switching models fills another one while the old one is still there. */
export function createVectorTables(parts: Parts): (fingerprint: string) => VectorTable {
  const tables = new Map<string, VectorTable>();
  const isThere = parts.database.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`);
  return (fingerprint) => {
    const hash = createHash('sha256').update(`${layout} ${fingerprint}`).digest('hex').slice(0, 12);
    const name = `keepsake_vectors_${hash}`;
    const known = tables.get(name);
    // Another process may have chosen another model meanwhile, and dropped it.
    if (known !== undefined && isThere.get(name) !== undefined) return known;
    const table = createVectorTable(parts, name);
    tables.set(name, table);
    return table;
  };
}

/**
 * A row for each content: its codes, one bit for each number of a vector, and in a table of their own, because only few
 * are ever read, the vectors themselves.
 */
function createVectorTable({ database, known, readSections }: Parts, table: string): VectorTable {
  database.exec(`
    create table if not exists ${table} (
      id integer primary key autoincrement, hash text not null unique, windows integer not null, codes blob not null
    );
    create table if not exists ${table}_whole (id integer primary key, vectors blob not null);
    create table if not exists ${table}_about (name text primary key, value) without rowid;
  `);
  const { newestRow, seenCount, wanting, exact, insert, gone, others, about } = prepare(database, table);
  const matrix = createCodeMatrix({ database, table, known });
  /** Every section up to this one has its vectors; new ones have higher ids. */
  let complete: { isExcluded: Exclusion | null; through: number } = { isExcluded: null, through: 0 };

  /** The sum of all vectors there ever were, and how many. */
  const common = (dimensions: number): [sum: Float64Array, count: number] => {
    const stored = about.get.get('sum');
    const sum = stored === undefined ? new Float64Array(dimensions) : new Float64Array(bufferOf(stored));
    if (sum.length !== dimensions)
      throw new Error(
        'the model gives vectors of another length than before: make them anew with keepsake index --rebuild',
      );
    return [sum, Number(about.get.get('count') ?? 0)];
  };
  const excludedFiles = (isExcluded: Exclusion | null): string => {
    if (isExcluded === null) return '[]';
    return JSON.stringify([...known.all()].flatMap(([path, { id }]) => (isExcluded(path) ? [id] : [])));
  };
  const filterOf = (isExcluded: Exclusion | null) => {
    if (complete.isExcluded !== isExcluded) complete = { isExcluded, through: 0 };
    return { after: complete.through, excluded: excludedFiles(isExcluded) };
  };
  return {
    missing(limit, isExcluded = null) {
      const filter = filterOf(isExcluded);
      const newest = Number(wanting.newest.get());
      const rows = wanting.some.all({ limit, ...filter }) as { id: number; hash: string; text: string }[];
      complete.through = rows[0] === undefined ? newest : rows[0].id - 1;
      // A damaged page may be read without an error.
      if (rows.some(({ text }) => typeof text !== 'string')) throw new UnusableIndex('no text');
      return [...new Map(rows.map(({ hash, text }) => [hash, { hash, text }])).values()];
    },
    missingCount(isExcluded = null) {
      const filter = filterOf(isExcluded);
      const newest = Number(wanting.newest.get());
      const count = Number(wanting.count.get(filter));
      if (count === 0) complete.through = newest;
      return count;
    },
    seenCount: (isExcluded = null) => Number(seenCount.get({ excluded: excludedFiles(isExcluded) })),
    put: (hash, vectors) =>
      database
        .transaction(() => {
          const codes = Buffer.concat(vectors.map(codeOf));
          const { lastInsertRowid, changes } = insert.codes.run(hash, vectors.length, codes);
          if (changes === 0) return;
          insert.vectors.run(lastInsertRowid, Buffer.concat(vectors.map(bytesOf)));
          const [sum, count] = common(vectors[0]?.length ?? 0);
          for (const vector of vectors) for (const [place, number] of vector.entries()) sum[place]! += number;
          about.set.run('sum', Buffer.from(sum.buffer));
          about.set.run('count', count + vectors.length);
        })
        .immediate(),
    async nearest(asked, filter, limit) {
      const [sum, count] = common(asked.length);
      const vector = asked.map(
        (number, place) => number - (commonLeftOut * sum[place]!) / Math.max(count, 1),
      );
      const ids = await matrix.nearest(vector, filter, Math.max(compared, limit));
      const rows = exact.all(JSON.stringify(ids)) as { id: number; vectors: Buffer }[];
      const best = nearestOf(rows, vector, limit);
      const near = readSections([...best.keys()]).flatMap((section): NearSection[] => {
        const found = best.get(Number(section.id));
        return found === undefined ? [] : [{ section, ...found }];
      });
      return near.toSorted((a, b) => b.similarity - a.similarity);
    },
    async dropGone() {
      let dropped = 0;
      const newest = Number(newestRow.get());
      for (let after = 0; after < newest; after += page) {
        dropped += database.transaction(() => {
          gone.removeVectors.run({ after, to: after + page });
          return gone.removeCodes.run({ after, to: after + page }).changes;
        })();
        await setImmediate();
      }
      return dropped;
    },
    dropOthers() {
      for (const name of others.all({ table })) database.exec(`drop table ${String(name)}`);
    },
    problem: () => (about.get.get('problem') ?? null) as string | null,
    setProblem: (text) => void (text === null ? about.remove.run('problem') : about.set.run('problem', text)),
  };
}

/** Half as long as they come, which changes no similarity that anybody would notice. */
function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(new Float16Array(vector).buffer);
}

/** A copy, because numbers must lie where the machine can read them. */
function bufferOf(value: unknown): ArrayBuffer {
  // A damaged page may be read without an error.
  if (!(value instanceof Uint8Array)) throw new UnusableIndex('no vectors');
  return new Uint8Array(value).buffer;
}

/** By all of their numbers, where codes only tell which ones are worth a look. */
function nearestOf(
  rows: readonly { id: number; vectors: Uint8Array }[],
  vector: Float32Array,
  limit: number,
): Map<number, { similarity: number; window: number }> {
  const nearest = rows
    .map(({ id, vectors }) => ({ id, ...mostSimilar(vector, vectors) }))
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, limit);
  return new Map(nearest.map(({ id, ...near }) => [id, near]));
}

/** Which window of a section is nearest, and how near. */
function mostSimilar(vector: Float32Array, bytes: Uint8Array): { similarity: number; window: number } {
  const numbers = new Float16Array(bufferOf(bytes));
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
