import type { Pool } from 'pg';
import { inTurn } from '../../../vault/src/contract/index.ts';
import { traced } from '../../../vault/src/trace/index.ts';
import { HostingError } from './error.ts';
import type { ObjectStore } from './object-store.ts';
import { decodeRecord, encodeRecord } from './records.ts';
import type { LogRecord } from './records.ts';
import { nameOfContent, seal, unseal } from './sealing.ts';

export type CommitLog = {
  /**
   * Returns the number of the last once all would survive the loss of this node, in the order of the calls. Throws `lost-vault` when
   * another node has the vault, and from then on for everything.
   */
  append(records: readonly LogRecord[]): Promise<number>;
  /** The number of the last record in it. */
  last(): number;
  /** How much this node has appended. */
  appendedBytes(): number;
};

export type LogParts = { pool: Pool; store: ObjectStore; vault: string; epoch: number; key: Buffer };

/** A longer record is an object, which lies in the store before the row that names it. */
const longestRow = 256 * 1024;

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
  { pool, store, vault, epoch, key }: LogParts,
  { after, onLost = () => undefined }: LogOptions,
): CommitLog {
  const takeTurn = inTurn();
  let last = after;
  let bytes = 0;
  let lost: HostingError | null = null;
  const lose = (error: HostingError): HostingError => {
    lost = error;
    onLost();
    return error;
  };
  const sealRow = async (record: LogRecord, seq: number): Promise<Buffer> => {
    const encoded = encodeRecord(record);
    bytes += encoded.length;
    if (encoded.length <= longestRow) return seal(key, sealedAs(vault, seq), encoded);
    const object = recordName({ vault, epoch, seq }, nameOfContent(key, encoded));
    await store.put(object, seal(key, object, encoded));
    return seal(key, sealedAs(vault, seq), encodeRecord({ kind: 'stored', object }));
  };
  return {
    last: () => last,
    appendedBytes: () => bytes,
    append: (records) =>
      traced({ work: 'append', vault, count: records.length }, () =>
        takeTurn(async () => {
          if (lost !== null) throw lost;
          const seqs = records.map((_, index) => last + 1 + index);
          const sealed = await Promise.all(records.map((record, index) => sealRow(record, last + 1 + index)));
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
      ),
  };
}

/**
 * What was promised after a record, in order, up to another one or to the last; read in portions, because a vault may have promised
 * much since its last snapshot.
 */
export async function* readLog(
  { pool, store, vault, key }: Omit<LogParts, 'epoch'>,
  after: number,
  to: number | null = null,
): AsyncGenerator<{ seq: number; record: LogRecord }> {
  for (let last = after; ;) {
    const { rows } = await pool.query<{ seq: string; sealed: Buffer }>(
      `select seq, sealed from log where vault = $1 and seq > $2 and ($3::bigint is null or seq <= $3)
       order by seq limit 100`,
      [vault, last, to],
    );
    if (rows.length === 0) return;
    for (const { seq, sealed } of rows) {
      const number = Number(seq);
      if (number !== last + 1)
        throw new HostingError('damaged', `record ${last + 1} of the vault ${vault} is missing`);
      const record = decodeRecord(unseal(key, sealedAs(vault, number), sealed));
      yield {
        seq: number,
        record:
          record.kind === 'stored'
            ? (decodeRecord(unseal(key, record.object, await store.get(record.object))) as LogRecord)
            : record,
      };
      last = number;
    }
  }
}

/** Of an object that holds a record; its number tells when nobody needs it any more. */
function recordName(
  { vault, epoch, seq }: { vault: string; epoch: number; seq: number },
  content: string,
): string {
  return `${vault}/${epoch}/records/${seq}-${content}`;
}

/** The number of the record that an object holds; null for another object. */
export function recordIn(object: string): number | null {
  const seq = /^[^/]+\/\d+\/records\/(\d+)-/.exec(object)?.[1];
  return seq === undefined ? null : Number(seq);
}

/** As what a row is sealed. */
export function sealedAs(vault: string, seq: number): string {
  return `record ${seq} of ${vault}`;
}

const uniqueViolation = '23505';

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === uniqueViolation;
}
