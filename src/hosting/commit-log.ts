import type { Pool } from 'pg';
import { inTurn } from '../contract/index.ts';
import { HostingError } from './error.ts';
import { decodeRecord, encodeRecord } from './records.ts';
import type { LogRecord } from './records.ts';
import { seal, unseal } from './sealing.ts';

export type CommitLog = {
  /**
   * Returns the number of the last once all would survive the loss of this node, in the order of the calls. Throws `lost-vault` when
   * another node has the vault, and from then on for everything.
   */
  append(records: readonly LogRecord[]): Promise<number>;
};

export type LogParts = { pool: Pool; vault: string; epoch: number; key: Buffer };

type LogOptions = {
  /** The last record that is in it already. */
  after: number;
  /** Told once, when nothing can be promised any more: the vault is to be opened anew, here or elsewhere. */
  onLost?: () => void;
};

/**
 * The fence is a primary key and the epoch: the row of the vault is locked against a claim while its owner appends, so a new owner
 * reads everything that an earlier one has promised, and an earlier one promises nothing more.
 */
const appendRows = `
  with held as (select id from vaults where id = $1 and epoch = $2 for share)
  insert into log (vault, seq, epoch, sealed)
  select held.id, row.seq, $2, row.sealed from held, unnest($3::bigint[], $4::bytea[]) as row (seq, sealed)`;

export function createCommitLog(
  { pool, vault, epoch, key }: LogParts,
  { after, onLost = () => undefined }: LogOptions,
): CommitLog {
  const takeTurn = inTurn();
  let last = after;
  let lost: HostingError | null = null;
  const lose = (error: HostingError): HostingError => {
    lost = error;
    onLost();
    return error;
  };
  return {
    append: (records) =>
      takeTurn(async () => {
        if (lost !== null) throw lost;
        const seqs = records.map((_, index) => last + 1 + index);
        const sealed = records.map((record, index) =>
          seal(key, sealedAs(vault, last + 1 + index), encodeRecord(record)),
        );
        const inserted = await pool
          .query(appendRows, [vault, epoch, seqs, sealed])
          .catch((cause: unknown) => {
            if (isTaken(cause)) return { rowCount: 0 };
            // Whether they were written is not known: only the log can tell, so this node has to begin anew.
            throw lose(
              new HostingError('unavailable', 'what is promised cannot be written down', {
                mend: 'try again in a moment',
                cause,
              }),
            );
          });
        if (inserted.rowCount !== records.length)
          throw lose(
            new HostingError('lost-vault', 'another node serves this vault now', { mend: 'try again' }),
          );
        last += records.length;
        return last;
      }),
  };
}

/** What was promised after a record, in order; read in portions, because a vault may have promised much since its last snapshot. */
export async function* readLog(
  { pool, vault, key }: Omit<LogParts, 'epoch'>,
  after: number,
): AsyncGenerator<{ seq: number; record: LogRecord }> {
  for (let last = after; ;) {
    const { rows } = await pool.query<{ seq: string; sealed: Buffer }>(
      'select seq, sealed from log where vault = $1 and seq > $2 order by seq limit 100',
      [vault, last],
    );
    if (rows.length === 0) return;
    for (const { seq, sealed } of rows) {
      const number = Number(seq);
      if (number !== last + 1)
        throw new HostingError('damaged', `record ${last + 1} of the vault ${vault} is missing`);
      yield { seq: number, record: decodeRecord(unseal(key, sealedAs(vault, number), sealed)) };
      last = number;
    }
  }
}

function sealedAs(vault: string, seq: number): string {
  return `record ${seq} of ${vault}`;
}

const uniqueViolation = '23505';

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === uniqueViolation;
}
