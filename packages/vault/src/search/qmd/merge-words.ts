import type { Database } from 'better-sqlite3';
import type { ChunkIndex } from '../chunk-index.ts';

/** Pages written by one step of a merge. */
const pagesPerStep = 64;

/** `runInTransaction` is that of the index. */
export function createWordMerger(
  database: Database,
  runInTransaction: ChunkIndex['transaction'],
): ChunkIndex['mergeWords'] {
  const merge = database.prepare("insert into documents_fts (documents_fts, rank) values ('merge', ?)");
  const totalChanges = database.prepare('select total_changes()').pluck();
  return (step) => {
    const before = totalChanges.get() as number;
    runInTransaction(() => merge.run(step === 'start' ? -pagesPerStep : pagesPerStep));
    // According to SQLite, a step with fewer changes had nothing to do.
    return (totalChanges.get() as number) - before >= 2;
  };
}
