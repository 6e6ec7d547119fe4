import { journalMigrations } from '../changes/index.ts';
import { ledgerMigrations } from '../models/index.ts';
import { queueMigrations } from '../queue/index.ts';
import type { Migration } from '../queue/index.ts';

/** Migrations by the database version that each one produces. */
type NumberedMigrations = Readonly<Record<number, Migration>>;

/** Tables of modules that this one must not import. */
const otherMigrations: NumberedMigrations = {
  // server/auth/tokens.ts
  5: `create table tokens (
     id text primary key,
     name text not null,
     hash blob not null unique,
     scope text not null check (scope in ('read', 'write')),
     created_at integer not null
   ) without rowid;`,

  // import/records.ts
  7: `create table imported (
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

  // server/auth/session-store.ts
  15: `create table sessions (
     id text primary key,
     token text,
     hash blob not null unique,
     until integer not null
   ) without rowid;`,

  // server/answers/answer-store.ts
  17: `create table answers (
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

  // server/oauth/oauth-store.ts
  19: `create table oauth (
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

  // server/auth/members.ts
  20: `create table people (
     id text primary key,
     name text not null,
     role text not null check (role in ('owner', 'writer', 'reader')),
     created_at integer not null,
     invitation blob unique,
     until integer
   );`,

  // server/auth/tokens.ts: the member who created the token; null for the owner of the machine and the service.
  26: 'alter table tokens add column maker text',

  // server/oauth/oauth-store.ts: each new record deletes the expired ones and counts its model.
  27: `create index oauth_by_age on oauth (model, made_at);
   create index oauth_by_expiry on oauth (until) where until is not null;`,

  // server/auth/members.ts: the member who created the open invitation; null for the owner of the machine and the service.
  28: 'alter table people add column inviter text',

  // app/proposal-store.ts
  34: `create table proposals (
     item text not null,
     number integer not null,
     key text not null,
     proposal text not null,
     answer text,
     primary key (item, number)
   ) without rowid;
   create table declined_proposals (key text primary key) without rowid;`,

  // server/auth/tokens.ts: SQLite cannot change a constraint, so the table is copied.
  35: `create table new_tokens (
     id text primary key,
     name text not null,
     hash blob not null unique,
     scope text not null check (scope in ('read', 'write', 'calendar')),
     created_at integer not null,
     maker text
   ) without rowid;
   insert into new_tokens select id, name, hash, scope, created_at, maker from tokens;
   drop table tokens;
   alter table new_tokens rename to tokens;`,

  // sessions/session-records.ts
  36: `create table session_records (
     client text not null,
     session text not null,
     change text not null,
     last_turn text not null,
     at integer not null,
     became text not null check (became in ('note', 'update')),
     target text not null,
     primary key (client, session, change)
   ) without rowid;
   create index session_records_of on session_records (change);`,

  // Links to notes, which no longer exist.
  37: `create table share_links (
     id text primary key,
     hash blob not null unique,
     path text not null,
     created_at integer not null,
     until integer not null,
     maker text
   ) without rowid;`,
  38: 'drop table share_links',
};

/** Every migration of the durable database, in order: the first creates version 1. A released version number never changes. */
export const durableMigrations: readonly Migration[] = orderMigrations([
  journalMigrations,
  queueMigrations,
  ledgerMigrations,
  otherMigrations,
]);

/** Throws unless the versions are consecutive from 1 and unique. */
export function orderMigrations(ofModules: readonly NumberedMigrations[]): Migration[] {
  const all = ofModules.flatMap((each) => Object.entries(each)).toSorted(([a], [b]) => Number(a) - Number(b));
  const versions = all.map(([version]) => Number(version));
  if (versions.some((version, index) => version !== index + 1))
    throw new Error(`migration versions must be consecutive from 1 and unique, got ${versions.join(', ')}`);
  return all.map(([, migration]) => migration);
}
