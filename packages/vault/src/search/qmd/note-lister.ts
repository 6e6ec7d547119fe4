import type { Database } from 'better-sqlite3';
import type { ChunkIndex } from '../chunk-index.ts';
import { dateRange, dateRangeSql } from '../date-filter.ts';
import type { ReadChunks } from './chunk-reader.ts';
import type { FileTable } from './file-table.ts';

type NoteListerDependencies = {
  database: Database;
  known: Pick<FileTable, 'all'>;
  readChunks: ReadChunks;
};

export function createNoteLister({
  database,
  known,
  readChunks,
}: NoteListerDependencies): ChunkIndex['newestNotes'] {
  // An image has a chunk that is no text.
  const firstChunk = database
    .prepare(
      `select s.id from keepsake_sections s join keepsake_files f on f.id = s.file
       where f.id = @file and ${dateRangeSql} order by s.kind <> '"text"', s.first_line limit 1`,
    )
    .pluck();
  return (filter, limit) => {
    const files = [...known.all()]
      .filter(([path]) => filter.isInScope?.(path) !== false)
      .toSorted(([, a], [, b]) => (a.updated < b.updated ? 1 : -1));
    const ids: number[] = [];
    for (const [, { id }] of files) {
      if (ids.length === limit) break;
      const chunk = firstChunk.get({ file: id, ...dateRange(filter) }) as number | undefined;
      if (chunk !== undefined) ids.push(chunk);
    }
    return readChunks(ids);
  };
}
