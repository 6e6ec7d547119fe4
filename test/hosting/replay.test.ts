import { describe, expect, it, onTestFinished } from 'vitest';
import { openDurable } from '../../packages/vault/src/app/index.ts';
import { decodeRecord, encodeRecord } from '../../packages/service/src/hosting/records.ts';
import type { LogRecord } from '../../packages/service/src/hosting/records.ts';
import { createAppliedPosition } from '../../packages/service/src/hosting/applied-position.ts';
import { createLoggedRows } from '../../packages/service/src/hosting/logged-rows.ts';
import { replay } from '../../packages/service/src/hosting/replay.ts';
import { createSqliteQueue } from '../../packages/vault/src/queue/index.ts';
import { temporaryFolder } from '../temporary-vault.ts';

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
const source = { kind: 'other', name: 'mail' };
const bytes = Buffer.from(Array.from({ length: 1_500_000 }, (_, index) => (index * 7) % 253));

const records: Record<string, LogRecord> = {
  'of this version': {
    kind: 'accepted',
    id,
    at: 5,
    input: { text: 'x', source },
    files: [{ name: 'a.pdf', bytes }],
    key: 'a-key',
  },
  'of earlier versions, with files as base64': {
    kind: 'accepted',
    id,
    at: 5,
    input: { text: 'x', source, files: [{ name: 'a.pdf', data: bytes.toString('base64') }] },
    key: 'a-key',
  },
};

it.each(Object.entries(records))('an accepted update is replayed from a record %s', async (_, record) => {
  const durable = openDurable(temporaryFolder());
  onTestFinished(() => void durable.close());
  const decoded = decodeRecord(encodeRecord(record)) as LogRecord;
  const read = async function* () {
    yield { seq: 1, record: decoded };
  };
  await replay(durable, read);
  // As after a crash before the position was stored.
  durable.exec('delete from replicated');
  await replay(durable, read);
  const queue = createSqliteQueue(durable, Date.now);
  const update = queue.find(id);
  expect(update).toMatchObject({ id, acceptedAt: 5, input: { text: 'x', source }, state: 'waiting' });
  expect(update?.input).not.toHaveProperty('files');
  const [file] = update === undefined ? [] : await queue.readFiles(update);
  expect(file?.name).toBe('a.pdf');
  expect(Buffer.compare(file?.bytes ?? Buffer.of(), bytes)).toBe(0);
});

describe('rows of a table that an earlier version had', () => {
  it('are left out of a replay', async () => {
    const durable = openDurable(temporaryFolder());
    onTestFinished(() => void durable.close());
    const spend = { table: 'spend' as const, key: ['2026-11-17'], row: { day: '2026-11-17', cost: 1 } };
    const rows = [{ table: 'share_links' as never, key: ['1'], row: { id: '1', path: 'vault/a.md' } }, spend];
    await replay(durable, async function* () {
      yield { seq: 1, record: { kind: 'rows', rows } };
    });
    expect(durable.prepare('select day, cost from spend').all()).toEqual([spend.row]);
  });

  it('are not logged if they were written before the upgrade', async () => {
    const durable = openDurable(temporaryFolder());
    onTestFinished(() => void durable.close());
    const logged: unknown[] = [];
    const append = async (added: readonly unknown[]) => logged.push(...added);
    const log = { append, lastSeq: () => logged.length, appendedBytes: () => 0 };
    const open = () => createLoggedRows(durable, log, createAppliedPosition(durable));
    open();
    durable.exec(`insert into touched values ('share_links', '["1"]');
      insert into spend (day, cost) values ('2026-11-17', 1)`);
    await open().flush();
    expect(logged).toMatchObject([{ kind: 'rows', rows: [{ table: 'spend' }] }]);
    expect(durable.prepare('select * from touched').all()).toEqual([]);
  });
});
