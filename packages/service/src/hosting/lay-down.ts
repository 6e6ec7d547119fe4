import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { flushTree, openDurable } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import type { Clock } from '../../../vault/src/contract/index.ts';
import { initVault } from '../../../vault/src/vault/index.ts';
import { readLog } from './commit-log.ts';
import { createNoted } from './noted.ts';
import { replay } from './replay.ts';
import { layDownSnapshot } from './snapshots.ts';

type Places = { folder: string; environment: Environment; clock: Clock };

/** Puts a vault as of a snapshot, or a new one when there is none, into `vault` and `state` of a folder that is not there yet. */
export async function layDown(
  parts: Parameters<typeof layDownSnapshot>[0],
  { snapshot, snapshotSeq }: { snapshot: string | null; snapshotSeq: number },
  { folder, environment, clock }: Places,
): Promise<void> {
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  if (snapshot === null) {
    initVault(vault, { ...environment, clock });
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await layDownSnapshot(parts, snapshot, folder);
  flushTree(folder);
  // One that was restored is as of an earlier record than the one that it stands for.
  await withDurable(state, (durable) => createNoted(durable).note(snapshotSeq));
}

/** Plays back what the log has, up to a record or all of it; gives the number of the last record. */
export function follow(parts: Parameters<typeof readLog>[0], state: string, to?: number): Promise<number> {
  return withDurable(state, (durable) => replay(durable, (after) => readLog(parts, after, to)));
}

/** Of a state folder that nobody has open, for as long as the work takes. */
export async function withDurable<Value>(
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
