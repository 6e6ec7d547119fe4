import type { Database } from 'better-sqlite3';
import { inTurn } from '../../../vault/src/contract/index.ts';
import { writeUnsynced } from '../../../vault/src/queue/index.ts';
import type { CommitLog } from './commit-log.ts';
import type { Noted } from './noted.ts';
import { loggedTables } from './records.ts';
import type { LoggedRow } from './records.ts';

export type LoggedRows = {
  /** Returns once everything that is in these tables by now would survive the loss of this node. */
  settle: () => Promise<void>;
};

/**
 * What is written into these tables is written here first. Triggers of this connection note which rows; whoever is to be told of it
 * waits until they are in the log. The notes lie in the same database, so a crash in between loses none.
 */
export function createLoggedRows(durable: Database, log: CommitLog, noted: Noted): LoggedRows {
  durable.exec('create table if not exists touched (name text not null, key text not null)');
  for (const table of loggedTables) durable.exec(triggersOn(durable, table));
  const isTouched = durable.prepare('select 1 from touched limit 1');
  const last = durable.prepare('select max(rowid) from touched').pluck();
  const touched = durable.prepare('select distinct name, key from touched where rowid <= ?');
  const forget = durable.prepare('delete from touched where rowid <= ?');
  const rowOf = ({ name, key: text }: Touched): LoggedRow => {
    const key = JSON.parse(text) as string[];
    const row = durable.prepare(`select * from ${name} where ${whereKey(durable, name)}`).get(...key);
    return { table: name, key, row: (row as LoggedRow['row'] | undefined) ?? null };
  };
  const takeTurn = inTurn();
  return {
    async settle() {
      if (isTouched.get() === undefined) return;
      await takeTurn(async () => {
        const upTo = last.get();
        const rows = (touched.all(upTo) as Touched[]).map(rowOf);
        if (rows.length === 0) return;
        const seq = await log.append([{ kind: 'rows', rows }]);
        await noted.after(seq, async () => void writeUnsynced(durable, () => forget.run(upTo)));
      });
    },
  };
}

type Touched = { name: LoggedRow['table']; key: string };

/** As they were then. */
export function layDownRows(durable: Database, rows: readonly LoggedRow[]): void {
  durable.transaction(() => {
    for (const { table, key, row } of rows) {
      if (row === null) {
        durable.prepare(`delete from ${table} where ${whereKey(durable, table)}`).run(...key);
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

function triggersOn(durable: Database, table: string): string {
  const keyOf = (row: 'old' | 'new'): string =>
    `select '${table}', json_array(${keysOf(durable, table)
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

function whereKey(durable: Database, table: string): string {
  return keysOf(durable, table)
    .map((column) => `${column} = ?`)
    .join(' and ');
}

function keysOf(durable: Database, table: string): string[] {
  return durable
    .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
    .pluck()
    .all(table) as string[];
}
