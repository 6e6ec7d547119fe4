import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { backUp, openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment, Keepsake } from '../../../vault/src/app/index.ts';
import { createLimiter } from '../../../vault/src/contract/index.ts';
import type { Clock, GetLimits } from '../../../vault/src/contract/index.ts';
import { withSpan } from '../../../vault/src/trace/index.ts';
import { createCommitLog, readLogEnd } from './commit-log.ts';
import { publishSnapshot, pruneVaultHistory, defaultRetentionDays } from './snapshot-retention.ts';
import { replayLog, materializeVault, withDurableDatabase } from './materialize-vault.ts';
import { HostingError } from './error.ts';
import { createLoggedJournal } from './logged-journal.ts';
import { createLoggedQueue } from './logged-queue.ts';
import { createLoggedRows } from './logged-rows.ts';
import { createAppliedPosition } from './applied-position.ts';
import type { AppliedPosition } from './applied-position.ts';
import type { ObjectStore } from './object-store.ts';
import type { ClaimedVault } from './placement.ts';
import { uploadSnapshot, deleteUnreferencedObjects } from './snapshots.ts';

/**
 * A vault that this node serves. Its folder is a copy: everything that was acknowledged is in the log or in a snapshot.
 */
export type HostedVault = {
  keepsake: Keepsake;
  /**
   * Uploads the whole vault to the object store if anything was committed since the last snapshot; older records are
   * then no longer needed to open the vault. Concurrent writes are barely delayed.
   */
  snapshot: () => Promise<void>;
  /** Whether enough was committed since the last snapshot to take another one. */
  isSnapshotDue: () => boolean;
  /** Resolves once everything written so far would survive the loss of this node. */
  flushReplication: () => Promise<void>;
  /** Leaves the files in place, so that they can be reused when the vault is opened again. */
  close(): Promise<void>;
};

type Parts = {
  pool: Pool;
  store: ObjectStore;
  claimed: ClaimedVault;
  /** On the disk of this node, used only for this vault. */
  folder: string;
  environment: Environment;
  clock?: Clock;
  limits?: GetLimits;
  sandbox?: Parameters<typeof openKeepsake>[0]['sandbox'];
  /** Called once, when this node can no longer commit; the caller has to close the vault. */
  onLost?: () => void;
  snapshotAfter?: SnapshotThresholds;
  /** For how many days the vault can be restored to an earlier state. */
  retentionDays?: number;
};

/** How much is committed before another snapshot is due. */
export type SnapshotThresholds = { records?: number; bytes?: number };

export async function openHostedVault(parts: Parts): Promise<HostedVault> {
  const {
    pool,
    store,
    claimed,
    folder,
    environment,
    clock = Date.now,
    onLost,
    retentionDays = defaultRetentionDays,
  } = parts;
  const { records: maxRecords = 1_000, bytes: maxBytes = 32 * 1024 * 1024 } = parts.snapshotAfter ?? {};
  const { vault: id, epoch, key } = claimed;
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  let { snapshot: snapshotName, snapshotSeq: publishedSeq } = claimed;
  const last = await prepareCopy(parts, state);
  const log = createCommitLog(
    { pool, store, vault: id, epoch, key },
    { lastSeq: last, ...(onLost && { onLost }) },
  );
  // The journal, the queue and the other logged rows share one position, so that their records are applied in the order
  // of the log.
  let noted: AppliedPosition | null = null;
  let purgeHistory: (() => Promise<void>) | null = null;
  let isPurgeDue = false;
  const opened = await openKeepsake({
    vault,
    state,
    environment: { ...environment, servesOthers: true },
    clock,
    limits: parts.limits,
    sandbox: parts.sandbox,
    replicate: {
      journal: (local, database) =>
        createLoggedJournal(local, log, (noted ??= createAppliedPosition(database, onLost))),
      queue: (local, database) =>
        createLoggedQueue(local, log, (noted ??= createAppliedPosition(database, onLost)), clock),
      // Called while the vault is being opened if a crash interrupted forgetting.
      purge: async () => (purgeHistory === null ? void (isPurgeDue = true) : purgeHistory()),
    },
  });
  opened.state.ensureAdopted();
  const { durable } = opened.state.databases();
  const { flush } = createLoggedRows(durable, log, (noted ??= createAppliedPosition(durable, onLost)));
  const keepsake = flushPeriodically(opened, flush);
  const objects = { store, vault: id, key, epoch };
  let bytesAtSnapshot = 0;
  /** `isPurging`: replaces everything that was stored before, because it contains forgotten words. */
  const takeSnapshot = async ({ isPurging = false } = {}): Promise<void> => {
    const bytes = log.appendedBytes();
    // Named after the epoch, because a process that owned the vault in an earlier epoch may still be copying.
    const copy = join(folder, 'copies', String(epoch));
    const { name, seq } = await uploadCopy(keepsake, objects, {
      copy,
      base: isPurging ? null : snapshotName,
    });
    if (!(await publishSnapshot(pool, claimed, { name, seq }))) return isPurging ? refuseLost(id) : undefined;
    [snapshotName, publishedSeq, bytesAtSnapshot] = [name, seq, bytes];
    const retained = await pruneVaultHistory(pool, claimed, isPurging ? 0 : retentionDays);
    if (retained !== null) await deleteUnreferencedObjects(objects, retained);
  };
  const runExclusive = createLimiter();
  purgeHistory = () =>
    runExclusive(async () => {
      await flush();
      await withSpan({ name: 'snapshot', vault: id }, () => takeSnapshot({ isPurging: true }));
    });
  try {
    // Logs the rows that were written before a crash and are not in the log yet.
    await flush();
    // The log can only be replayed over a snapshot.
    if (snapshotName === null) await withSpan({ name: 'snapshot', vault: id }, () => takeSnapshot());
    if (isPurgeDue) await purgeHistory();
  } catch (error) {
    await keepsake.close();
    throw error;
  }
  return {
    keepsake,
    flushReplication: flush,
    snapshot: () =>
      runExclusive(async () => {
        await flush();
        if (log.lastSeq() > publishedSeq)
          await withSpan({ name: 'snapshot', vault: id }, () => takeSnapshot());
      }),
    isSnapshotDue: () =>
      log.lastSeq() - publishedSeq >= maxRecords || log.appendedBytes() - bytesAtSnapshot >= maxBytes,
    close: async () => void (await keepsake.close()),
  };
}

/** Brings the copy on this disk up to date, from the snapshot if necessary. Returns the number of the last record. */
async function prepareCopy(parts: Parts, state: string): Promise<number> {
  const { pool, store, claimed, folder, environment, clock = Date.now } = parts;
  const { vault, epoch, key, snapshot, claimId, previousClaimId } = claimed;
  const log = { pool, store, vault, key };
  const replayOver = (isRestored: boolean): Promise<number | null> => {
    rmSync(join(folder, 'copies'), { recursive: true, force: true });
    // From here on, the folder follows the log and belongs to this epoch.
    writeFileSync(join(folder, claimFileName), `${epoch} ${claimId}`);
    return replayLog(log, { state, source: claimed, isRestored });
  };
  if (snapshot !== null && readLastClaim(folder) === `${epoch - 1} ${previousClaimId}`) {
    const last = await replayOver(false);
    if (last !== null) return refuseShortened(log, last);
  }
  rmSync(folder, { recursive: true, force: true });
  await materializeVault(log, claimed, { folder, environment, clock });
  return (await replayOver(true)) ?? 0;
}

/** Refuses a log that ends before the last record that this node has applied: acknowledged records were removed from it. */
async function refuseShortened(
  { pool, vault }: { pool: Pool; vault: string },
  last: number,
): Promise<number> {
  const end = await readLogEnd(pool, vault);
  if (end < last)
    throw new HostingError(
      'damaged',
      `the log of vault ${vault} ends with record ${end}, but this node has applied record ${last}`,
      { hint: 'find out who removed records; to accept the loss, delete the copy on this node' },
    );
  return last;
}

function refuseLost(vault: string): never {
  throw new HostingError('lost-vault', `another node has taken over vault ${vault}`);
}

/** Copies the vault and uploads the copy; returns the name of the snapshot and the last record it includes. */
async function uploadCopy(
  keepsake: Keepsake,
  objects: Parameters<typeof uploadSnapshot>[0],
  { copy, base }: { copy: string; base: string | null },
): Promise<{ name: string; seq: number }> {
  rmSync(copy, { recursive: true, force: true });
  await backUp(keepsake, copy);
  const seq = await withDurableDatabase(join(copy, 'state'), (copied) =>
    createAppliedPosition(copied).position(),
  );
  const name = await uploadSnapshot(objects, copy, base);
  rmSync(copy, { recursive: true });
  return { name, seq };
}

/** Replicates the rows that no request waits for, until the vault is closed. */
function flushPeriodically(opened: Keepsake, flush: () => Promise<void>): Keepsake {
  // Errors are ignored here: the log reports a lost vault through `onLost`.
  const timer = setInterval(() => void flush().catch(() => undefined), replicationFlushIntervalMs);
  return {
    ...opened,
    async close() {
      clearInterval(timer);
      await flush().catch(() => undefined);
      return opened.close();
    },
  };
}

/** For writes that no request waits for, such as the cost of model calls. */
const replicationFlushIntervalMs = 1_000;

const claimFileName = 'epoch';

/** The ids of the vaults that have a copy in `folder`. */
export function listLocalCopies(folder: string): string[] {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  return found.filter((vault) => existsSync(join(folder, vault, claimFileName)));
}

export function removeLocalCopy(folder: string, vault: string): Promise<void> {
  return rm(join(folder, vault), { recursive: true, force: true });
}

/** The claim that the local copy belongs to; null when the copy is incomplete or does not exist. */
function readLastClaim(folder: string): string | null {
  const file = join(folder, claimFileName);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
