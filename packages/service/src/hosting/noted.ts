import type { Database } from 'better-sqlite3';
import { inTurn } from '../../../vault/src/contract/index.ts';
import { writeUnsynced } from '../../../vault/src/queue/index.ts';
import { systemCode, VaultError } from '../../../vault/src/vault/index.ts';
import { HostingError } from './error.ts';

/** Up to which record of the log a vault on this disk has come. It lies with the journal, and so in every copy of it. */
export type Noted = {
  position(): number;
  /** Says how far it has come, of a copy that does not know. */
  note(seq: number): void;
  /**
   * Does here what a record says, after everything that earlier records say, and notes it. A process that ends between the two
   * does the same record again, which changes nothing. What cannot be done here, though the log has it, ends all further work:
   * the vault has to be opened anew.
   */
  after<Value>(seq: number, locally: () => Promise<Value>): Promise<Value>;
};

/** `onLost` is told once, when something cannot be done here that the log has. */
export function createNoted(durable: Database, onLost: () => void = () => undefined): Noted {
  durable.exec(
    'create table if not exists replicated (only integer primary key check (only = 1), seq integer not null)',
  );
  const select = durable.prepare('select seq from replicated').pluck();
  const insert = durable.prepare('insert or replace into replicated values (1, ?)');
  // One record more to do again costs nothing.
  const note = (seq: number): void => void writeUnsynced(durable, () => insert.run(seq));
  const takeTurn = inTurn();
  let failed: HostingError | null = null;
  return {
    position: () => Number(select.get() ?? 0),
    note,
    after: (seq, locally) =>
      takeTurn(async () => {
        if (failed !== null) throw failed;
        try {
          const value = await locally();
          note(seq);
          return value;
        } catch (cause) {
          if (isRefusal(cause)) note(seq);
          else {
            failed = new HostingError('unavailable', 'the disk of this node does not take what is promised', {
              mend: 'try again in a moment',
              cause,
            });
            onLost();
          }
          throw failed ?? cause;
        }
      }),
  };
}

/** Of the journal itself, which would refuse it again. */
export function isRefusal(error: unknown): boolean {
  return (
    systemCode(error)?.startsWith('SQLITE_CONSTRAINT') === true ||
    (error instanceof VaultError && error.code === 'made-already')
  );
}
