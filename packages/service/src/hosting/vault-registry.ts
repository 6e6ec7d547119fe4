import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { HostingError, vaultNotFound } from './error.ts';
import { inTransaction } from './in-transaction.ts';
import type { ObjectStore } from './object-store.ts';
import { sameTenantGroupSql } from './choose-node.ts';
import { dataKeyAad, decryptVaultRow } from './placement.ts';
import type { VaultRecord, VaultRow } from './placement.ts';
import { migrations } from './schema.ts';
import type { RootKey } from './root-key.ts';
import { generateDataKey } from './sealing.ts';
import { createAccess, sealAccess } from './vault-access.ts';

/** Any node may call this, even several at the same time. */
export async function migrateService(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext('keepsake schema'))");
    await client.query('create table if not exists schema_version (version int not null)');
    const { rows } = await client.query<{ version: number }>('select version from schema_version');
    const done = rows[0]?.version ?? 0;
    for (const migration of migrations.slice(done)) await client.query(migration);
    await client.query('delete from schema_version');
    await client.query('insert into schema_version values ($1)', [Math.max(done, migrations.length)]);
  });
}

/** Only nodes of `group` serve the vault. */
type RegisterVaultOptions = { key?: Buffer; snapshot?: string | null; group?: string | undefined };

/** Registers a vault. Its files are created when it is first opened, from the snapshot if there is one. */
export async function registerVault(
  pool: Pool,
  rootKey: RootKey,
  id: string = randomUUID(),
  { key = generateDataKey(), snapshot = null, group = '' }: RegisterVaultOptions = {},
): Promise<string> {
  await pool.query(
    'insert into vaults (id, data_key, snapshot, tenant_group, access) values ($1, $2, $3, $4, $5)',
    [id, rootKey.seal(dataKeyAad(id), key), snapshot, group, sealAccess(key, id, createAccess({ group }))],
  );
  return id;
}

/** Drains a node: it releases its vaults and claims no more until it is restarted. */
export async function drainNode(pool: Pool, node: string): Promise<void> {
  const { rowCount } = await pool.query('update nodes set is_draining = true where id = $1', [node]);
  if (rowCount === 0) throw nodeNotFound(node);
}

/** Assigns a vault to a node, which starts to serve it at the first request after the current owner has released it. */
export async function moveVault(pool: Pool, vault: string, node: string): Promise<void> {
  const { rowCount: nodes } = await pool.query('select 1 from nodes where id = $1', [node]);
  if (nodes === 0) throw nodeNotFound(node);
  const { rows } = await pool.query<{ mayHave: boolean }>(
    `select ${sameTenantGroupSql} as "mayHave" from vaults, nodes where vaults.id = $1 and nodes.id = $2`,
    [vault, node],
  );
  if (rows[0] === undefined) throw vaultNotFound(vault);
  if (!rows[0].mayHave)
    throw new HostingError('bad-settings', `node ${node} is not in the group of vault ${vault}`, {
      hint: 'choose a node from its group: keepsake-service cluster status',
    });
  await pool.query('update vaults set wanted = $2 where id = $1', [vault, node]);
}

function nodeNotFound(node: string): HostingError {
  return new HostingError('no-such-node', `node ${node} does not exist`, {
    hint: 'list the nodes with: keepsake-service cluster status',
  });
}

/** Reads everything needed to open a vault, even if another node serves it. */
export async function readVaultRecord(pool: Pool, rootKey: RootKey, id: string): Promise<VaultRecord> {
  const { rows } = await pool.query<VaultRow>(
    'select data_key, epoch, snapshot, snapshot_seq from vaults where id = $1',
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw vaultNotFound(id);
  return decryptVaultRow(row, id, rootKey);
}

/**
 * Deletes the key of a vault, which makes all of its encrypted data unreadable, wherever copies exist. Backups of the database contain the
 * key until they are deleted. A node that serves the vault can commit nothing more, and removes its copy.
 */
export async function removeVault(
  { pool, store }: { pool: Pool; store: ObjectStore },
  id: string,
): Promise<void> {
  const { rowCount } = await pool.query('delete from vaults where id = $1', [id]);
  const objects = await deleteVaultObjects(store, id);
  if (rowCount === 0 && objects === 0) throw vaultNotFound(id);
}

/** Returns the number of deleted objects. */
export async function deleteVaultObjects(store: ObjectStore, vault: string): Promise<number> {
  const objects = await store.list(`${vault}/`);
  for (const object of objects) await store.remove(object);
  return objects.length;
}

/** Returns those of the given ids that belong to a vault. */
export async function filterExistingVaults(pool: Pool, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>('select id from vaults where id = any($1)', [ids]);
  return new Set(rows.map(({ id }) => id));
}
