import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { fsyncTreeAndParents, openDurable } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import type { Clock } from '../../../vault/src/contract/index.ts';
import { initVault } from '../../../vault/src/vault/index.ts';
import { readLog } from './commit-log.ts';
import { createAppliedPosition } from './applied-position.ts';
import { replay } from './replay.ts';
import { restoreSnapshot } from './snapshots.ts';

type MaterializeOptions = { folder: string; environment: Environment; clock: Clock };

/** Creates `folder` with `vault` and `state` in it, from the snapshot, or as a new vault when there is no snapshot. */
export async function materializeVault(
  parts: Parameters<typeof restoreSnapshot>[0],
  { snapshot, snapshotSeq }: { snapshot: string | null; snapshotSeq: number },
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
  // A snapshot that a restore created contains an older position than `snapshotSeq`, the number of the record for which
  // it was published.
  await withDurableDatabase(state, (durable) => createAppliedPosition(durable).set(snapshotSeq));
}

/** Replays the log up to record `to`, or completely. Returns the number of the last record. */
export function replayLog(parts: Parameters<typeof readLog>[0], state: string, to?: number): Promise<number> {
  return withDurableDatabase(state, (durable) => replay(durable, (after) => readLog(parts, after, to)));
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
