import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { fsyncTreeAndParents, openDurable } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import type { Clock } from '../../../vault/src/contract/index.ts';
import { initVault } from '../../../vault/src/vault/index.ts';
import { readLog } from './commit-log.ts';
import { createAppliedPosition } from './applied-position.ts';
import { HostingError } from './error.ts';
import { replay } from './replay.ts';
import { parseSnapshotSeq, restoreSnapshot } from './snapshots.ts';

/** A snapshot, and the record that it ends with; null for a vault that has none yet. */
type SnapshotSource = { snapshot: string | null; snapshotSeq: number };
type MaterializeOptions = { folder: string; environment: Environment; clock: Clock };

/** Creates `folder` with `vault` and `state` in it, from the snapshot, or as a new vault when there is no snapshot. */
export async function materializeVault(
  parts: Parameters<typeof restoreSnapshot>[0],
  { snapshot }: SnapshotSource,
  { folder, environment, clock }: MaterializeOptions,
): Promise<void> {
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  if (snapshot === null) {
    initVault(vault, { ...environment, clock });
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await restoreSnapshot(parts, snapshot, folder);
  fsyncTreeAndParents(folder);
}

type ReplayOptions = {
  state: string;
  source: SnapshotSource;
  /** Whether the folder was restored from `source`, and not left from an earlier opening. */
  isRestored: boolean;
  /** Default: the last record. */
  to?: number | undefined;
};

/**
 * Replays the log up to record `to` over a local copy. Returns the number of the last record, or null, without changes,
 * for a copy that is older than the snapshot.
 */
export function replayLog(
  parts: Parameters<typeof readLog>[0],
  { state, source, isRestored, to }: ReplayOptions,
): Promise<number | null> {
  return withDurableDatabase(state, async (durable) => {
    const applied = createAppliedPosition(durable);
    if (isRestored) {
      checkSnapshotSeq(parts.vault, source, applied.position());
      applied.set(source.snapshotSeq);
    } else if (applied.position() < source.snapshotSeq) return null;
    return replay(durable, (after) => readLog(parts, after, to));
  });
}

/**
 * The database says which record a snapshot ends with, so a changed number would skip or repeat records. The sealed
 * snapshot knows it, too: by its name if it was made by an import or a restore, else by its position.
 */
function checkSnapshotSeq(vault: string, { snapshot, snapshotSeq }: SnapshotSource, position: number): void {
  const sealedSeq = snapshot === null ? 0 : (parseSnapshotSeq(snapshot) ?? position);
  if (sealedSeq === snapshotSeq) return;
  throw new HostingError(
    'damaged',
    `the snapshot of vault ${vault} does not end with record ${snapshotSeq}: the row was changed`,
  );
}

/** Opens the durable database of a state folder while `work` runs. No other process may have it open. */
export async function withDurableDatabase<Value>(
  state: string,
  work: (durable: Database) => Value | Promise<Value>,
): Promise<Value> {
  const durable = openDurable(state);
  try {
    return await work(durable);
  } finally {
    durable.close();
  }
}
