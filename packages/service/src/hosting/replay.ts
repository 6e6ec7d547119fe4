import type { Database } from 'better-sqlite3';
import { createJournal } from '../../../vault/src/changes/index.ts';
import { createSqliteQueue, splitInput } from '../../../vault/src/queue/index.ts';
import { HostingError } from './error.ts';
import { layDownRows } from './logged-rows.ts';
import { createNoted, isRefusal } from './noted.ts';
import type { LogRecord } from './records.ts';

/**
 * Brings journal, queue and rows on this disk up to the log; the files follow when the vault is opened, as after a crash. Gives the number
 * of the last record.
 */
export async function replay(
  durable: Database,
  read: (after: number) => AsyncIterable<{ seq: number; record: LogRecord }>,
): Promise<number> {
  const noted = createNoted(durable);
  const [journal, queue] = [createJournal(durable), createSqliteQueue(durable, Date.now)];
  const play = async (record: Exclude<LogRecord, { kind: 'restored' }>): Promise<void> => {
    switch (record.kind) {
      case 'begun':
        return journal.begin(record.entry, record.changes, record.taking);
      case 'reverted':
        return journal.mark(record.id, 'reverted');
      case 'decided':
        return void (await journal.decide(record.id, record.decision));
      case 'accepted': {
        const { input, files } = (record.files === undefined ? splitInput(record.input) : null) ?? record;
        return void (await queue.accept(input, { files, key: record.key, as: record }));
      }
      case 'cancelled':
        return void (await queue.cancel(record.id));
      case 'retried':
        return void (await queue.retry(record.id));
      case 'rows':
        return layDownRows(durable, record.rows);
    }
  };
  for await (const { seq, record } of read(noted.position())) {
    if (record.kind === 'restored')
      throw new HostingError('damaged', `the snapshot that record ${seq} has restored is missing`);
    await noted
      .after(seq, () => play(record))
      .catch((error: unknown) => {
        // It is there already, or was refused then as well.
        if (!isRefusal(error)) throw error;
      });
  }
  journal.flush();
  return noted.position();
}
