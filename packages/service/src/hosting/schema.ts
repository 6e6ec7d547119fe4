/**
 * The tables of the service in PostgreSQL, numbered, each run once. Times are those of the database: no decision rests on the
 * clock of a node.
 */
export const schema: readonly string[] = [
  `create table nodes (
     id text primary key,
     address text not null,
     seen_at timestamptz not null default clock_timestamp(),
     is_draining boolean not null default false
   );
   create table vaults (
     id text primary key,
     -- The key of everything that is sealed, itself sealed by the root key. Without it the vault is deleted.
     data_key bytea not null,
     -- Grows with every claim: what an earlier owner still wants to write is refused.
     epoch bigint not null default 0,
     owner text references nodes (id),
     snapshot_seq bigint not null default 0,
     snapshot text
   );
   create index owned on vaults (owner) where owner is not null;
   create table log (
     vault text not null references vaults (id) on delete cascade,
     seq bigint not null,
     epoch bigint not null,
     sealed bytea not null,
     primary key (vault, seq)
   );
   create table tokens (
     id text primary key,
     vault text not null references vaults (id) on delete cascade,
     name text not null,
     hash bytea not null unique,
     scope text not null check (scope in ('read', 'write')),
     created_at timestamptz not null default clock_timestamp()
   );
   create index tokens_of on tokens (vault);`,
  // How many vaults a node serves, as of its last sign of life.
  'alter table nodes add column awake int not null default 0',
  // Which node is to have a vault: whoever has it gives it up.
  'alter table vaults add column wanted text',
  // What a vault may use, where that is not the usual.
  `alter table vaults add column limits jsonb not null default '{}'`,
  // When a record was written, and snapshots before that of the vault: from one of them and the records after it the vault can be had
  // as it was. `until` is when the next one that is kept, or that of the vault, was made.
  `alter table log add column at timestamptz not null default now();
   alter table log alter column at set default clock_timestamp();
   alter table vaults add column snapshot_at timestamptz not null default now();
   alter table vaults alter column snapshot_at set default clock_timestamp();
   -- Whether its snapshot was made by restoring it: what came then cannot be had from an earlier one.
   alter table vaults add column is_restored boolean not null default false;
   create table earlier_snapshots (
     vault text not null references vaults (id) on delete cascade,
     seq bigint not null,
     name text not null,
     made_at timestamptz not null,
     until timestamptz not null,
     primary key (vault, seq)
   );
   create index expiring on earlier_snapshots (until);`,
  // By which claim its owner has it: a copy on a disk is of one claim, also where the database was put back to an earlier time.
  'alter table vaults add column claimed_as text',
  // Under which address people reach the service, and whom vaults are to let in that a command has invited.
  `alter table nodes add column public_url text;
   create table invitations (
     id text primary key,
     vault text not null references vaults (id) on delete cascade,
     sealed bytea not null
   );
   create index invitations_of on invitations (vault);`,
  // Which nodes may have a vault: those of its group.
  `alter table nodes add column tenant_group text not null default '';
   alter table vaults add column tenant_group text not null default '';`,
  // How many vaults a node has still to open.
  'alter table nodes add column opening integer not null default 0',
];
