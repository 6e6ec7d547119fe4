import type { Database } from 'better-sqlite3';
import { createLimiter } from '../../../vault/src/contract/index.ts';
import { writeUnsynced } from '../../../vault/src/queue/index.ts';
import type { CommitLog } from './commit-log.ts';
import type { AppliedPosition } from './applied-position.ts';
import { loggedTables } from './records.ts';
import type { LoggedRow } from './records.ts';

export type LoggedRows = {
  /** Resolves once everything written to these tables so far would survive the loss of this node. */
  flush: () => Promise<void>;
};

/**
 * Logs rows after they are written locally. Triggers of this connection record which rows have changed; a response waits until those
 * rows are in the log. The list of changed rows is in the same database, so a crash in between loses none.
 */
export function createLoggedRows(durable: Database, log: CommitLog, noted: AppliedPosition): LoggedRows {
  durable.exec('create table if not exists touched (name text not null, key text not null)');
  // Of tables that are no longer logged, and that may no longer exist.
  durable
    .prepare('delete from touched where name not in (select value from json_each(?))')
    .run(JSON.stringify(loggedTables));
  for (const table of loggedTables) durable.exec(changeTriggersSql(durable, table));
  const isTouched = durable.prepare('select 1 from touched limit 1');
  const last = durable.prepare('select max(rowid) from touched').pluck();
  const touched = durable.prepare('select distinct name, key from touched where rowid <= ?');
  const forget = durable.prepare('delete from touched where rowid <= ?');
  const rowOf = ({ name, key: text }: Touched): LoggedRow => {
    const key = JSON.parse(text) as string[];
    const row = durable
      .prepare(`select * from ${name} where ${primaryKeyWhereSql(durable, name)}`)
      .get(...key);
    return { table: name, key, row: (row as LoggedRow['row'] | undefined) ?? null };
  };
  const runExclusive = createLimiter();
  return {
    async flush() {
      if (isTouched.get() === undefined) return;
      await runExclusive(async () => {
        const upTo = last.get();
        const rows = (touched.all(upTo) as Touched[]).map(rowOf);
        if (rows.length === 0) return;
        const seq = await log.append([{ kind: 'rows', rows }]);
        await noted.apply(seq, async () => void writeUnsynced(durable, () => forget.run(upTo)));
      });
    },
  };
}

type Touched = { name: LoggedRow['table']; key: string };

/** Writes rows as they were when they were logged, except for those of tables that an earlier version had. */
export function applyRows(durable: Database, rows: readonly LoggedRow[]): void {
  durable.transaction(() => {
    for (const { table, key, row } of rows) {
      if (!loggedTables.includes(table)) continue;
      if (row === null) {
        durable.prepare(`delete from ${table} where ${primaryKeyWhereSql(durable, table)}`).run(...key);
        continue;
      }
      const columns = Object.keys(row);
      const values = columns.map(() => '?').join(', ');
      durable
        .prepare(`insert or replace into ${table} (${columns.join(', ')}) values (${values})`)
        .run(...Object.values(row));
    }
  })();
}

function changeTriggersSql(durable: Database, table: string): string {
  const keyOf = (row: 'old' | 'new'): string =>
    `select '${table}', json_array(${primaryKeyColumns(durable, table)
      .map((column) => `${row}.${column}`)
      .join(', ')})`;
  const note = {
    insert: keyOf('new'),
    delete: keyOf('old'),
    update: `${keyOf('old')} union ${keyOf('new')}`,
  };
  return Object.entries(note)
    .map(
      ([event, keys]) =>
        `create temp trigger if not exists ${table}_${event} after ${event} on ${table} begin insert into touched ${keys}; end;`,
    )
    .join('\n');
}

function primaryKeyWhereSql(durable: Database, table: string): string {
  return primaryKeyColumns(durable, table)
    .map((column) => `${column} = ?`)
    .join(' and ');
}

function primaryKeyColumns(durable: Database, table: string): string[] {
  return durable
    .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
    .pluck()
    .all(table) as string[];
}
