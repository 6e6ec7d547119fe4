import type { Database } from 'better-sqlite3';
import { createJournal } from '../../../vault/src/changes/index.ts';
import { createSqliteQueue, splitInput } from '../../../vault/src/queue/index.ts';
import { HostingError } from './error.ts';
import { applyRows } from './logged-rows.ts';
import { createAppliedPosition, isDeterministicRejection } from './applied-position.ts';
import type { LogRecord } from './records.ts';

/**
 * Applies the log to the journal, the queue and the other replicated tables on this disk. The files of the vault are
 * updated when it is opened, as after a crash. Returns the number of the last record.
 */
export async function replay(
  durable: Database,
  read: (after: number) => AsyncIterable<{ seq: number; record: LogRecord }>,
): Promise<number> {
  const noted = createAppliedPosition(durable);
  const [journal, queue] = [createJournal(durable), createSqliteQueue(durable, Date.now)];
  const play = async (record: Exclude<LogRecord, { kind: 'restored' }>): Promise<void> => {
    switch (record.kind) {
      case 'begun':
        return journal.append(record.entry, record.changes, record.taking);
      case 'reverted':
        return journal.setState(record.id, 'reverted');
      case 'decided':
        return void (await journal.recordDecision(record.id, record.decision));
      case 'accepted': {
        const { input, files } = (record.files === undefined ? splitInput(record.input) : null) ?? record;
        return void (await queue.accept(input, { ...record, files, as: record }));
      }
      case 'cancelled':
        return void (await queue.cancel(record.id));
      case 'retried':
        return void (await queue.retry(record.id));
      case 'rows':
        return applyRows(durable, record.rows);
    }
  };
  for await (const { seq, record } of read(noted.position())) {
    if (record.kind === 'restored')
      throw new HostingError('damaged', `the snapshot that record ${seq} restored is missing`);
    await noted
      .apply(seq, () => play(record))
      .catch((error: unknown) => {
        // The record has already been applied, or was also rejected when it was first applied.
        if (!isDeterministicRejection(error)) throw error;
      });
  }
  journal.flush();
  return noted.position();
}
