import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { backUp, openDurable, openKeepsake, restoreBackup } from '../app/index.ts';
import type { Environment, Keepsake } from '../app/index.ts';
import { inTurn } from '../contract/index.ts';
import type { Clock, ReadLimits } from '../contract/index.ts';
import { traced } from '../trace/index.ts';
import { initVault } from '../vault/index.ts';
import { createCommitLog, readLog } from './commit-log.ts';
import { HostingError } from './error.ts';
import { createLoggedJournal } from './logged-journal.ts';
import { createLoggedQueue } from './logged-queue.ts';
import { createLoggedRows } from './logged-rows.ts';
import { createNoted } from './noted.ts';
import type { Noted } from './noted.ts';
import type { ObjectStore } from './object-store.ts';
import type { Claimed } from './placement.ts';
import { replay } from './replay.ts';
import { keepSnapshot, layDownSnapshot, removeUnnamed } from './snapshots.ts';
import { readVault } from './vault-registry.ts';

/** A vault that this node serves. Its folder is a copy: everything that was promised is in the log or in a snapshot. */
export type HostedVault = {
  keepsake: Keepsake;
  /** Puts the whole vault into the object store; the log is needed only from there on. Who writes meanwhile hardly waits. */
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
  /** Told once, when nothing can be promised here any more: it is to be closed. */
  onLost?: () => void;
  snapshotAfter?: SnapshotAfter;
};

/** How much is promised before another snapshot is due. */
export type SnapshotAfter = { records?: number; bytes?: number };

export async function openHosted(parts: Parts): Promise<HostedVault> {
  const { pool, store, claimed, folder, environment, clock = Date.now, onLost } = parts;
  const { records: mostRecords = 1_000, bytes: mostBytes = 32 * 1024 * 1024 } = parts.snapshotAfter ?? {};
  const { vault: id, epoch, key } = claimed;
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  let { snapshot: newest, snapshotSeq: newestSeq } = claimed;
  if (lastEpochIn(folder) !== epoch - 1 || newest === null) {
    rmSync(folder, { recursive: true, force: true });
    await layDown({ store, vault: id, key }, newest, { folder, vault, state, environment, clock });
  }
  rmSync(join(folder, 'copies'), { recursive: true, force: true });
  // From here on it is what the log says, and only this epoch's.
  writeFileSync(join(folder, epochName), String(epoch));
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
    const seq = positionIn(join(copy, 'state'));
    const name = await keepSnapshot(objects, copy, newest);
    rmSync(copy, { recursive: true });
    const { rowCount } = await pool.query(
      'update vaults set snapshot = $3, snapshot_seq = $4 where id = $1 and epoch = $2',
      [id, epoch, name, seq],
    );
    if (rowCount === 0) return;
    [newest, newestSeq, newestBytes] = [name, seq, bytes];
    await pool.query('delete from log where vault = $1 and seq <= $2', [id, seq]);
    await removeUnnamed(objects, name, seq);
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
    snapshot: () => takeTurn(() => traced({ work: 'snapshot', vault: id }, takeSnapshot)),
    isSnapshotDue: () =>
      log.last() - newestSeq >= mostRecords || log.appendedBytes() - newestBytes >= mostBytes,
    close: async () => void (await keepsake.close()),
  };
}

type Exporting = { pool: Pool; store: ObjectStore; rootKey: Buffer; environment: Environment };

/**
 * A vault as of its last promise, with its history, in a folder that is not there yet; whoever serves it goes on. When a snapshot is
 * made meanwhile, what it replaces may be gone, so it begins anew.
 */
export async function exportVault(parts: Exporting, id: string, folder: string): Promise<void> {
  const { pool, store, rootKey, environment } = parts;
  if (existsSync(folder)) throw new HostingError('bad-settings', `${folder} is there already`);
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  for (;;) {
    const { key, snapshot } = await readVault(pool, rootKey, id);
    try {
      await layDown({ store, vault: id, key }, snapshot, {
        folder,
        vault,
        state,
        environment,
        clock: Date.now,
      });
      await follow({ pool, store, vault: id, key }, state);
      const keepsake = await openKeepsake({ vault, state, environment });
      return void (await keepsake.close());
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      if ((await readVault(pool, rootKey, id)).snapshot === snapshot) throw error;
    }
  }
}

/** For what no request waits for, as the cost of models. */
const settleEvery = 1_000;

const epochName = 'epoch';

/** The vaults of which a node has a copy there. */
export function copiesIn(folder: string): string[] {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  return found.filter((vault) => existsSync(join(folder, vault, epochName)));
}

export function removeCopy(folder: string, vault: string): void {
  rmSync(join(folder, vault), { recursive: true, force: true });
}

/** In which epoch this node has last had it; null when what is there was begun and not finished, or when nothing is. */
function lastEpochIn(folder: string): number | null {
  const file = join(folder, epochName);
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : null;
}

function positionIn(state: string): number {
  const database = openDurable(state);
  try {
    return createNoted(database).position();
  } finally {
    database.close();
  }
}

type Places = { folder: string; vault: string; state: string; environment: Environment; clock: Clock };

/** As of a snapshot, or new when there is none. */
async function layDown(
  parts: Parameters<typeof layDownSnapshot>[0],
  name: string | null,
  { folder, vault, state, environment, clock }: Places,
): Promise<void> {
  if (name === null) {
    initVault(vault, { ...environment, clock });
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return;
  }
  const copy = join(folder, 'copy');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await layDownSnapshot(parts, name, copy);
  await restoreBackup(copy, { to: vault, state, environment });
  rmSync(copy, { recursive: true });
}

/** Plays back what the log has; gives the number of the last record. */
async function follow(parts: Parameters<typeof readLog>[0], state: string): Promise<number> {
  const durable = openDurable(state);
  try {
    return await replay(durable, (after) => readLog(parts, after));
  } finally {
    durable.close();
  }
}
