import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';

/** Upkeep stamps a note after an external edit, in a transaction of its own. For the user both are one change. */
export type JoinedStamps = {
  /** The transaction that stamped this file directly after the external edit with this id; undefined if there is none. */
  stampedBy(id: string, path: VaultPath): string | undefined;
};

const order = (alias: string): string =>
  `(coalesce(${alias}.precedes, ${alias}.seq), ${alias}.precedes is null, ${alias}.seq)`;
const orderBy = (alias: string, direction: '' | 'desc'): string =>
  `order by coalesce(${alias}.precedes, ${alias}.seq) ${direction}, ${alias}.precedes is null ${direction}, ${alias}.seq ${direction}`;
/** A client chooses the origin of its calls itself. */
const isOurs = (alias: string): string => `${alias}.connection is null and ${alias}.call is null`;

/** Whether the transaction `made` only stamped files directly after external edits of them. */
export const isJoinedStamp = `made.origin = 'upkeep' and ${isOurs('made')} and not exists (
  select 1 from changes own where own.transaction_seq = made.seq and not coalesce((
    select edit.origin in ('outside', 'sync') and ${isOurs('edit')}
      from changes earlier join transactions edit on edit.seq = earlier.transaction_seq
      where earlier.path = own.path and edit.state = 'applied' and ${order('edit')} < ${order('made')}
      ${orderBy('edit', 'desc')} limit 1), 0))`;

export function createJoinedStamps(database: Database): JoinedStamps {
  const selectNext = database.prepare(
    `select next.id, next.origin = 'upkeep' and ${isOurs('next')} as isStamp
       from changes later join transactions next on next.seq = later.transaction_seq
       where later.path = @path and next.state = 'applied'
         and ${order('next')} > (select ${order('edit').slice(1, -1)} from transactions edit
           where edit.id = @id and edit.origin in ('outside', 'sync') and ${isOurs('edit')})
       ${orderBy('next', '')} limit 1`,
  );
  return {
    stampedBy(id, path) {
      const next = selectNext.get({ id, path }) as { id: string; isStamp: number } | undefined;
      return next?.isStamp === 1 ? next.id : undefined;
    },
  };
}
