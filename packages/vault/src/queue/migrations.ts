import type { Database } from 'better-sqlite3';
import { readSentence } from '../contract/index.ts';
import type { UpdateFile } from '../contract/index.ts';
import { createFileStore, describeFiles, partsOf } from './file-store.ts';

/** SQL, or a function for changes that SQL cannot express. Each migration runs in its own transaction. */
export type Migration = string | ((database: Database) => void);

/** The queue's migrations of the durable database, keyed by the schema version that each one produces. */
export const queueMigrations: Readonly<Record<number, Migration>> = {
  3: `create table updates (
     seq integer primary key autoincrement,
     id text not null unique,
     key text unique,
     accepted_at integer not null,
     state text not null check (state in ('waiting', 'running', 'done', 'parked', 'cancelled')),
     attempts integer not null default 0,
     not_before integer not null default 0,
     input text not null,
     reason text,
     result text,
     fence integer not null default 0,
     leased_until integer not null default 0
   );
   create index open_updates on updates (seq) where state in ('waiting', 'running');`,

  9: `create table update_progress (id text primary key, progress blob not null);`,

  // Moves the files of updates from base64 strings in the JSON of `input` to a separate table.
  22: (database) => {
    database.exec(
      `alter table updates add column files text not null default '[]';
       create index updates_by_state on updates (state, seq);
       create table update_parts (
         seq integer primary key,
         update_id text not null,
         file integer not null,
         part integer not null,
         staged_at integer not null,
         bytes blob not null,
         unique (update_id, file, part)
       );`,
    );
    moveFiles(database);
  },

  // The reasons why updates failed or were held were stored as English sentences; this converts them to codes with
  // values.
  24: (database) => {
    const changeReason = database.prepare('update updates set reason = ? where seq = ?');
    const reasons = database.prepare('select seq, reason as sentence from updates where reason is not null');
    for (const { seq, sentence } of reasons.all() as { seq: number; sentence: string }[])
      changeReason.run(JSON.stringify(readSentence(sentence)), seq);
    const changeResult = database.prepare('update updates set result = ? where seq = ?');
    const held = database.prepare(`select seq, result from updates where result ->> '$.kind' = 'held'`);
    for (const { seq, result: text } of held.all() as { seq: number; result: string }[]) {
      const result = JSON.parse(text) as { reason: unknown };
      if (typeof result.reason === 'string')
        changeResult.run(JSON.stringify({ ...result, reason: readSentence(result.reason) }), seq);
    }
  },

  // The hash finds repeated inputs. Secrets are masked in the input and stored here until the user decides about them.
  30: `alter table updates add column content_hash text;
   create index updates_by_content on updates (content_hash) where content_hash is not null;
   create table update_secrets (
     update_id text primary key,
     label text not null,
     is_kept integer not null,
     secrets text not null
   ) without rowid;
   create index update_secrets_by_label on update_secrets (label);`,

  // Updates that retention deleted.
  33: 'create table expired_updates (id text primary key) without rowid',
};

/** Creates the tables of a queue that has its own database. */
export function createQueueTables(database: Database): void {
  for (const migration of Object.values(queueMigrations))
    if (typeof migration === 'string') database.exec(migration);
    else migration(database);
}

/** Separates the files from an input that an earlier version stored; null if the input contains no files in that form. */
export function splitInput(input: unknown): { input: unknown; files: UpdateFile[] } | null {
  if (typeof input !== 'object' || input === null || !('files' in input)) return null;
  const { files, ...rest } = input;
  if (!Array.isArray(files) || !files.every(isEncoded)) return null;
  return {
    input: rest,
    files: files.map(({ name, data }) => ({ name, bytes: Buffer.from(data, 'base64') })),
  };
}

function isEncoded(file: unknown): file is { name: string; data: string } {
  return (
    typeof file === 'object' &&
    file !== null &&
    'name' in file &&
    typeof file.name === 'string' &&
    'data' in file &&
    typeof file.data === 'string'
  );
}

/** Reads one row at a time, because the inputs of all rows together may not fit in memory. */
function moveFiles(database: Database): void {
  const select = database.prepare('select id, state, input from updates where seq = ?');
  const change = database.prepare('update updates set input = ?, files = ? where seq = ?');
  const store = createFileStore(database, Date.now);
  for (const seq of database.prepare('select seq from updates order by seq').pluck().all()) {
    const row = select.get(seq) as { id: string; state: string; input: string };
    const split = splitInput(JSON.parse(row.input));
    if (split === null) continue;
    // The files of a finished update are already in the vault.
    if (row.state !== 'done') for (const part of partsOf(split.files)) store.put(row.id, part);
    change.run(JSON.stringify(split.input), JSON.stringify(describeFiles(split.files)), seq);
  }
}
