import type { Database } from 'better-sqlite3';
import { createLimiter } from '../../../vault/src/contract/index.ts';
import { writeUnsynced } from '../../../vault/src/queue/index.ts';
import { errorCode, VaultError } from '../../../vault/src/vault/index.ts';
import { HostingError } from './error.ts';

/** The number of the last log record that was applied on this disk. It is stored in, and copied with, the journal. */
export type AppliedPosition = {
  position(): number;
  /** Sets the position in a restored copy, which still has the position of an earlier record. */
  set(seq: number): void;
  /**
   * Applies a record after all earlier ones, then advances the position. A process that crashes in between applies the record again,
   * which has no effect. When a logged record cannot be applied here, all later calls fail: the vault has to be reopened.
   */
  apply<Value>(seq: number, locally: () => Promise<Value>): Promise<Value>;
};

/** Calls `onLost` once, when a logged record cannot be applied on this disk. */
export function createAppliedPosition(
  durable: Database,
  onLost: () => void = () => undefined,
): AppliedPosition {
  durable.exec(
    `create table if not exists replicated (only integer primary key check (only = 1), seq integer not null);
     create table if not exists applied_access (
       only integer primary key check (only = 1), version integer not null, id text not null,
       confirmed_at integer not null);`,
  );
  const select = durable.prepare('select seq from replicated').pluck();
  const insert = durable.prepare('insert or replace into replicated values (1, ?)');
  // Without fsync: applying the last record again after a crash has no effect.
  const set = (seq: number): void => void writeUnsynced(durable, () => insert.run(seq));
  const runExclusive = createLimiter();
  let failed: HostingError | null = null;
  return {
    position: () => Number(select.get() ?? 0),
    set,
    apply: (seq, locally) =>
      runExclusive(async () => {
        if (failed !== null) throw failed;
        try {
          const value = await locally();
          set(seq);
          return value;
        } catch (cause) {
          if (isDeterministicRejection(cause)) set(seq);
          else {
            failed = new HostingError('unavailable', 'this node cannot write to its disk', {
              hint: 'retry shortly',
              cause,
            });
            onLost();
          }
          throw failed ?? cause;
        }
      }),
  };
}

/** Whether the journal itself rejected the record; it would reject it again on replay. */
export function isDeterministicRejection(error: unknown): boolean {
  return (
    errorCode(error)?.startsWith('SQLITE_CONSTRAINT') === true ||
    (error instanceof VaultError && error.code === 'made-already')
  );
}
