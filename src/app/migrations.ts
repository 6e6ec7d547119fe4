import {
  journalMigrations,
  laterJournalMigrations,
  latestChangesMigrations,
  tellingMigrations,
  holdingMigrations,
  lookupMigrations,
} from '../changes/index.ts';
import { laterLedgerMigrations, ledgerMigrations } from '../models/index.ts';
import { fileMigrations, laterQueueMigrations, queueMigrations } from '../queue/index.ts';
import type { Migration } from '../queue/index.ts';

/**
 * The tables of the durable database, in the order in which they came to be, whoever they belong to: what is in use is
 * never renumbered. Rooms above this one have theirs written out here.
 */
export const durableMigrations: readonly Migration[] = [
  ...journalMigrations,
  ...queueMigrations,
  ...ledgerMigrations,
  // server/auth/tokens.ts
  `create table tokens (
     id text primary key,
     name text not null,
     hash blob not null unique,
     scope text not null check (scope in ('read', 'write')),
     created_at integer not null
   ) without rowid;`,
  ...laterJournalMigrations,
  // import/records.ts
  `create table imported (
     change text not null,
     target text not null,
     source text not null,
     item text not null,
     digest text not null,
     path text not null,
     revision text not null,
     primary key (change, path)
   ) without rowid;
   create index imported_into on imported (target);`,
  ...laterLedgerMigrations,
  ...laterQueueMigrations,
  ...latestChangesMigrations,
  // server/auth/kept-sessions.ts
  `create table sessions (
     id text primary key,
     token text,
     hash blob not null unique,
     until integer not null
   ) without rowid;`,
  ...tellingMigrations,
  // server/answers/kept-answers.ts
  `create table answers (
     id text primary key,
     asker text not null,
     thread text not null,
     follows text,
     question text not null,
     asked_at integer not null,
     sight text not null,
     state text,
     answered_by text,
     sources integer not null,
     outcome text,
     bytes integer not null
   );
   create index answers_of on answers (asker, asked_at);
   create index answers_in on answers (thread);`,
  ...holdingMigrations,
  // server/oauth/records.ts
  `create table oauth (
     model text not null,
     id text not null,
     grant_id text,
     uid text,
     payload text not null,
     made_at integer not null,
     until integer,
     consumed_at integer,
     primary key (model, id)
   ) without rowid;
   create index oauth_of_grant on oauth (grant_id);`,
  // server/auth/people.ts
  `create table people (
     id text primary key,
     name text not null,
     role text not null check (role in ('owner', 'writer', 'reader')),
     created_at integer not null,
     invitation blob unique,
     until integer
   );`,
  ...lookupMigrations,
  ...fileMigrations,
];
