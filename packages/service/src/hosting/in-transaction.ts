import type { Pool, PoolClient } from 'pg';
import { traced } from '../../../vault/src/trace/index.ts';

/** All of it, or nothing. */
export function inTransaction<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  return traced({ work: 'sql', operation: 'transaction' }, () => transact(pool, work));
}

async function transact<Value>(pool: Pool, work: (client: PoolClient) => Promise<Value>): Promise<Value> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const value = await work(client);
    await client.query('commit');
    client.release();
    return value;
  } catch (error) {
    // A connection that cannot take it back is not used again.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
