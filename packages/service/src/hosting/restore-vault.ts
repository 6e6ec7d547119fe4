import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Pool } from 'pg';
import { backUp, openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import { readLog, recordAad } from './commit-log.ts';
import { HostingError } from './error.ts';
import { inTransaction } from './in-transaction.ts';
import { resolveRecoveryTarget, archiveCurrentSnapshot } from './snapshot-retention.ts';
import type { RecoveryTarget } from './snapshot-retention.ts';
import { replayLog, materializeVault, withDurableDatabase } from './materialize-vault.ts';
import { createAppliedPosition } from './applied-position.ts';
import { applyRows } from './logged-rows.ts';
import type { ObjectStore } from './object-store.ts';
import { encodeRecord, accessTables } from './records.ts';
import type { LoggedRow, LogRecord } from './records.ts';
import type { RootKey } from './root-key.ts';
import { generateDataKey, seal } from './sealing.ts';
import { nameRestoredSnapshot, uploadSnapshot } from './snapshots.ts';
import { readAccess } from './vault-access.ts';
import {
  filterExistingVaults,
  readVaultRecord,
  registerVault,
  deleteVaultObjects,
} from './vault-registry.ts';

type Parts = { pool: Pool; store: ObjectStore; rootKey: RootKey; environment: Environment };

/**
 * Writes a vault as of its last record or an earlier point, with its history, to `folder`, which must not exist. The vault stays in
 * service. The export starts again when a new snapshot has removed objects that it needs.
 */
export async function exportVault(
  parts: Parts,
  id: string,
  folder: string,
  to?: RecoveryTarget,
): Promise<RestoreSource> {
  if (existsSync(folder)) throw new HostingError('bad-settings', `${folder} already exists`);
  for (;;) {
    const found = await resolveSource(parts, id, to);
    // A separate folder, so that cleaning up after a failure removes nothing that another program has created in
    // `folder` meanwhile.
    const partial = `${folder}.partial-${randomUUID()}`;
    try {
      await materializeAt(parts, id, found, partial);
      renameSync(partial, folder);
      return found;
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      if ((await resolveSource(parts, id, to)).snapshot === found.snapshot) throw error;
    }
  }
}

/** Restores an earlier state as a new vault, which becomes visible when it is complete. No one has access to it yet. Returns its id. */
export async function restoreAsNewVault(parts: Parts, id: string, to: RecoveryTarget): Promise<string> {
  const { group } = await readAccess(parts.pool, await readVaultRecord(parts.pool, parts.rootKey, id));
  return withVaultAsOf(parts, id, { to, prepare: clearAccess }, (copy) =>
    registerFromBackup(parts, copy, { group }),
  );
}

/**
 * Copies a vault of this machine to the service, with its history. The local vault stays unchanged and in use. No one
 * has access to the copy yet.
 */
export async function importVault(
  parts: Parts,
  { vault, state }: { vault: string; state?: string | undefined },
  as: NewVault = {},
): Promise<string> {
  const { pool, environment } = parts;
  if (as.id !== undefined && (await filterExistingVaults(pool, [as.id])).size > 0)
    throw new HostingError('bad-settings', `vault ${as.id} already exists`);
  return withTemporaryFolder(environment, async (scratch) => {
    const copy = join(scratch, 'copy');
    await openAndBackUp({ vault, state, environment }, copy);
    await withDurableDatabase(join(copy, 'state'), clearAccess);
    return registerFromBackup(parts, copy, as);
  });
}

function clearAccess(durable: Database): void {
  // A vault from another machine has never been replicated.
  createAppliedPosition(durable);
  for (const table of accessTables) durable.exec(`delete from ${table}`);
}

/** Without `id`, the vault gets a random one. */
type NewVault = { id?: string | undefined; group?: string | undefined };

/** Registers a vault with the content of a backup. */
async function registerFromBackup(
  { pool, store, rootKey }: Parts,
  copy: string,
  { id: chosenId, group }: NewVault,
): Promise<string> {
  const [id, key] = [chosenId ?? randomUUID(), generateDataKey()];
  try {
    const snapshot = await uploadSnapshot({ store, vault: id, key, epoch: 0 }, copy, null);
    return await registerVault(pool, rootKey, id, { key, snapshot, group });
  } catch (error) {
    // A vault with a chosen id may have been registered meanwhile; its next snapshot removes the leftover objects.
    if (chosenId === undefined) await deleteVaultObjects(store, id).catch(() => undefined);
    throw error;
  }
}

/**
 * Restores a vault to an earlier point by appending a record, so that the states in between can still be restored.
 * Access rights stay as they are. The current owner is fenced off in the same transaction. Returns the number of the
 * appended record.
 */
export async function restoreInPlace(parts: Parts, id: string, to: RecoveryTarget): Promise<number> {
  const { pool, store, rootKey } = parts;
  const { seq } = await resolveRecoveryTarget(pool, id, to);
  for (;;) {
    const { key, epoch } = await readVaultRecord(pool, rootKey, id);
    const readUse = (after: number): AsyncGenerator<AccessRows> =>
      readUseOf({ pool, store, vault: id, key }, after);
    let known = seq;
    const keepUse = async (durable: Database): Promise<void> => {
      for await (const { seq: last, rows } of readUse(known)) {
        applyRows(durable, rows);
        known = last;
      }
    };
    const record = await withVaultAsOf(parts, id, { to: seq, prepare: keepUse }, async (copy, from) => {
      // Named after the next epoch, so that the current owner does not remove these objects.
      const name = await uploadSnapshot({ store, vault: id, key, epoch: epoch + 1 }, copy, from);
      return inTransaction(pool, async (client) => {
        await client.query('select 1 from vaults where id = $1 for update', [id]);
        const { rows: found } = await client.query<{ next: string }>(
          `select greatest(snapshot_seq, (select max(seq) from log where vault = id)) + 1 as next from vaults
           where id = $1 and epoch = $2
             and (snapshot = $3 or exists (select 1 from earlier_snapshots where vault = id and name = $3))`,
          [id, epoch, from],
        );
        // Another node has claimed the vault, or the base snapshot is gone, perhaps with objects that this one shares.
        if (found[0] === undefined) return null;
        const next = Number(found[0].next);
        await archiveCurrentSnapshot(client, id);
        const restoredName = await nameRestoredSnapshot({ store, vault: id, key }, name, next);
        const records: LogRecord[] = [{ kind: 'restored', to: seq }];
        for await (const { rows } of readUse(known))
          if (rows.length > 0) records.push({ kind: 'rows', rows });
        const sealed = records.map((each, index) =>
          seal(key, recordAad(id, next + index), encodeRecord(each)),
        );
        await client.query(
          `insert into log (vault, seq, epoch, sealed)
           select $1, $2 + place - 1, $3, each from unnest($4::bytea[]) with ordinality as row (each, place)`,
          [id, next, epoch + 1, sealed],
        );
        await client.query(
          `update vaults set epoch = epoch + 1, owner = null, snapshot = $2, snapshot_seq = $3, snapshot_at = clock_timestamp(),
             is_restored = true where id = $1`,
          [id, restoredName, next],
        );
        return next;
      });
    });
    if (record !== null) return record;
  }
}

type AccessRows = { seq: number; rows: LoggedRow[] };

/** Yields the rows about access rights in every record after number `after`. */
async function* readUseOf(parts: Parameters<typeof readLog>[0], after: number): AsyncGenerator<AccessRows> {
  for await (const { seq, record } of readLog(parts, after)) {
    const all = record.kind === 'rows' ? record.rows : [];
    yield { seq, rows: all.filter(({ table }) => accessTables.includes(table)) };
  }
}

type VaultAsOfOptions = { to: RecoveryTarget; prepare: (durable: Database) => Promise<void> | void };

/** Builds a backup of the vault as of a point in time, and passes it with its base snapshot to `work`; removes the backup afterwards. */
async function withVaultAsOf<Value>(
  parts: Parts,
  id: string,
  { to, prepare }: VaultAsOfOptions,
  work: (copy: string, from: string | null) => Promise<Value>,
): Promise<Value> {
  const { environment } = parts;
  return withTemporaryFolder(environment, async (scratch) => {
    const [folder, copy] = [join(scratch, 'vault'), join(scratch, 'copy')];
    const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
    const { snapshot } = await exportVault(parts, id, folder, to);
    await withDurableDatabase(state, prepare);
    await openAndBackUp({ vault, state, environment }, copy);
    return work(copy, snapshot);
  });
}

async function openAndBackUp(place: Parameters<typeof openKeepsake>[0], copy: string): Promise<void> {
  const keepsake = await openKeepsake(place);
  try {
    await backUp(keepsake, copy);
  } finally {
    await keepsake.close();
  }
}

/** Creates a temporary folder and removes it when the work is done. */
async function withTemporaryFolder<Value>(
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

/** The snapshot to start from, and the last record to replay. */
type RestoreSource = { snapshot: string | null; snapshotSeq: number; seq?: number };

function resolveSource({ pool, rootKey }: Parts, id: string, to?: RecoveryTarget): Promise<RestoreSource> {
  return to === undefined ? readVaultRecord(pool, rootKey, id) : resolveRecoveryTarget(pool, id, to);
}

/** Creates `folder`, which must not exist. */
async function materializeAt(
  { pool, store, rootKey, environment }: Parts,
  id: string,
  { seq, ...from }: RestoreSource,
  folder: string,
): Promise<void> {
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  const { key } = await readVaultRecord(pool, rootKey, id);
  await materializeVault({ store, vault: id, key }, from, { folder, environment, clock: Date.now });
  const last = await replayLog(
    { pool, store, vault: id, key },
    { state, source: from, isRestored: true, to: seq },
  );
  if (seq !== undefined && last !== seq)
    throw new HostingError('damaged', `commit log gap: record ${(last ?? 0) + 1} of vault ${id} is missing`);
  const keepsake = await openKeepsake({ vault, state, environment });
  await keepsake.close();
}
