import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Pool } from 'pg';
import { backUp, openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import { readLog, sealedAs } from './commit-log.ts';
import { HostingError } from './error.ts';
import { inTransaction } from './in-transaction.ts';
import { findState, putAside } from './kept-snapshots.ts';
import type { Moment } from './kept-snapshots.ts';
import { follow, layDown, withDurable } from './lay-down.ts';
import { layDownRows } from './logged-rows.ts';
import type { ObjectStore } from './object-store.ts';
import { encodeRecord, tablesOfUse } from './records.ts';
import type { LoggedRow, LogRecord } from './records.ts';
import { createKey, seal } from './sealing.ts';
import { keepSnapshot } from './snapshots.ts';
import { existingVaults, readVault, registerVault, removeObjects } from './vault-registry.ts';

type Parts = { pool: Pool; store: ObjectStore; rootKey: Buffer; environment: Environment };

/**
 * A vault as of its last promise or of an earlier moment, with its history, in a folder that is not there yet; whoever serves it goes
 * on. When a snapshot is made meanwhile, what it replaces may be gone, so it begins anew.
 */
export async function exportVault(parts: Parts, id: string, folder: string, to?: Moment): Promise<Found> {
  if (existsSync(folder)) throw new HostingError('bad-settings', `${folder} is there already`);
  for (;;) {
    const found = await find(parts, id, to);
    // Beside the folder, so that a failure removes nothing that another program put there meanwhile.
    const partial = `${folder}.partial-${randomUUID()}`;
    try {
      await assemble(parts, id, found, partial);
      renameSync(partial, folder);
      return found;
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      if ((await find(parts, id, to)).snapshot === found.snapshot) throw error;
    }
  }
}

/** Another vault, as this one was at a moment, there when all of it is; nobody is let in yet. Gives its id. */
export async function restoreAsNew(parts: Parts, id: string, to: Moment): Promise<string> {
  const { rows } = await parts.pool.query<{ group: string }>(
    'select tenant_group as "group" from vaults where id = $1',
    [id],
  );
  const group = rows[0]?.group;
  return asOf(parts, id, { to, prepare: letNobodyIn }, (copy) => registerCopy(parts, copy, { group }));
}

/**
 * Makes a vault of this machine one of the service, with its history; here it stays as it is, and whoever uses it goes on. Nobody is
 * let in yet.
 */
export async function importVault(
  parts: Parts,
  { vault, state }: { vault: string; state?: string | undefined },
  as: NewVault = {},
): Promise<string> {
  const { pool, environment } = parts;
  if (as.id !== undefined && (await existingVaults(pool, [as.id])).size > 0)
    throw new HostingError('bad-settings', `there is a vault ${as.id} already`);
  return inScratch(environment, async (scratch) => {
    const copy = join(scratch, 'copy');
    await backUpFrom({ vault, state, environment }, copy);
    await withDurable(join(copy, 'state'), letNobodyIn);
    return registerCopy(parts, copy, as);
  });
}

function letNobodyIn(durable: Database): void {
  for (const table of tablesOfUse) durable.exec(`delete from ${table}`);
}

/** An id of its own unless one is chosen. */
type NewVault = { id?: string | undefined; group?: string | undefined };

/** A vault of the service that is what a backup has. */
async function registerCopy(
  { pool, store, rootKey }: Parts,
  copy: string,
  { id: chosen, group }: NewVault,
): Promise<string> {
  const [id, key] = [chosen ?? randomUUID(), createKey()];
  try {
    const snapshot = await keepSnapshot({ store, vault: id, key, epoch: 0 }, copy, null);
    return await registerVault(pool, rootKey, id, { key, snapshot, group });
  } catch (error) {
    // Under an id that was chosen, there may be another vault by now; what is left there goes with its next snapshot.
    if (chosen === undefined) await removeObjects(store, id).catch(() => undefined);
    throw error;
  }
}

/**
 * Makes a vault what it was at a moment, as its next record: what was promised since can be restored as well. Who may use it stays
 * as it is. Whoever serves it promises nothing more; until then everything is as it was. Gives the number of that record.
 */
export async function restoreInPlace(parts: Parts, id: string, to: Moment): Promise<number> {
  const { pool, store, rootKey } = parts;
  const { seq } = await findState(pool, id, to);
  for (;;) {
    const { key, epoch } = await readVault(pool, rootKey, id);
    const readUse = (after: number): AsyncGenerator<Use> => readUseOf({ pool, store, vault: id, key }, after);
    let known = seq;
    const keepUse = async (durable: Database): Promise<void> => {
      for await (const { seq: last, rows } of readUse(known)) {
        layDownRows(durable, rows);
        known = last;
      }
    };
    const record = await asOf(parts, id, { to: seq, prepare: keepUse }, async (copy, from) => {
      // Of the next epoch: who has the vault in this one leaves its objects alone.
      const name = await keepSnapshot({ store, vault: id, key, epoch: epoch + 1 }, copy, from);
      return inTransaction(pool, async (client) => {
        await client.query('select 1 from vaults where id = $1 for update', [id]);
        const { rows: found } = await client.query<{ next: string }>(
          `select greatest(snapshot_seq, (select max(seq) from log where vault = id)) + 1 as next from vaults
           where id = $1 and epoch = $2
             and (snapshot = $3 or exists (select 1 from earlier_snapshots where vault = id and name = $3))`,
          [id, epoch, from],
        );
        // Another node has it by now, or what it shares with an earlier snapshot may be gone.
        if (found[0] === undefined) return null;
        const next = Number(found[0].next);
        await putAside(client, id);
        const records: LogRecord[] = [{ kind: 'restored', to: seq }];
        for await (const { rows } of readUse(known))
          if (rows.length > 0) records.push({ kind: 'rows', rows });
        const sealed = records.map((each, index) =>
          seal(key, sealedAs(id, next + index), encodeRecord(each)),
        );
        await client.query(
          `insert into log (vault, seq, epoch, sealed)
           select $1, $2 + place - 1, $3, each from unnest($4::bytea[]) with ordinality as row (each, place)`,
          [id, next, epoch + 1, sealed],
        );
        await client.query(
          `update vaults set epoch = epoch + 1, owner = null, snapshot = $2, snapshot_seq = $3, snapshot_at = clock_timestamp(),
             is_restored = true where id = $1`,
          [id, name, next],
        );
        return next;
      });
    });
    if (record !== null) return record;
  }
}

type Use = { seq: number; rows: LoggedRow[] };

/** Of every record after one, what it says of who may use the vault. */
async function* readUseOf(parts: Parameters<typeof readLog>[0], after: number): AsyncGenerator<Use> {
  for await (const { seq, record } of readLog(parts, after)) {
    const all = record.kind === 'rows' ? record.rows : [];
    yield { seq, rows: all.filter(({ table }) => tablesOfUse.includes(table)) };
  }
}

type AsOf = { to: Moment; prepare: (durable: Database) => Promise<void> | void };

/** A backup of a vault as it was, prepared and there for as long as the work takes, and the snapshot that it comes from. */
async function asOf<Value>(
  parts: Parts,
  id: string,
  { to, prepare }: AsOf,
  work: (copy: string, from: string | null) => Promise<Value>,
): Promise<Value> {
  const { environment } = parts;
  return inScratch(environment, async (scratch) => {
    const [folder, copy] = [join(scratch, 'vault'), join(scratch, 'copy')];
    const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
    const { snapshot } = await exportVault(parts, id, folder, to);
    await withDurable(state, prepare);
    await backUpFrom({ vault, state, environment }, copy);
    return work(copy, snapshot);
  });
}

async function backUpFrom(place: Parameters<typeof openKeepsake>[0], copy: string): Promise<void> {
  const keepsake = await openKeepsake(place);
  try {
    await backUp(keepsake, copy);
  } finally {
    await keepsake.close();
  }
}

/** A folder for as long as the work takes. */
async function inScratch<Value>(
  { temporaryFolder }: Environment,
  work: (folder: string) => Promise<Value>,
): Promise<Value> {
  const scratch = mkdtempSync(join(temporaryFolder, 'keepsake-copy-'));
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The snapshot to begin with, and the record up to which to go on. */
type Found = { snapshot: string | null; snapshotSeq: number; seq?: number };

function find({ pool, rootKey }: Parts, id: string, to?: Moment): Promise<Found> {
  return to === undefined ? readVault(pool, rootKey, id) : findState(pool, id, to);
}

/** In a folder that is not there yet. */
async function assemble(
  { pool, store, rootKey, environment }: Parts,
  id: string,
  { seq, ...from }: Found,
  folder: string,
): Promise<void> {
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  const { key } = await readVault(pool, rootKey, id);
  await layDown({ store, vault: id, key }, from, { folder, environment, clock: Date.now });
  const last = await follow({ pool, store, vault: id, key }, state, seq);
  if (seq !== undefined && last !== seq)
    throw new HostingError('damaged', `record ${last + 1} of the vault ${id} is missing`);
  const keepsake = await openKeepsake({ vault, state, environment });
  await keepsake.close();
}
