import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { HostingError, noSuchVault } from './error.ts';
import { inTransaction } from './in-transaction.ts';
import type { ObjectStore } from './object-store.ts';
import { isAlive, mayHave } from './choose-node.ts';
import { keySealedAs, openStored } from './placement.ts';
import type { StoredVault, StoredVaultRow } from './placement.ts';
import { schema } from './schema.ts';
import { createKey, seal } from './sealing.ts';

/** Any node may do it, also several at once. */
export async function migrateService(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext('keepsake schema'))");
    await client.query('create table if not exists schema_version (version int not null)');
    const { rows } = await client.query<{ version: number }>('select version from schema_version');
    const done = rows[0]?.version ?? 0;
    for (const migration of schema.slice(done)) await client.query(migration);
    await client.query('delete from schema_version');
    await client.query('insert into schema_version values ($1)', [Math.max(done, schema.length)]);
  });
}

/** `group`: nodes of this group alone serve it. */
type Registered = { key?: Buffer; snapshot?: string | null; group?: string | undefined };

/** A vault that nobody has opened yet; it gets its files when somebody does, those of a snapshot if there is one. */
export async function registerVault(
  pool: Pool,
  rootKey: Buffer,
  id: string = randomUUID(),
  { key = createKey(), snapshot = null, group = '' }: Registered = {},
): Promise<string> {
  await pool.query('insert into vaults (id, data_key, snapshot, tenant_group) values ($1, $2, $3, $4)', [
    id,
    seal(rootKey, keySealedAs(id), key),
    snapshot,
    group,
  ]);
  return id;
}

/** Has a node hand its vaults over and take no more, until it is started again. */
export async function drainNode(pool: Pool, node: string): Promise<void> {
  const { rowCount } = await pool.query('update nodes set is_draining = true where id = $1', [node]);
  if (rowCount === 0) throw noSuchNode(node);
}

/** Has a node serve a vault, as soon as whoever has it gave it up and somebody asks for it. */
export async function moveVault(pool: Pool, vault: string, node: string): Promise<void> {
  const { rowCount: nodes } = await pool.query('select 1 from nodes where id = $1', [node]);
  if (nodes === 0) throw noSuchNode(node);
  const { rows } = await pool.query<{ mayHave: boolean }>(
    `select ${mayHave} as "mayHave" from vaults, nodes where vaults.id = $1 and nodes.id = $2`,
    [vault, node],
  );
  if (rows[0] === undefined) throw noSuchVault(vault);
  if (!rows[0].mayHave)
    throw new HostingError('bad-settings', `${node} is of another group than ${vault}`, {
      mend: 'name a node of its group: keepsake-service cluster status',
    });
  await pool.query('update vaults set wanted = $2 where id = $1', [vault, node]);
}

function noSuchNode(node: string): HostingError {
  return new HostingError('no-such-node', `there is no node ${node}`, {
    mend: 'see which there are: keepsake-service cluster status',
  });
}

/** What is needed to read a vault, whoever serves it. */
export async function readVault(pool: Pool, rootKey: Buffer, id: string): Promise<StoredVault> {
  const { rows } = await pool.query<StoredVaultRow>(
    'select data_key, epoch, snapshot, snapshot_seq from vaults where id = $1',
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw noSuchVault(id);
  return openStored(row, id, rootKey);
}

/**
 * Forgets the key of a vault: whatever is sealed with it is lost from then on, wherever a copy of it lies. Backups of the database
 * hold the key until they are gone. A node that serves it can promise nothing more, and removes its copy.
 */
export async function removeVault(
  { pool, store }: { pool: Pool; store: ObjectStore },
  id: string,
): Promise<void> {
  const { rowCount } = await pool.query('delete from vaults where id = $1', [id]);
  const objects = await removeObjects(store, id);
  if (rowCount === 0 && objects === 0) throw noSuchVault(id);
}

/** Tells how many there were. */
export async function removeObjects(store: ObjectStore, vault: string): Promise<number> {
  const objects = await store.list(`${vault}/`);
  for (const object of objects) await store.remove(object);
  return objects.length;
}

/** Of these, the vaults that there are. */
export async function existingVaults(pool: Pool, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>('select id from vaults where id = any($1)', [ids]);
  return new Set(rows.map(({ id }) => id));
}

export type ServiceState = {
  vaults: number;
  /** `group` is empty for nodes of vaults that are in none. */
  nodes: {
    id: string;
    address: string;
    group: string;
    isAlive: boolean;
    isDraining: boolean;
    vaults: number;
  }[];
  /** Records that are in no snapshot yet, of all vaults. */
  records: number;
};

/** Who serves how many vaults at the moment. */
export async function showService(pool: Pool): Promise<ServiceState> {
  const { rows: nodes } = await pool.query<ServiceState['nodes'][number]>(
    `select id, address, tenant_group as "group", ${isAlive} as "isAlive", is_draining as "isDraining",
       (select count(*)::int from vaults where owner = nodes.id) as vaults
     from nodes order by id`,
  );
  const { rows } = await pool.query<{ vaults: number; records: number }>(
    `select count(*)::int as vaults, coalesce(sum(last - snapshot_seq), 0)::int as records
     from vaults, lateral (select coalesce(max(seq), snapshot_seq) as last from log where vault = id) as logged`,
  );
  return { nodes, vaults: rows[0]?.vaults ?? 0, records: rows[0]?.records ?? 0 };
}
