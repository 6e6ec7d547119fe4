import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { inTimeSql, timeOf } from '../in-time.ts';
import type { Exclusion, Filter, VectorTable } from '../section-index.ts';
import type { KnownFiles } from './known-files.ts';
import type { ReadSections } from './section-reader.ts';

type Near = { id: number; similarity: number };

type Parts = {
  database: Database;
  fingerprint: string;
  known: Pick<KnownFiles, 'all'>;
  readSections: ReadSections;
};

/** One table per model: switching models fills another one while the old one still serves. */
export function createVectorTable({ database, fingerprint, known, readSections }: Parts): VectorTable {
  const table = `keepsake_vectors_${createHash('sha256').update(fingerprint).digest('hex').slice(0, 12)}`;
  // Plain rows and an exact scan: QMD's vector table is keyed by hash alone, cannot be joined and finds at most 4,096.
  database.exec(
    `create table if not exists ${table} (hash text not null, seq integer not null, vector blob not null, primary key (hash, seq)) without rowid`,
  );
  const wanting = `from documents d join content c on c.hash = d.hash join keepsake_sections s on s.id = d.id
    where not exists (select 1 from ${table} v where v.hash = d.hash)
      and (@files is null or s.file in (select value from json_each(@files)))`;
  const idsOf = (isInScope: Filter['isInScope']): string | null =>
    isInScope && JSON.stringify([...known.all()].flatMap(([path, { id }]) => (isInScope(path) ? [id] : [])));
  const seen = (isExcluded: Exclusion | null | undefined): { files: string | null } => ({
    files: idsOf(isExcluded == null ? null : (path) => !isExcluded(path)),
  });
  const select = {
    missing: database.prepare(
      `select d.hash, d.title || char(10) || c.doc as text ${wanting} group by d.hash limit @limit`,
    ),
    missingCount: database.prepare(`select count(distinct d.hash) ${wanting}`).pluck(),
    nearest: database.prepare(
      `select s.id, 1 - min(vec_distance_cosine(v.vector, @vector)) as similarity
       from ${table} v join documents d on d.hash = v.hash join keepsake_sections s on s.id = d.id
         join keepsake_files f on f.id = s.file
       where (@files is null or s.file in (select value from json_each(@files))) and ${inTimeSql}
       group by s.id order by similarity desc limit @limit`,
    ),
    others: database
      .prepare(
        `select name from sqlite_master where type = 'table' and name glob 'keepsake_vectors_*' and name <> ?`,
      )
      .pluck(),
  };
  const insert = database.prepare(`insert or replace into ${table} values (?, ?, ?)`);
  return {
    missing: (limit, isExcluded) =>
      select.missing.all({ limit, ...seen(isExcluded) }) as { hash: string; text: string }[],
    missingCount: (isExcluded) => Number(select.missingCount.get(seen(isExcluded))),
    put: (hash, vectors) =>
      database.transaction(() => {
        for (const [seq, { buffer, byteOffset, byteLength }] of vectors.entries())
          insert.run(hash, seq, Buffer.from(buffer, byteOffset, byteLength));
      })(),
    nearest(vector, filter, limit) {
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      const scope = { files: idsOf(filter.isInScope), ...timeOf(filter) };
      const rows = select.nearest.all({ vector: bytes, limit, ...scope }) as Near[];
      const similarities = new Map(rows.map(({ id, similarity }) => [id, similarity]));
      const near = readSections([...similarities.keys()]).map((section) => ({
        section,
        similarity: similarities.get(Number(section.id)) ?? 0,
      }));
      return near.toSorted((a, b) => b.similarity - a.similarity);
    },
    dropOthers() {
      database.exec(`delete from ${table} where hash not in (select hash from documents)`);
      for (const name of select.others.all(table)) database.exec(`drop table ${String(name)}`);
    },
  };
}
