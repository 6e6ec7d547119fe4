/**
 * The PostgreSQL migrations of the service; each runs once, in order. All times come from the database clock: no
 * decision depends on the clock of a node.
 */
export const migrations: readonly string[] = [
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
  // How many vaults a node serves, as of its last heartbeat.
  'alter table nodes add column awake int not null default 0',
  // The node that a vault should move to; the current owner releases it.
  'alter table vaults add column wanted text',
  // Limits of a vault that differ from the defaults.
  `alter table vaults add column limits jsonb not null default '{}'`,
  // The time of each record, and archived snapshots: an earlier state is rebuilt from an archived snapshot and the
  // records after it. `until` is when the next archived snapshot, or the current one, was made.
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
  // The id of the owner's claim. A local copy belongs to one claim, even after the database was restored to an earlier
  // time.
  'alter table vaults add column claimed_as text',
  // The public URL of the service, and invitations created on the command line that their vaults have not imported yet.
  `alter table nodes add column public_url text;
   create table invitations (
     id text primary key,
     vault text not null references vaults (id) on delete cascade,
     sealed bytea not null
   );
   create index invitations_of on invitations (vault);`,
  // A vault is served only by nodes of its own group.
  `alter table nodes add column tenant_group text not null default '';
   alter table vaults add column tenant_group text not null default '';`,
  // How many vaults a node still has to open.
  'alter table nodes add column opening integer not null default 0',
  // What the service grants for a vault, sealed with the key of the vault, and the signature of a node's address. The
  // tables tokens and invitations and the column limits are read only to seal them once.
  `alter table vaults add column access bytea;
   alter table nodes add column signature bytea;`,
  // The workers of a node, and how many of them it has replaced since it started.
  `alter table nodes add column workers integer not null default 0;
   alter table nodes add column replaced_workers integer not null default 0;`,
];
