import type { Pool, PoolClient } from 'pg';
import { withSpan } from '../../../vault/src/trace/index.ts';

export function inTransaction<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  return withSpan({ name: 'sql', operation: 'transaction' }, () => runTransaction(pool, work));
}

async function runTransaction<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const value = await work(client);
    await client.query('commit');
    client.release();
    return value;
  } catch (error) {
    // A connection whose rollback failed is discarded.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
