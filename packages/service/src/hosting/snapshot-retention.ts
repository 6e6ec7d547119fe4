import type { Pool, PoolClient } from 'pg';
import { HostingError, vaultNotFound } from './error.ts';
import { inTransaction } from './in-transaction.ts';

/** The snapshots of a vault that are still retained, and the number of the record that the oldest of them ends with. */
export type RetainedSnapshots = { names: string[]; seq: number };

/** For how many days a vault can be restored, unless the operator configures another value. */
export const defaultRetentionDays = 7;

/** The point to restore to: the number of a record, or a time. */
export type RecoveryTarget = number | Date;

/** How to rebuild a vault as of a record: start from a snapshot and replay the records after it up to `seq`. */
type RecoveryPlan = { snapshot: string; snapshotSeq: number; seq: number };

/** The epoch in which the caller owns the vault. Requests of an earlier epoch have no effect. */
type VaultEpoch = { vault: string; epoch: number };

/**
 * Makes a snapshot the current one of the vault; returns false when another node owns the vault. The previous snapshot
 * is archived if it is a day or 10,000 records newer than the last archived one, because a restore replays the records
 * in between, or if it was created by a restore and cannot be rebuilt from an older one.
 */
export function publishSnapshot(
  pool: Pool,
  { vault, epoch }: VaultEpoch,
  { name, seq }: { name: string; seq: number },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ isNew: boolean }>(
      'select snapshot is null or snapshot_seq < $3 as "isNew" from vaults where id = $1 and epoch = $2 for update',
      [vault, epoch, seq],
    );
    const [row] = rows;
    if (row === undefined) return false;
    if (row.isNew) await archiveCurrentSnapshot(client, vault);
    await client.query(
      row.isNew
        ? `update vaults set snapshot = $2, snapshot_seq = $3, snapshot_at = clock_timestamp(), is_restored = false where id = $1`
        : 'update vaults set snapshot = $2 where id = $1 and snapshot_seq = $3',
      [vault, name, seq],
    );
    return true;
  });
}

/** Archives the current snapshot of a vault. Call it in the transaction that publishes the next one. */
export async function archiveCurrentSnapshot(client: PoolClient, vault: string): Promise<void> {
  await client.query(
    `insert into earlier_snapshots (vault, seq, name, made_at, until)
     select id, snapshot_seq, snapshot, snapshot_at, clock_timestamp() from vaults
     where id = $1 and snapshot is not null and (is_restored or not exists (
       select 1 from earlier_snapshots
       where vault = id and made_at > snapshot_at - interval '1 day' and seq > snapshot_seq - 10000))`,
    [vault],
  );
  await client.query(
    `update earlier_snapshots set until = clock_timestamp()
     where vault = $1 and seq = (select max(seq) from earlier_snapshots where vault = $1)`,
    [vault],
  );
}

/** Deletes snapshots and records that are older than the retention period. Returns what is retained, or null when another node owns the vault. */
export function pruneVaultHistory(
  pool: Pool,
  { vault, epoch }: VaultEpoch,
  days: number,
): Promise<RetainedSnapshots | null> {
  return inTransaction(pool, async (client) => {
    const lockSql = 'select 1 from vaults where id = $1 and epoch = $2 for update';
    if ((await client.query(lockSql, [vault, epoch])).rowCount === 0) return null;
    await client.query(
      'delete from earlier_snapshots where vault = $1 and until <= clock_timestamp() - make_interval(days => $2)',
      [vault, days],
    );
    const { rows } = await client.query<{ seq: string; name: string }>(retainedSnapshotsSql, [vault]);
    const seq = Number(rows[0]?.seq ?? 0);
    await client.query('delete from log where vault = $1 and seq <= $2', [vault, seq]);
    return { names: rows.map(({ name }) => name), seq };
  });
}

/** Oldest first. */
const retainedSnapshotsSql = `
  select seq, name, made_at from earlier_snapshots where vault = $1
  union all
  select snapshot_seq, snapshot, snapshot_at from vaults where id = $1 and snapshot is not null
  order by seq`;

/** Finds up to 100 vaults without an owner that have snapshots older than the retention period. */
export async function findVaultsToPrune(pool: Pool, days: number): Promise<VaultEpoch[]> {
  const { rows } = await pool.query<{ vault: string; epoch: string }>(
    `select distinct vault, epoch from earlier_snapshots join vaults on id = vault
     where owner is null and until <= clock_timestamp() - make_interval(days => $1) limit 100`,
    [days],
  );
  return rows.map(({ vault, epoch }) => ({ vault, epoch: Number(epoch) }));
}

/** Determines how to rebuild a vault as it was after a record, or at a time according to the database clock. */
export function resolveRecoveryTarget(
  pool: Pool,
  vault: string,
  moment: RecoveryTarget,
): Promise<RecoveryPlan> {
  return inTransaction(pool, async (client) => {
    // Another transaction may prune snapshots between the two queries.
    await client.query('set transaction isolation level repeatable read read only');
    const { rows } = await client.query<{ last: string; now: Date; until: string | null }>(
      `select greatest(snapshot_seq, (select max(seq) from log where vault = id)) as last, clock_timestamp() as now,
         (select max(seq) from log where vault = id and date_trunc('milliseconds', at) <= $2) as until
       from vaults where id = $1`,
      [vault, typeof moment === 'number' ? null : moment],
    );
    const [log] = rows;
    if (log === undefined) throw vaultNotFound(vault);
    const { rows: snapshots } = await client.query<{ seq: string; name: string; made_at: Date }>(
      retainedSnapshotsSql,
      [vault],
    );
    const [oldest] = snapshots;
    if (oldest === undefined) throw new HostingError('not-kept', `vault ${vault} has no data yet`);
    const isKept =
      typeof moment === 'number'
        ? moment >= Number(oldest.seq) && moment <= Number(log.last)
        : (log.until !== null || moment >= oldest.made_at) && moment <= log.now;
    if (!isKept)
      throw new HostingError('not-kept', `vault ${vault} cannot be restored to that point`, {
        hint: `choose a time between ${oldest.made_at.toISOString()} and ${log.now.toISOString()}, or a record between ${oldest.seq} and ${log.last}`,
      });
    const seq = typeof moment === 'number' ? moment : Number(log.until ?? oldest.seq);
    const from = snapshots.findLast((each) => Number(each.seq) <= seq) ?? oldest;
    return { snapshot: from.name, snapshotSeq: Number(from.seq), seq };
  });
}
