import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openDurable, openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import { durableMigrations } from '../packages/vault/src/app/migrations.ts';
import { journalMigrations } from '../packages/vault/src/changes/index.ts';
import { otherReason, formatReason } from '../packages/vault/src/contract/index.ts';
import { createSqliteQueue } from '../packages/vault/src/queue/index.ts';
import { runMigrations } from './changes-database.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

it('a journal of an earlier version is migrated, and its changes can be undone', async () => {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  mkdirSync(state);
  layOut(vault, { 'a.md': 'new\n' });
  const database = new Database(join(state, 'keepsake.sqlite'));
  database.exec(journalMigrations[1]);
  database.pragma('user_version = 1');
  database.exec(
    `insert into transactions (id, at, origin, summary, state) values ('11111111-aaaa', 1, 'test', 'edit', 'applied');
     insert into changes values (1, 0, 'vault/a.md', cast('old' || char(10) as blob), cast('new' || char(10) as blob));`,
  );
  database.close();

  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  onTestFinished(async () => void (await keepsake.close()));
  expect((await keepsake.changes.undo('11111111-aaaa')).kind).toBe('written');
  const run = keepsake.writeRun('person');
  expect(
    await run.view.withEntry(
      'vault/a.md' as never,
      async (viewed) => viewed.kind === 'file' && String(await viewed.source.read(0, 100)),
    ),
  ).toContain('old');
});

it('a journal of a later version is rejected', async () => {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  mkdirSync(state);
  const database = new Database(join(state, 'keepsake.sqlite'));
  database.pragma('user_version = 99');
  database.close();
  await expect(openKeepsake({ vault, state, environment: readEnvironment() })).rejects.toThrow(
    /created by a newer version/,
  );
});

it('a held change that an earlier version approved is undone by its id, unless several changes match it', async () => {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  mkdirSync(state);
  layOut(vault, { 'a.md': 'new\n' });
  const database = new Database(join(state, 'keepsake.sqlite'));
  const earlier = durableMigrations.slice(0, 9);
  for (const migration of earlier) database.exec(String(migration));
  database.pragma(`user_version = ${earlier.length}`);
  const insert = database.prepare(
    'insert into transactions (id, at, origin, summary, state) values (?, 1, ?, ?, ?)',
  );
  insert.run('11111111-aaaa', 'mail', 'edit', 'approved');
  insert.run('22222222-aaaa', 'mail', 'edit (approved)', 'applied');
  database.exec(
    `insert into changes values (2, 0, 'vault/a.md', cast('old' || char(10) as blob), cast('new' || char(10) as blob), null)`,
  );
  for (const id of ['33333333-aaaa', '44444444-aaaa']) insert.run(id, 'mail', 'twice', 'approved');
  for (const id of ['55555555-aaaa', '66666666-aaaa']) insert.run(id, 'mail', 'twice (approved)', 'applied');
  database.close();

  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  onTestFinished(async () => void (await keepsake.close()));
  expect((await keepsake.changes.undo('11111111-aaaa')).kind).toBe('written');
  expect(readFileSync(join(vault, 'a.md'), 'utf8')).toContain('old');
  expect(await keepsake.changes.undo('33333333-aaaa')).toEqual({ kind: 'not-applied', state: 'approved' });
});

const source = { kind: 'other' as const, name: 'mail' };
const document = Buffer.from(Array.from({ length: 1_500_000 }, (_, index) => (index * 7) % 253));
const held = {
  kind: 'held',
  summary: 'Changes the profile',
  paths: ['vault/profile.md'],
  reason: 'personal',
};
/** The same after the migration, where its reason has no code. */
const storedHeld = { ...held, reason: { code: 'other', values: { text: held.reason } } };
const filed = { kind: 'filed', summary: 'Filed', paths: ['vault/bucket/a.pdf'], asked: null };

/** One update in each state, stored when files were base64 in the input. */
const earlierUpdates = [
  { id: '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'done', result: filed, key: 'a-key' },
  { id: '22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'done', result: held },
  { id: '33333333-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'parked', reason: 'the key is wrong', attempts: 3 },
  { id: '44444444-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'cancelled' },
  { id: '55555555-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'running', attempts: 1 },
  { id: '66666666-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'waiting' },
  { id: '77777777-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'waiting', hasNoFiles: true },
].map((update, index) => ({
  key: null,
  reason: null,
  result: null,
  attempts: 0,
  ...update,
  text: `update ${index}`,
  files:
    'hasNoFiles' in update
      ? []
      : [
          { name: 'a.md', bytes: Buffer.from(`---\noriginal: a.pdf\n---\n\n# ${index}\n`) },
          { name: 'a.pdf', bytes: document },
        ],
}));

function earlierQueue() {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  mkdirSync(state);
  const earlier = durableMigrations.slice(0, 21);
  const database = new Database(join(state, 'keepsake.sqlite'));
  database.pragma('journal_mode = WAL');
  for (const migration of earlier) database.exec(String(migration));
  database.pragma(`user_version = ${earlier.length}`);
  const insert = database.prepare(
    `insert into updates (id, key, accepted_at, state, attempts, input, reason, result)
     values (@id, @key, 1, @state, @attempts, @input, @reason, @result)`,
  );
  for (const { id, key, state: stateOfUpdate, attempts, reason, result, text, files } of earlierUpdates) {
    const sent = files.map(({ name, bytes }) => ({ name, data: bytes.toString('base64') }));
    insert.run({
      id,
      key,
      state: stateOfUpdate,
      attempts,
      input: JSON.stringify({ text, files: sent, source }),
      reason,
      result: result && JSON.stringify(result),
    });
  }
  database.close();
  return { vault, state, version: earlier.length };
}

/** Expects all accepted updates, and of finished ones only the fields that are still shown. */
async function expectMoved(state: string): Promise<void> {
  const database = openDurable(state);
  const queue = createSqliteQueue(database, () => 1);
  const updates = queue.list({ limit: 100 }).toReversed();
  expect(updates.map(({ id }) => id)).toEqual(earlierUpdates.map(({ id }) => id));
  for (const [index, update] of updates.entries()) {
    const { text, files, state: before, attempts, reason, result } = earlierUpdates[index] ?? {};
    expect(update).toMatchObject({
      input: { text, source },
      state: before,
      attempts,
      reason: reason ? { text: reason } : null,
      result: result === held ? storedHeld : result,
    });
    expect(update.input).not.toHaveProperty('files');
    expect(update.files).toEqual(files?.map(({ name, bytes }) => ({ name, bytes: bytes.length })));
    if (before === 'done') {
      await expect(queue.readFiles(update)).rejects.toThrow('not stored');
      continue;
    }
    const read = await queue.readFiles(update);
    for (const [file, { bytes }] of (files ?? []).entries())
      expect(Buffer.compare(bytes, read[file]?.bytes ?? Buffer.of())).toBe(0);
  }
  database.close();
}

it('the files of updates from an earlier version are moved out of the input, and none is lost', async () => {
  const { vault, state } = earlierQueue();
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  const { updates } = keepsake.agents;
  expect(updates.counts()).toEqual({ waiting: 2, running: 1, done: 2, parked: 1, cancelled: 1 });
  expect(updates.find('22222222')).toMatchObject({
    result: { ...held, reason: { text: held.reason } },
    input: { text: 'update 1' },
  });
  const [{ id, text, files }] = earlierUpdates as [(typeof earlierUpdates)[0]];
  expect(await updates.accept({ text, files, source }, { key: 'a-key' })).toEqual({ id, isNew: false });
  expect(await updates.retry('33333333-aaaa-4aaa-8aaa-aaaaaaaaaaaa')).toBe(true);
  expect(await updates.retry('33333333-aaaa-4aaa-8aaa-aaaaaaaaaaaa')).toBe(false);
  expect(await updates.cancel('33333333-aaaa-4aaa-8aaa-aaaaaaaaaaaa')).toBe(true);
  await keepsake.close();
});

it('the migration that moves the files of updates is atomic, whenever the process is killed', async () => {
  const { state, version } = earlierQueue();
  const kill = (afterWrites: number): void => {
    const script = `
      import Database from 'better-sqlite3';
      import { openDurable } from ${JSON.stringify(join(import.meta.dirname, '../packages/vault/src/app/databases.ts'))};
      const { prepare } = Database.prototype;
      let writes = 0;
      Database.prototype.prepare = function (sql) {
        const statement = prepare.call(this, sql);
        const { run } = statement;
        statement.run = (...values) => {
          const result = run.apply(statement, values);
          if (++writes === ${afterWrites}) process.kill(process.pid, 'SIGKILL');
          return result;
        };
        return statement;
      };
      openDurable(${JSON.stringify(state)});`;
    const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(import.meta.dirname, '..'),
      encoding: 'utf8',
    });
    expect([signal, stderr]).toEqual(['SIGKILL', '']);
  };
  // After the first chunk, in the middle of a document, and before the last row.
  for (const afterWrites of [1, 5, 19]) {
    kill(afterWrites);
    const database = new Database(join(state, 'keepsake.sqlite'));
    expect(database.pragma('user_version', { simple: true })).toBe(version);
    expect(database.prepare('select count(*) from updates').pluck().get()).toBe(earlierUpdates.length);
    database.close();
  }
  await expectMoved(state);
});

it('reasons that an earlier version stored as sentences become codes with values, and unknown ones stay readable', async () => {
  const root = temporaryFolder();
  const [vault, state] = [join(root, 'vault'), join(root, 'state')];
  mkdirSync(vault);
  mkdirSync(state);
  const earlier = durableMigrations.slice(0, 22);
  const database = new Database(join(state, 'keepsake.sqlite'));
  runMigrations(database, earlier);
  database.pragma(`user_version = ${earlier.length}`);
  const hold = database.prepare(
    `insert into transactions (id, at, origin, summary, state, held_because) values (?, 1, 'mail', 'edit', 'held', ?)`,
  );
  hold.run('11111111-aaaa', 'it removes 12,345 characters of text that are nowhere else');
  hold.run('22222222-aaaa', 'a sentence of no version');
  hold.run('33333333-aaaa', null);
  const park = database.prepare(
    `insert into updates (id, accepted_at, state, input, reason, result) values (?, 1, ?, ?, ?, ?)`,
  );
  const input = JSON.stringify({ text: 'x', source });
  park.run('44444444-aaaa', 'parked', input, 'there is no key for openai; set OPENAI_API_KEY', null);
  const result = { ...held, reason: 'it changes vault/profile.md on the word of somebody else than you' };
  park.run('55555555-aaaa', 'done', input, null, JSON.stringify(result));
  database.close();

  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  onTestFinished(async () => void (await keepsake.close()));
  const waiting = await keepsake.inbox();
  expect(
    Object.fromEntries(waiting.map((each) => (each.kind === 'held' ? [each.id, each.reason] : []))),
  ).toEqual({
    '11111111-aaaa': formatReason('removes-text', { count: 12_345 }),
    '22222222-aaaa': otherReason('a sentence of no version'),
    '33333333-aaaa': null,
  });
  const { updates } = keepsake.agents;
  expect(updates.find('44444444-aaaa')?.reason).toEqual(
    formatReason('no-key', { provider: 'openai' }, 'set OPENAI_API_KEY'),
  );
  expect(updates.find('55555555-aaaa')?.result).toEqual({
    ...held,
    reason: formatReason('word-of-others', { path: 'vault/profile.md' }),
    receipt: null,
  });
});

it('links to notes of an earlier version are deleted', () => {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  const dropped = durableMigrations.indexOf('drop table share_links');
  runMigrations(database, durableMigrations.slice(0, dropped));
  database.exec("insert into share_links values ('1', x'01', 'vault/a.md', 1, 2, null)");
  runMigrations(database, durableMigrations.slice(dropped));
  expect(database.prepare("select name from sqlite_schema where name like 'share%'").all()).toEqual([]);
});

it('the tokens of an earlier version stay valid', () => {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  const copied = durableMigrations.findIndex((migration) => String(migration).includes('new_tokens'));
  runMigrations(database, durableMigrations.slice(0, copied));
  const insert = database.prepare('insert into tokens values (?, ?, ?, ?, ?, ?)');
  const rows = [
    ['1', 'phone', Buffer.from('a'), 'read', 1, null],
    ['2', 'laptop', Buffer.from('b'), 'write', 2, 'ada'],
  ];
  for (const row of rows) insert.run(...row);
  runMigrations(database, durableMigrations.slice(copied, copied + 1));
  expect(database.prepare('select * from tokens order by id').raw().all()).toEqual(rows);
});
