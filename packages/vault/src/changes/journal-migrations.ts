import type { Database } from 'better-sqlite3';
import { readSentence } from '../contract/index.ts';

/**
 * The tables of this module in the durable database. Each key is the database version that the migration produces; the
 * numbers in between belong to other modules. `app/migrations.ts` puts all migrations in order. A database runs each
 * migration once, so a released number is never reused and its migration never changed.
 */
export const journalMigrations = {
  1: `create table transactions (
     seq integer primary key autoincrement,
     id text not null unique,
     at integer not null,
     origin text not null,
     summary text not null,
     state text not null check (state in ('applying', 'applied', 'reverted', 'held', 'approved', 'rejected')),
     recorded integer not null default 0
   );
   create index unfinished on transactions (seq) where state = 'applying';
   create index unrecorded on transactions (seq) where state = 'applied' and recorded = 0;
   create table changes (
     transaction_seq integer not null references transactions (seq),
     position integer not null,
     path text not null,
     before blob,
     after blob,
     primary key (transaction_seq, position)
   ) without rowid;
   create index changed_paths on changes (path);`,

  2: 'alter table changes add column mode integer',

  6: `alter table transactions add column undoes text;
   create index undoing on transactions (undoes) where undoes is not null;
   create table made_folders (
     transaction_seq integer not null references transactions (seq),
     path text not null,
     primary key (transaction_seq, path)
   ) without rowid;`,

  10: `create table replaced_files (
     temporary text primary key,
     path text not null,
     content blob not null
   ) without rowid;`,

  // Whether a change followed from the user's own words. The content of a file is no proof, because an agent may have
  // written the file.
  11: 'alter table transactions add column is_persons integer not null default 0',

  // The amount of text that connections remove is computed from these columns.
  12: `alter table transactions add column connection text;
   create index by_connection on transactions (connection, at) where connection is not null;
   alter table changes add column removed integer not null default 0;
   alter table changes add column lost integer not null default 0;
   alter table changes add column own text;`,

  // Approvals made before this version are matched to the changes they applied by their summaries, where the match is
  // unique.
  13: `alter table transactions add column approves text;
   alter table transactions add column call text;
   alter table transactions add column commit_hash text;
   create index approving on transactions (approves) where approves is not null;
   create index unlocated on transactions (seq) where recorded = 1 and commit_hash is null;
   create temporary table pairs as
     select held.id as held, made.seq as made from transactions held
     join transactions made on made.origin = held.origin and made.summary = held.summary || ' (approved)' and made.seq > held.seq
     where held.state = 'approved' and made.state = 'applied';
   update transactions set approves = (select held from pairs where made = seq)
     where seq in (select made from pairs where held in (select held from pairs group by held having count(*) = 1)
       and made in (select made from pairs group by made having count(*) = 1));
   drop table pairs;`,

  // External edits. They may be detected only when a later transaction is committed to history: `precedes` is the number of
  // that transaction. The previous content is in history already, so `found_before` is its blob id, empty for a new file.
  14: `alter table transactions add column precedes integer;
   alter table transactions add column lost_files integer;
   alter table changes add column found_before text;
   create index in_order on transactions (coalesce(precedes, seq), precedes is null, seq);
   create index losses on transactions (at) where lost_files is not null;`,

  // A summary of each file change; not computed for changes that are already in history.
  16: `alter table changes add column kind text;
   alter table changes add column moved_from text;
   alter table changes add column lines_added integer;
   alter table changes add column lines_removed integer;
   update changes set kind = case
       when coalesce(nullif(found_before, ''), before) is null then 'created'
       when after is null then 'deleted' else 'edited' end
     where (before is not null or after is not null or found_before is not null)
       and transaction_seq in (select seq from transactions where recorded = 0);
   create index by_time on transactions (at);`,

  // Why a change is held.
  18: 'alter table transactions add column held_because text',

  // The text that a connection removed is looked up on every change, so this index avoids reading the contents of all
  // changed files.
  21: `create index taken on changes (transaction_seq, path, removed, lost) where removed > 0 or lost > 0;
   create index own_files on changes (path, own, transaction_seq) where own is not null;`,

  // The hold reason was an English sentence; now it is a code with values.
  23: (database: Database): void => {
    const select = database.prepare(
      'select seq, held_because as sentence from transactions where held_because is not null',
    );
    const change = database.prepare('update transactions set held_because = ? where seq = ?');
    for (const { seq, sentence } of select.all() as { seq: number; sentence: string }[])
      change.run(JSON.stringify(readSentence(sentence)), seq);
  },

  25: `alter table transactions rename column is_persons to is_user_authored;
   alter table transactions rename column held_because to hold_reason;
   alter table transactions rename column lost_files to mass_deleted_files;
   alter table changes rename column found_before to previous_blob_id;
   alter table made_folders rename to created_folders;`,

  // Moves of a file are followed for every listed change.
  29: 'create index moves on changes (moved_from, transaction_seq, path) where moved_from is not null',

  // Whether words of the change were forgotten.
  31: 'alter table transactions add column forgotten integer not null default 0',

  // Changes that retention deleted: nothing but the id, so that a request for one can be answered, and the final state.
  32: `create table expired_changes (
     id text primary key,
     at integer not null,
     state text not null
   ) without rowid;`,
} as const;
