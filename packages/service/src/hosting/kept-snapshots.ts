import type { Pool, PoolClient } from 'pg';
import { HostingError, noSuchVault } from './error.ts';
import { inTransaction } from './in-transaction.ts';

/** What there is of a vault: its snapshots, and the records after the oldest of them. */
export type Kept = { names: string[]; seq: number };

/** For how many days a vault can be restored, unless an operator says otherwise. */
export const usualDays = 7;

/** The number of a record, or a time. */
export type Moment = number | Date;

/** A vault after one of its records: what a snapshot has, and the records after that up to this one. */
type StateAt = { snapshot: string; snapshotSeq: number; seq: number };

/** Which of its node's claims a vault is asked in: what an earlier one still wants is not done. */
type Held = { vault: string; epoch: number };

/**
 * Makes a snapshot that of the vault; false when another node has it. The one before it is kept if the last one kept was made a day or
 * many records earlier, or if no earlier one leads to it: who restores plays back what lies between.
 */
export function nameSnapshot(
  pool: Pool,
  { vault, epoch }: Held,
  { name, seq }: { name: string; seq: number },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ isNew: boolean }>(
      'select snapshot is null or snapshot_seq < $3 as "isNew" from vaults where id = $1 and epoch = $2 for update',
      [vault, epoch, seq],
    );
    const [row] = rows;
    if (row === undefined) return false;
    if (row.isNew) await putAside(client, vault);
    await client.query(
      row.isNew
        ? `update vaults set snapshot = $2, snapshot_seq = $3, snapshot_at = clock_timestamp(), is_restored = false where id = $1`
        : 'update vaults set snapshot = $2 where id = $1 and snapshot_seq = $3',
      [vault, name, seq],
    );
    return true;
  });
}

/** The snapshot of a vault becomes an earlier one, in a transaction that makes another that of the vault. */
export async function putAside(client: PoolClient, vault: string): Promise<void> {
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

/** Forgets what is not needed to restore the vault as of so many days ago; tells what is kept, null when another node has it. */
export function trimVault(pool: Pool, { vault, epoch }: Held, days: number): Promise<Kept | null> {
  return inTransaction(pool, async (client) => {
    const held = 'select 1 from vaults where id = $1 and epoch = $2 for update';
    if ((await client.query(held, [vault, epoch])).rowCount === 0) return null;
    await client.query(
      'delete from earlier_snapshots where vault = $1 and until <= clock_timestamp() - make_interval(days => $2)',
      [vault, days],
    );
    const { rows } = await client.query<{ seq: string; name: string }>(keptOf, [vault]);
    const seq = Number(rows[0]?.seq ?? 0);
    await client.query('delete from log where vault = $1 and seq <= $2', [vault, seq]);
    return { names: rows.map(({ name }) => name), seq };
  });
}

/** Oldest first. */
const keptOf = `
  select seq, name, made_at from earlier_snapshots where vault = $1
  union all
  select snapshot_seq, snapshot, snapshot_at from vaults where id = $1 and snapshot is not null
  order by seq`;

/** Vaults that nobody has, and of which more is kept than for so many days. */
export async function vaultsToTrim(pool: Pool, days: number): Promise<Held[]> {
  const { rows } = await pool.query<{ vault: string; epoch: string }>(
    `select distinct vault, epoch from earlier_snapshots join vaults on id = vault
     where owner is null and until <= clock_timestamp() - make_interval(days => $1) limit 100`,
    [days],
  );
  return rows.map(({ vault, epoch }) => ({ vault, epoch: Number(epoch) }));
}

/** How to get a vault as it was after a record, or at a time of the database. */
export function findState(pool: Pool, vault: string, moment: Moment): Promise<StateAt> {
  return inTransaction(pool, async (client) => {
    // What is kept may change between two questions.
    await client.query('set transaction isolation level repeatable read read only');
    const { rows } = await client.query<{ last: string; now: Date; until: string | null }>(
      `select greatest(snapshot_seq, (select max(seq) from log where vault = id)) as last, clock_timestamp() as now,
         (select max(seq) from log where vault = id and date_trunc('milliseconds', at) <= $2) as until
       from vaults where id = $1`,
      [vault, typeof moment === 'number' ? null : moment],
    );
    const [log] = rows;
    if (log === undefined) throw noSuchVault(vault);
    const { rows: kept } = await client.query<{ seq: string; name: string; made_at: Date }>(keptOf, [vault]);
    const [oldest] = kept;
    if (oldest === undefined) throw new HostingError('not-kept', `nobody has opened the vault ${vault} yet`);
    const isKept =
      typeof moment === 'number'
        ? moment >= Number(oldest.seq) && moment <= Number(log.last)
        : (log.until !== null || moment >= oldest.made_at) && moment <= log.now;
    if (!isKept)
      throw new HostingError('not-kept', `the vault ${vault} as of then is not kept`, {
        mend: `name a time from ${oldest.made_at.toISOString()} to ${log.now.toISOString()}, or a record from ${oldest.seq} to ${log.last}`,
      });
    const seq = typeof moment === 'number' ? moment : Number(log.until ?? oldest.seq);
    const from = kept.findLast((each) => Number(each.seq) <= seq) ?? oldest;
    return { snapshot: from.name, snapshotSeq: Number(from.seq), seq };
  });
}
