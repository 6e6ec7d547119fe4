import type { Pool } from 'pg';
import { nodeIsAliveSql } from './choose-node.ts';
import { HostingError } from './error.ts';
import { inTransaction } from './in-transaction.ts';
import { dataKeyAad } from './placement.ts';
import type { RootKey } from './root-key.ts';
import { isSignedNode, signedNodeColumns } from './signed-node.ts';
import type { NodeRow } from './signed-node.ts';

const batchSize = 100;

/**
 * Seals the keys of all vaults with the next root key, while the vaults are served. Running it again, also after an
 * interruption, does no harm. Returns the number of vaults. Refuses while a running node has not got the next key, because that node could
 * open no vault any more.
 */
export async function rotateRootKey({ pool, rootKey }: { pool: Pool; rootKey: RootKey }): Promise<number> {
  if (rootKey.next === null)
    throw new HostingError('bad-settings', 'KEEPSAKE_NEXT_ROOT_KEY_FILE is not set', {
      hint: 'set it to a file with the new root key, on every node first',
    });
  await requireNextKey(pool, rootKey.next);
  let count = 0;
  for (let after = ''; ;) {
    const batch = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: string; data_key: Buffer }>(
        'select id, data_key from vaults where id > $1 order by id limit $2 for update',
        [after, batchSize],
      );
      for (const { id, data_key: sealed } of rows)
        await client.query('update vaults set data_key = $2 where id = $1', [
          id,
          rootKey.seal(dataKeyAad(id), rootKey.unseal(dataKeyAad(id), sealed)),
        ]);
      return rows;
    });
    count += batch.length;
    const last = batch.at(-1);
    if (last === undefined) return count;
    after = last.id;
  }
}

async function requireNextKey(pool: Pool, next: RootKey): Promise<void> {
  const { rows } = await pool.query<NodeRow>(
    `select ${signedNodeColumns} from nodes where ${nodeIsAliveSql} order by id`,
  );
  const without = rows.filter((row) => !isSignedNode(next, row)).map(({ id }) => id);
  if (without.length > 0)
    throw new HostingError('bad-settings', `running nodes without the next root key: ${without.join(', ')}`, {
      hint: 'set KEEPSAKE_NEXT_ROOT_KEY_FILE to the same file on each of them, restart it, then try again',
    });
}
