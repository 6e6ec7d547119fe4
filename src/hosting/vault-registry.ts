import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { keySealedAs } from './placement.ts';
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
