import type { Database } from 'better-sqlite3';
import type { QueuedUpdate, UpdateQueue, UpdateState } from './update-queue.ts';
import type { UpdateRow } from './update-row.ts';

export function createFinder(
  database: Database,
  toQueuedUpdate: (row: UpdateRow) => QueuedUpdate,
): Pick<UpdateQueue, 'find' | 'findByKey' | 'findRepeated' | 'getState' | 'countByState' | 'list'> {
  const state = database.prepare('select state from updates where id = ?').pluck();
  const counts = database.prepare('select state, count(*) as count from updates group by state');
  // Ids are lower-case hexadecimal digits and dashes, all of which sort before g.
  const selectByIdPrefix = database.prepare(
    `select * from updates where id >= @id and id < @id || 'g' limit 2`,
  );
  const selectByKey = database.prepare('select * from updates where key = ?');
  const selectRepeated = database.prepare(
    `select earlier.* from updates join updates as earlier
       on earlier.content_hash = updates.content_hash and earlier.seq < updates.seq and earlier.state = 'done'
     where updates.id = ? order by earlier.seq desc`,
  );
  const newest = database.prepare('select * from updates order by seq desc limit @limit');
  const newestIn = database.prepare(
    'select * from updates where state = @state order by seq desc limit @limit',
  );
  return {
    find(id) {
      const isIdPrefix = /^[0-9a-f-]{4,36}$/i.test(id);
      const [row, other] = (isIdPrefix ? selectByIdPrefix.all({ id: id.toLowerCase() }) : []) as UpdateRow[];
      return row === undefined || other !== undefined ? undefined : toQueuedUpdate(row);
    },
    findByKey(key) {
      const row = selectByKey.get(key) as UpdateRow | undefined;
      return row && toQueuedUpdate(row);
    },
    findRepeated: (id) => (selectRepeated.all(id) as UpdateRow[]).map(toQueuedUpdate),
    getState: (id) => state.get(id) as UpdateState | undefined,
    countByState() {
      const counted = { waiting: 0, running: 0, done: 0, parked: 0, cancelled: 0 };
      for (const row of counts.all() as { state: UpdateState; count: number }[])
        counted[row.state] = row.count;
      return counted;
    },
    list: ({ state: inState, limit }) =>
      ((inState === undefined ? newest : newestIn).all({ state: inState, limit }) as UpdateRow[]).map(
        toQueuedUpdate,
      ),
  };
}
