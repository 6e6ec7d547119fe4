import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { backUp, openKeepsake } from '../../../vault/src/app/index.ts';
import type { Environment, Keepsake } from '../../../vault/src/app/index.ts';
import { inTurn } from '../../../vault/src/contract/index.ts';
import type { Clock, ReadLimits } from '../../../vault/src/contract/index.ts';
import { traced } from '../../../vault/src/trace/index.ts';
import { createCommitLog } from './commit-log.ts';
import { nameSnapshot, trimVault, usualDays } from './kept-snapshots.ts';
import { follow, layDown, withDurable } from './lay-down.ts';
import { createLoggedJournal } from './logged-journal.ts';
import { createLoggedQueue } from './logged-queue.ts';
import { createLoggedRows } from './logged-rows.ts';
import { createNoted } from './noted.ts';
import type { Noted } from './noted.ts';
import type { ObjectStore } from './object-store.ts';
import type { Claimed } from './placement.ts';
import { keepSnapshot, removeUnnamed } from './snapshots.ts';

/** A vault that this node serves. Its folder is a copy: everything that was promised is in the log or in a snapshot. */
export type HostedVault = {
  keepsake: Keepsake;
  /**
   * Puts the whole vault into the object store, if anything was promised since it last was; the log is needed only from there on. Who
   * writes meanwhile hardly waits.
   */
  snapshot: () => Promise<void>;
  /** Whether so much was promised since the last snapshot that another one is due. */
  isSnapshotDue: () => boolean;
  /** Returns once everything that is written by now would survive the loss of this node. */
  settle: () => Promise<void>;
  /** The files stay, for the next time. */
  close(): Promise<void>;
};

type Parts = {
  pool: Pool;
  store: ObjectStore;
  claimed: Claimed;
  /** On the disk of this node, for this vault alone. */
  folder: string;
  environment: Environment;
  clock?: Clock;
  limits?: ReadLimits;
  sandbox?: Parameters<typeof openKeepsake>[0]['sandbox'];
  /** Told once, when nothing can be promised here any more: it is to be closed. */
  onLost?: () => void;
  snapshotAfter?: SnapshotAfter;
  /** For how many days it can be restored. */
  keepFor?: number;
};

/** How much is promised before another snapshot is due. */
export type SnapshotAfter = { records?: number; bytes?: number };

export async function openHosted(parts: Parts): Promise<HostedVault> {
  const { pool, store, claimed, folder, environment, clock = Date.now, onLost, keepFor = usualDays } = parts;
  const { records: mostRecords = 1_000, bytes: mostBytes = 32 * 1024 * 1024 } = parts.snapshotAfter ?? {};
  const { vault: id, epoch, key } = claimed;
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  let { snapshot: newest, snapshotSeq: newestSeq } = claimed;
  if (lastClaimIn(folder) !== `${epoch - 1} ${claimed.claimBefore}` || newest === null) {
    rmSync(folder, { recursive: true, force: true });
    await layDown({ store, vault: id, key }, claimed, { folder, environment, clock });
  }
  rmSync(join(folder, 'copies'), { recursive: true, force: true });
  // From here on it is what the log says, and only this epoch's.
  writeFileSync(join(folder, claimName), `${epoch} ${claimed.claim}`);
  const last = await follow({ pool, store, vault: id, key }, state);
  const log = createCommitLog(
    { pool, store, vault: id, epoch, key },
    { after: last, ...(onLost && { onLost }) },
  );
  /** One for all: what they promise is done here in the order of the log. */
  let noted: Noted | null = null;
  const opened = await openKeepsake({
    vault,
    state,
    environment,
    clock,
    limits: parts.limits,
    sandbox: parts.sandbox,
    replicate: {
      journal: (local, database) =>
        createLoggedJournal(local, log, (noted ??= createNoted(database, onLost))),
      queue: (local, database) =>
        createLoggedQueue(local, log, (noted ??= createNoted(database, onLost)), clock),
    },
  });
  opened.state.adopt();
  const { durable } = opened.state.databases();
  const { settle } = createLoggedRows(durable, log, (noted ??= createNoted(durable, onLost)));
  // Who loses the vault is told by the log.
  const settling = setInterval(() => void settle().catch(() => undefined), settleEvery);
  const keepsake: Keepsake = {
    ...opened,
    async close() {
      clearInterval(settling);
      await settle().catch(() => undefined);
      return opened.close();
    },
  };
  const objects = { store, vault: id, key, epoch };
  let newestBytes = 0;
  const takeSnapshot = async (): Promise<void> => {
    // Of this epoch: one that lost the vault may still be at work.
    const copy = join(folder, 'copies', String(epoch));
    const bytes = log.appendedBytes();
    rmSync(copy, { recursive: true, force: true });
    await backUp(keepsake, copy);
    const seq = await withDurable(join(copy, 'state'), (copied) => createNoted(copied).position());
    const name = await keepSnapshot(objects, copy, newest);
    rmSync(copy, { recursive: true });
    if (!(await nameSnapshot(pool, claimed, { name, seq }))) return;
    [newest, newestSeq, newestBytes] = [name, seq, bytes];
    const kept = await trimVault(pool, claimed, keepFor);
    if (kept !== null) await removeUnnamed(objects, kept);
  };
  const takeTurn = inTurn();
  try {
    // What was written here when the process ended, and is in no record.
    await settle();
    // Nothing can be played back over nothing.
    if (newest === null) await traced({ work: 'snapshot', vault: id }, takeSnapshot);
  } catch (error) {
    await keepsake.close();
    throw error;
  }
  return {
    keepsake,
    settle,
    snapshot: () =>
      takeTurn(async () => {
        await settle();
        if (log.last() > newestSeq) await traced({ work: 'snapshot', vault: id }, takeSnapshot);
      }),
    isSnapshotDue: () =>
      log.last() - newestSeq >= mostRecords || log.appendedBytes() - newestBytes >= mostBytes,
    close: async () => void (await keepsake.close()),
  };
}

/** For what no request waits for, as the cost of models. */
const settleEvery = 1_000;

const claimName = 'epoch';

/** The vaults of which a node has a copy there. */
export function copiesIn(folder: string): string[] {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  return found.filter((vault) => existsSync(join(folder, vault, claimName)));
}

export function removeCopy(folder: string, vault: string): void {
  rmSync(join(folder, vault), { recursive: true, force: true });
}

/** By which claim this node has last had it; null when what is there was begun and not finished, or when nothing is. */
function lastClaimIn(folder: string): string | null {
  const file = join(folder, claimName);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
