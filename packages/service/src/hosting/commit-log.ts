import type { Pool } from 'pg';
import { createLimiter } from '../../../vault/src/contract/index.ts';
import { withSpan } from '../../../vault/src/trace/index.ts';
import { HostingError } from './error.ts';
import type { ObjectStore } from './object-store.ts';
import { decodeRecord, encodeRecord } from './records.ts';
import type { LogRecord } from './records.ts';
import { hashContent, seal, unseal } from './sealing.ts';

export type CommitLog = {
  /**
   * Appends in the order of the calls. Resolves with the number of the last record once all of them would survive the loss of this node.
   * Throws `lost-vault` when another node owns the vault; every later call then fails, too.
   */
  append(records: readonly LogRecord[]): Promise<number>;
  /** The number of the last record in the log. */
  lastSeq(): number;
  /** How many bytes this node has appended. */
  appendedBytes(): number;
};

export type CommitLogDependencies = {
  pool: Pool;
  store: ObjectStore;
  vault: string;
  epoch: number;
  key: Buffer;
};

/** A longer record is stored in the object store before the row that refers to it is inserted. */
const maxInlineRecordBytes = 256 * 1024;

type LogOptions = {
  /** The number of the last record that the log already contains. */
  lastSeq: number;
  /** Called once, when this node can no longer commit: the vault has to be reopened, here or on another node. */
  onLost?: () => void;
};

/**
 * Fences off previous owners by the epoch and the primary key. The owner locks the row of the vault against claims
 * while it appends, so a new owner reads every committed record, and a previous owner can no longer commit.
 */
const appendRows = `
  with held as (select id from vaults where id = $1 and epoch = $2 for share)
  insert into log (vault, seq, epoch, sealed)
  select held.id, row.seq, $2, row.sealed from held, unnest($3::bigint[], $4::bytea[]) as row (seq, sealed)`;

export function createCommitLog(
  { pool, store, vault, epoch, key }: CommitLogDependencies,
  { lastSeq, onLost = () => undefined }: LogOptions,
): CommitLog {
  const runExclusive = createLimiter();
  let last = lastSeq;
  let bytes = 0;
  let leaseError: HostingError | null = null;
  const markLost = (error: HostingError): HostingError => {
    leaseError = error;
    onLost();
    return error;
  };
  const sealRow = async (record: LogRecord, seq: number): Promise<Buffer> => {
    const encoded = encodeRecord(record);
    bytes += encoded.length;
    if (encoded.length <= maxInlineRecordBytes) return seal(key, recordAad(vault, seq), encoded);
    const object = recordObjectName({ vault, epoch, seq }, hashContent(key, encoded));
    await store.put(object, seal(key, object, encoded));
    return seal(key, recordAad(vault, seq), encodeRecord({ kind: 'stored', object }));
  };
  return {
    lastSeq: () => last,
    appendedBytes: () => bytes,
    append: (records) =>
      withSpan({ name: 'append', vault, count: records.length }, () =>
        runExclusive(async () => {
          if (leaseError !== null) throw leaseError;
          const seqs = records.map((_, index) => last + 1 + index);
          const sealed = await Promise.all(records.map((record, index) => sealRow(record, last + 1 + index)));
          const inserted = await pool
            .query(appendRows, [vault, epoch, seqs, sealed])
            .catch((cause: unknown) => {
              if (isUniqueViolation(cause)) return { rowCount: 0 };
              // The insert may or may not have been committed. Only the log can tell, so the vault has to be reopened from it.
              throw markLost(
                new HostingError('unavailable', 'the commit log is unavailable', {
                  hint: 'retry shortly',
                  cause,
                }),
              );
            });
          if (inserted.rowCount !== records.length)
            throw markLost(
              new HostingError('lost-vault', 'another node now owns this vault', { hint: 'retry' }),
            );
          last += records.length;
          return last;
        }),
      ),
  };
}

/**
 * Reads the records after `after`, in order, up to `to` or the last one. It reads in batches, because a vault may have committed a lot
 * since its last snapshot.
 */
export async function* readLog(
  { pool, store, vault, key }: Omit<CommitLogDependencies, 'epoch'>,
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
        throw new HostingError('damaged', `commit log gap: record ${last + 1} of vault ${vault} is missing`);
      const record = decodeRecord(unseal(key, recordAad(vault, number), sealed));
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

/** The number of the last record of a vault, also if a snapshot includes it. */
export async function readLogEnd(pool: Pool, vault: string): Promise<number> {
  const { rows } = await pool.query<{ last: string }>(
    'select greatest(snapshot_seq, (select max(seq) from log where vault = id)) as last from vaults where id = $1',
    [vault],
  );
  return Number(rows[0]?.last ?? 0);
}

/**
 * The name of an object that holds a record. It contains the number of the record, so that the record can be deleted
 * once every retained snapshot includes it.
 */
function recordObjectName(
  { vault, epoch, seq }: { vault: string; epoch: number; seq: number },
  content: string,
): string {
  return `${vault}/${epoch}/records/${seq}-${content}`;
}

/** The number of the record that an object holds; null when the object holds no record. */
export function parseRecordSeq(object: string): number | null {
  const seq = /^[^/]+\/\d+\/records\/(\d+)-/.exec(object)?.[1];
  return seq === undefined ? null : Number(seq);
}

/** The additional authenticated data of a row. */
export function recordAad(vault: string, seq: number): string {
  return `record ${seq} of ${vault}`;
}

const uniqueViolation = '23505';

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === uniqueViolation;
}
