import type { Database } from 'better-sqlite3';
import type { UpdateQueue } from './update-queue.ts';

type Row = { id: string; result: string | null };

const finished = `state in ('done', 'cancelled')`;

/** The part of the queue that deletes old updates. */
export function createExpiry(
  database: Database,
): Pick<UpdateQueue, 'unfinishedIds' | 'expire' | 'isExpired' | 'size'> {
  const selectUnfinished = database.prepare(`select id from updates where not ${finished}`).pluck();
  const selectOld = database.prepare(
    `select id, result from updates where ${finished} and accepted_at < ? order by seq`,
  );
  const deletions = [
    'insert or replace into expired_updates values (?)',
    'delete from update_progress where id = ?',
    'delete from update_parts where update_id = ?',
    'delete from updates where id = ?',
  ].map((sql) => database.prepare(sql));
  // Ids are lower-case hexadecimal digits and dashes, all of which sort before g.
  const selectExpired = database.prepare(
    `select id from expired_updates where id >= @id and id < @id || 'g' limit 2`,
  );
  const sizes = [
    'select sum(length(input) + length(files) + coalesce(length(result), 0)) from updates',
    'select sum(length(bytes)) from update_parts',
    'select sum(length(progress)) from update_progress',
  ].map((sql) => database.prepare(sql).pluck());
  const expire = database.transaction<UpdateQueue['expire']>((before, isKept) => {
    const old = (selectOld.all(before) as Row[]).filter(
      ({ id, result }) => !isKept({ id, result: result === null ? null : (JSON.parse(result) as unknown) }),
    );
    for (const { id } of old) for (const deletion of deletions) deletion.run(id);
    return old.length;
  });
  return {
    unfinishedIds: () => selectUnfinished.all() as string[],
    expire: (before, isKept) => expire.immediate(before, isKept),
    isExpired: (id) =>
      /^[0-9a-f-]{4,36}$/i.test(id) && selectExpired.all({ id: id.toLowerCase() }).length === 1,
    size: () => sizes.reduce((sum, size) => sum + Number(size.get() ?? 0), 0),
  };
}
