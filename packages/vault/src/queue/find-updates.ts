import type { Database } from 'better-sqlite3';
import type { QueuedUpdate, UpdateQueue, UpdateState } from './port.ts';
import type { UpdateRow } from './update-row.ts';

/** `show` makes an update of a row. */
export function createFinder(
  database: Database,
  show: (row: UpdateRow) => QueuedUpdate,
): Pick<UpdateQueue, 'find' | 'stateOf' | 'counts' | 'list'> {
  const state = database.prepare('select state from updates where id = ?').pluck();
  const counts = database.prepare('select state, count(*) as count from updates group by state');
  // Ids are lower-case hexadecimal digits and dashes, all of which sort before g.
  const beginning = database.prepare(`select * from updates where id >= @id and id < @id || 'g' limit 2`);
  const newest = database.prepare('select * from updates order by seq desc limit @limit');
  const newestIn = database.prepare(
    'select * from updates where state = @state order by seq desc limit @limit',
  );
  return {
    find(id) {
      const isBeginning = /^[0-9a-f-]{4,36}$/i.test(id);
      const [row, other] = (isBeginning ? beginning.all({ id: id.toLowerCase() }) : []) as UpdateRow[];
      return row === undefined || other !== undefined ? undefined : show(row);
    },
    stateOf: (id) => state.get(id) as UpdateState | undefined,
    counts() {
      const counted = { waiting: 0, running: 0, done: 0, parked: 0, cancelled: 0 };
      for (const row of counts.all() as { state: UpdateState; count: number }[])
        counted[row.state] = row.count;
      return counted;
    },
    list: ({ state: wanted, limit }) =>
      ((wanted === undefined ? newest : newestIn).all({ state: wanted, limit }) as UpdateRow[]).map(show),
  };
}
