import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';
import { syncOrigin } from './journal-entry.ts';
import type { Move } from './journal-queries.ts';

/** The files that a transaction moved, and the paths at which it created and removed files, those of moved files included. */
type Relocations = { moves: Move[]; created: VaultPath[]; removed: VaultPath[] };

export type RelocationQueries = {
  /** The id of the newest transaction; null if there is none. */
  position(): string | null;
  /**
   * The relocations of each applied transaction after this position, in order, without moves that a sync made; null if the
   * journal does not have the position.
   */
  relocationsSince(position: string | null): Relocations[] | null;
};

type RelocationRow = { id: string; path: VaultPath; kind: string; from: VaultPath | null };

/** `flush` writes pending states to the database. */
export function createRelocationQueries(database: Database, flush: () => void): RelocationQueries {
  const selectNewest = database.prepare('select id from transactions order by seq desc limit 1').pluck();
  const selectSequence = database.prepare('select seq from transactions where id = ?').pluck();
  const selectRelocations = database.prepare(
    `select id, path, kind, iif(origin = '${syncOrigin}', null, moved_from) as "from"
     from changes join transactions on transaction_seq = seq
     where seq > ? and kind in ('created', 'deleted') and state = 'applied'
     order by coalesce(precedes, seq), precedes is null, seq, position`,
  );
  return {
    position() {
      flush();
      return (selectNewest.get() as string | undefined) ?? null;
    },
    relocationsSince(position) {
      flush();
      const sequence = position === null ? 0 : selectSequence.get(position);
      if (sequence === undefined) return null;
      const rows = selectRelocations.all(sequence) as RelocationRow[];
      return [...Map.groupBy(rows, ({ id }) => id).values()].map((changes) => {
        const pathsOf = (wanted: string): VaultPath[] =>
          changes.flatMap(({ kind, path }) => (kind === wanted ? [path] : []));
        const moves = changes.flatMap(({ from, path: to }) => (from === null ? [] : [{ from, to }]));
        return { moves, created: pathsOf('created'), removed: pathsOf('deleted') };
      });
    },
  };
}
