import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { HostingError } from './error.ts';
import { isAlive, keySealedAs } from './placement.ts';
import { schema } from './schema.ts';
import { createKey, seal } from './sealing.ts';

/** Any node may do it, also several at once. */
export async function migrateService(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock(hashtext('keepsake schema'))");
    await client.query('create table if not exists schema_version (version int not null)');
    const { rows } = await client.query<{ version: number }>('select version from schema_version');
    const done = rows[0]?.version ?? 0;
    for (const migration of schema.slice(done)) await client.query(migration);
    await client.query('delete from schema_version');
    await client.query('insert into schema_version values ($1)', [Math.max(done, schema.length)]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** A vault that nobody has opened yet; it gets its files when somebody does. */
export async function registerVault(pool: Pool, rootKey: Buffer, id: string = randomUUID()): Promise<string> {
  await pool.query('insert into vaults (id, data_key) values ($1, $2)', [
    id,
    seal(rootKey, keySealedAs(id), createKey()),
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
  const { rowCount } = await pool.query('update vaults set wanted = $2 where id = $1', [vault, node]);
  if (rowCount === 0) throw new HostingError('no-such-vault', `there is no vault ${vault}`);
}

function noSuchNode(node: string): HostingError {
  return new HostingError('no-such-node', `there is no node ${node}`, {
    mend: 'see which there are: keepsake cluster status',
  });
}

export type ServiceState = {
  vaults: number;
  nodes: { id: string; address: string; isAlive: boolean; isDraining: boolean; vaults: number }[];
  /** Records that are in no snapshot yet, of all vaults. */
  records: number;
};

/** Who serves how many vaults at the moment. */
export async function showService(pool: Pool): Promise<ServiceState> {
  const { rows: nodes } = await pool.query<ServiceState['nodes'][number]>(
    `select id, address, ${isAlive} as "isAlive", is_draining as "isDraining",
       (select count(*)::int from vaults where owner = nodes.id) as vaults
     from nodes order by id`,
  );
  const { rows } = await pool.query<{ vaults: number; records: number }>(
    'select (select count(*)::int from vaults) as vaults, (select count(*)::int from log) as records',
  );
  return { nodes, vaults: rows[0]?.vaults ?? 0, records: rows[0]?.records ?? 0 };
}
