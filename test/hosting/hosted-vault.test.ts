import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type pg from 'pg';
import { openDurable } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { createJournal } from '../../packages/vault/src/changes/index.ts';
import { createCommitLog, readLog, registerVault } from '../../packages/service/src/hosting/index.ts';
import { createLoggedJournal } from '../../packages/service/src/hosting/logged-journal.ts';
import { createLoggedQueue } from '../../packages/service/src/hosting/logged-queue.ts';
import { createLoggedRows, applyRows } from '../../packages/service/src/hosting/logged-rows.ts';
import { createAppliedPosition } from '../../packages/service/src/hosting/applied-position.ts';
import { loggedTables } from '../../packages/service/src/hosting/records.ts';
import { restoreSnapshot, deleteUnreferencedObjects } from '../../packages/service/src/hosting/snapshots.ts';
import type { ObjectStore } from '../../packages/service/src/hosting/index.ts';
import { createQueueTables, createSqliteQueue } from '../../packages/vault/src/queue/index.ts';
import {
  hashSecret,
  openSessionStore,
  openMembers,
  openTokens,
} from '../../packages/vault/src/server/index.ts';
import { journalContract } from '../../packages/vault/src/changes/journal.contract.ts';
import { changesDatabase } from '../changes-database.ts';
import { queueContract } from '../../packages/vault/src/queue/queue.contract.ts';
import { signInTest } from '../chatgpt/signed-in.ts';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { path, rootKey, rootKeyBytes, startTestService, textIn, update, write } from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;
let pool: pg.Pool;
let store: ObjectStore;

beforeAll(async () => {
  service = await startTestService();
  ({ pool, store } = service);
});
afterAll(() => service.stop());

const recordsOf = async (vault: string): Promise<number> => {
  const { rows } = await pool.query<{ count: string }>('select count(*) from log where vault = $1', [vault]);
  return Number(rows[0]?.count);
};

/** Reads the claim as a node would get it. */
async function readClaim(vault: string): Promise<{ key: Buffer; snapshot: string; epoch: number }> {
  const { rows } = await pool.query<{ data_key: Buffer; snapshot: string; epoch: string }>(
    'select data_key, snapshot, epoch from vaults where id = $1',
    [vault],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no such vault');
  const { data_key, snapshot, epoch } = row;
  return { key: rootKey.unseal(`key of ${vault}`, data_key), snapshot, epoch: Number(epoch) };
}

describe.skipIf(missing('PostgreSQL'))('a hosted vault', () => {
  it('is recovered on another node after its node and disk are lost', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const { keepsake } = await first.open(vault);
    await write(keepsake, 'a.md', 'one\n');
    await write(keepsake, 'a.md', 'two\n', 'one\n');
    await write(keepsake, 'folder/b.md', 'b\n');
    const { id: accepted } = await keepsake.agents.updates.accept(update('remember this'), { key: 'key' });
    const { id: cancelled } = await keepsake.agents.updates.accept(update('not this'));
    await keepsake.agents.updates.cancel(cancelled);
    const held = await keepsake.changes.writer.holdForApproval(
      [{ kind: 'create', path: path('held.md'), after: Buffer.from('held'), mode: null }],
      { origin: 'test', summary: 'held' },
    );
    const before = keepsake.changes.list({ limit: 99 }).map(({ id, state }) => [id, state]);

    // The node was killed, so it has released nothing.
    await expect(second.open(vault)).rejects.toThrow('node-1 has it');
    await service.forget(first);
    first.loseDisk();
    const { keepsake: again } = await second.open(vault);
    expect([textIn(again, 'a.md'), textIn(again, 'folder/b.md')]).toEqual(['two\n', 'b\n']);
    expect(again.changes.list({ limit: 99 }).map(({ id, state }) => [id, state])).toEqual(before);
    expect(again.changes.find(held)?.entry.state).toBe('held');
    expect(again.agents.updates.find(accepted)).toMatchObject({
      state: 'waiting',
      input: { text: 'remember this' },
    });
    expect(again.agents.updates.find(cancelled)?.state).toBe('cancelled');
    expect(await again.agents.updates.accept(update('remember this'), { key: 'key' })).toEqual({
      id: accepted,
      isNew: false,
    });
    // A change made on the first node can be undone on the second.
    const newest = again.changes.list({ limit: 99, path: path('a.md') })[0]?.id ?? '';
    expect((await again.changes.undo(newest)).kind).toBe('written');
    expect(textIn(again, 'a.md')).toBe('one\n');
  });

  it('does not use the ChatGPT plan of the person who runs the node', async () => {
    const node = await service.aNode();
    const vault = await registerVault(pool, rootKey);
    const { environment, signIn } = await signInTest({ KEEPSAKE_MODEL: 'openai/gpt-5.5' });
    await signIn();
    const { keepsake } = await node.open(vault, { environment });
    const asking = keepsake.agents.ask('What?', new AbortController().signal);
    await expect(asking).rejects.toThrow('no API key for openai');
  });

  it('rejects writes through its previous owner, which discards its copy', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const old = await first.open(vault);
    await write(old.keepsake, 'a.md', 'one\n');
    await service.forget(first);
    const { keepsake } = await second.open(vault);
    await expect(write(old.keepsake, 'a.md', 'split\n', 'one\n')).rejects.toMatchObject({
      code: 'lost-vault',
    });
    await expect(old.keepsake.agents.updates.accept(update('split'))).rejects.toMatchObject({
      code: 'lost-vault',
    });
    await write(keepsake, 'a.md', 'two\n', 'one\n');
    expect(textIn(old.keepsake, 'a.md')).toBe('one\n');
    expect(await first.placement.filterOwned([{ vault, epoch: 1 }])).toEqual(new Set());
    await old.close();
    await keepsake.close();
    // Back on the first node, which must not use its older copy.
    await service.forget(second);
    await first.placement.heartbeat({ awake: 0, opening: 0, workers: 0, replacedWorkers: 0 });
    const back = await first.open(vault);
    expect(textIn(back.keepsake, 'a.md')).toBe('two\n');
  });

  it('goes to the less loaded of two nodes when it has no owner', async () => {
    await pool.query("update nodes set seen_at = '-infinity'");
    const [first, second] = [await service.aNode(), await service.aNode()];
    const [busy, idle] = [first.name, second.name];
    await pool.query('update nodes set awake = 9 where id = $1', [busy]);
    const vault = await registerVault(pool, rootKey);
    // A new node that still has to open the vaults it was assigned.
    await pool.query('update nodes set awake = 1, opening = 1 where id = $1', [idle]);
    expect(await second.placement.claim(vault, false)).toEqual({ owner: busy, address: `http://${busy}` });
    await pool.query('update nodes set opening = 0 where id = $1', [idle]);
    expect(await first.placement.claim(vault, false)).toEqual({ owner: idle, address: `http://${idle}` });
    // The node that was selected takes the vault even if its load has grown meanwhile.
    await pool.query('update nodes set awake = 99 where id = $1', [idle]);
    expect(await second.placement.claim(vault, true)).toMatchObject({ vault, epoch: 1 });
    expect(await first.placement.claim(vault, false)).toMatchObject({ owner: idle });
  });

  it('is restored from a snapshot and the later records, byte for byte, history included', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const { keepsake, snapshot } = await first.open(vault, { retentionDays: 0 });
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await keepsake.changes.writer.write(
      [{ kind: 'create', path: path('picture.bin'), after: bytes, mode: 0o600 }],
      { origin: 'test', summary: 'a picture' },
    );
    const id = await write(keepsake, 'a.md', 'one\n');
    await keepsake.changes.record();
    await snapshot();
    expect(await recordsOf(vault)).toBe(0);
    await write(keepsake, 'a.md', 'two\n', 'one\n');
    expect(await recordsOf(vault)).toBe(1);
    await service.forget(first);
    first.loseDisk();
    const { keepsake: again } = await second.open(vault);
    expect(readFileSync(join(again.root, 'picture.bin'))).toEqual(bytes);
    expect(textIn(again, 'a.md')).toBe('two\n');
    expect((await again.changes.restore(id, path('a.md'))).kind).toBe('written');
    expect(textIn(again, 'a.md')).toBe('one\n');
  });

  it('is opened from the local copy when no other node has owned it since', async () => {
    const node = await service.aNode();
    const vault = await registerVault(pool, rootKey);
    const hosted = await node.open(vault);
    await write(hosted.keepsake, 'a.md', 'one\n');
    await hosted.close();
    const { rows } = await pool.query<{ snapshot: string }>('select snapshot from vaults where id = $1', [
      vault,
    ]);
    await store.remove(rows[0]?.snapshot ?? '');
    const again = await node.open(vault);
    expect(textIn(again.keepsake, 'a.md')).toBe('one\n');
  });

  it('has every record applied once and in order when it is opened from the disk of a killed node', async () => {
    const first = await service.aNode();
    const vault = await registerVault(pool, rootKey);
    const { keepsake } = await first.open(vault);
    const texts = ['one\n', 'one\ntwo\n', 'one\ntwo\nthree\n'];
    const made: string[] = [];
    for (const [at, text] of texts.entries())
      made.unshift(await write(keepsake, 'a.md', text, texts[at - 1] ?? null));
    await service.forget(first);
    const [disk, left] = [temporaryFolder(), temporaryFolder()];
    const second = await service.aNode({ disk });
    await second.open(vault);
    // The disk as a killed process leaves it.
    cpSync(disk, left, { recursive: true });
    await service.forget(second);
    const third = await service.aNode({ disk: left });
    const { keepsake: again } = await third.open(vault);
    expect(textIn(again, 'a.md')).toBe(texts.at(-1));
    expect(again.changes.list({ path: path('a.md'), state: 'applied', limit: 9 })).toMatchObject(
      made.map((id) => ({ id })),
    );
  });

  it('is snapshotted repeatedly during writes, and unreferenced objects are deleted', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const { keepsake, snapshot, isSnapshotDue } = await first.open(vault, {
      snapshotAfter: { records: 2 },
      retentionDays: 0,
    });
    let text = '';
    const writeMore = async (): Promise<void> => {
      const more = `${text}line\n`;
      await write(keepsake, 'a.md', more, text === '' ? null : text);
      text = more;
    };
    await writeMore();
    expect(isSnapshotDue()).toBe(false);
    for (let round = 0; round < 18; round += 1) {
      await writeMore();
      await writeMore();
      expect(isSnapshotDue()).toBe(true);
      await Promise.all([snapshot(), writeMore()]);
    }
    expect(await recordsOf(vault)).toBeLessThan(3);
    // Many small objects were merged into few.
    const objectCount = (await store.list(`${vault}/`)).length;
    expect(objectCount).toBeLessThan(18);
    await service.forget(first);
    first.loseDisk();
    const { keepsake: again } = await second.open(vault);
    expect(textIn(again, 'a.md')).toBe(text);
    expect(again.changes.list({ limit: 99 })).toHaveLength(55);
  });

  it('keeps every referenced object, no matter at which store call its node crashes', async () => {
    const node = await service.aNode();
    const vault = await registerVault(pool, rootKey);
    let left = Infinity;
    const failing = new Proxy(store, {
      get:
        (real, name: keyof ObjectStore) =>
        (...given: [string, Buffer]) =>
          (left -= 1) < 0 ? Promise.reject(new Error('the node ended')) : real[name](...given),
    });
    const { keepsake, snapshot } = await node.open(vault, { store: failing, retentionDays: 0 });
    let before: string | null = null;
    for (let calls = 0, isWhole = false; !isWhole; calls += 1) {
      await write(keepsake, 'a.md', `${calls}\n`, before);
      before = `${calls}\n`;
      left = calls;
      isWhole = await snapshot().then(
        () => true,
        () => false,
      );
      const claimed = await readClaim(vault);
      const copy = join(temporaryFolder(), 'copy');
      await restoreSnapshot({ store, vault, key: claimed.key }, claimed.snapshot, copy);
      expect(existsSync(join(copy, 'backup.json'))).toBe(true);
    }
  });

  it('stores a long record as an object until a snapshot contains it', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const { keepsake } = await first.open(vault);
    const picture = randomBytes(300_000);
    await keepsake.changes.writer.write(
      [{ kind: 'create', path: path('picture.png'), after: picture, mode: null }],
      { origin: 'test', summary: 'a picture' },
    );
    const stored = async (): Promise<string[]> =>
      (await store.list(`${vault}/`)).filter((name) => name.includes('/records/'));
    const [name = '', ...others] = await stored();
    expect(others).toEqual([]);
    expect((await store.get(name)).includes(picture.subarray(1_000, 1_032))).toBe(false);
    const { rows } = await pool.query<{ length: number }>(
      'select length(sealed) as length from log where vault = $1',
      [vault],
    );
    expect(rows).toEqual([{ length: expect.toSatisfy((length: number) => length < 1_000) }]);
    await service.forget(first);
    first.loseDisk();
    const { keepsake: again, snapshot } = await second.open(vault, { retentionDays: 0 });
    expect(readFileSync(join(again.root, 'picture.png'))).toEqual(picture);
    await snapshot();
    expect(await stored()).toEqual([]);
  });

  it('is not cleaned up by a node that has lost it', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    await first.open(vault);
    const claimed = await readClaim(vault);
    await service.forget(first);
    const { snapshot } = await second.open(vault);
    await snapshot();
    const before = await store.list(`${vault}/`);
    await deleteUnreferencedObjects(
      { store, ...claimed, vault },
      { names: [(await readClaim(vault)).snapshot], seq: 0 },
    );
    expect(await store.list(`${vault}/`)).toEqual(before);
  });

  it('is encrypted: no row or object contains plain text, and none can replace another', async () => {
    const node = await service.aNode();
    const vault = await registerVault(pool, rootKey);
    const { keepsake } = await node.open(vault);
    for (const word of ['first', 'second'])
      await write(keepsake, `${word}.md`, `unmistakable ${word}\n`.repeat(50));
    const { rows } = await pool.query<{ sealed: Buffer }>('select sealed from log where vault = $1', [vault]);
    expect(rows).toHaveLength(2);
    for (const { sealed } of rows) expect(sealed.includes('unmistakable')).toBe(false);
    await pool.query('update log set seq = -seq where vault = $1', [vault]);
    await pool.query('update log set seq = 3 + seq where vault = $1', [vault]);
    const claimed = await node.placement.claim(vault);
    const read = async (): Promise<void> => {
      for await (const each of readLog(
        { pool, store, vault, key: 'key' in claimed ? claimed.key : rootKeyBytes },
        0,
      ))
        void each;
    };
    await expect(read()).rejects.toMatchObject({ code: 'damaged' });
  });
});

/** The rows of the durable database that belong neither to the journal nor to the queue. */
const rowsIn = (database: Database.Database): unknown[][] =>
  loggedTables.map((table) => database.prepare(`select * from ${table} order by 1`).all());
const rowsOf = ({ state }: Keepsake): unknown[][] => rowsIn(state.databases().durable);

describe.skipIf(missing('PostgreSQL'))('replication of a hosted vault', () => {
  it('covers every table of the durable database: the journal, the queue, and all others row by row', () => {
    const database = openDurable(temporaryFolder());
    onTestFinished(() => void database.close());
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .pluck()
      .all();
    const journal = ['transactions', 'changes', 'created_folders', 'replaced_files'];
    const queue = ['updates', 'update_parts', 'update_progress'];
    const ofTheService = ['applied_access'];
    expect([...tables.map(String), ...ofTheService].toSorted()).toEqual(
      [...loggedTables, ...journal, ...queue].toSorted(),
    );
  });

  it('restores all rows after the node and its disk are lost, and deleted rows stay deleted', async () => {
    const [first, second, third] = [await service.aNode(), await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const { keepsake, flushReplication } = await first.open(vault);
    const people = openMembers(keepsake)();
    const [stays, goes] = [people.invite('Ada', 'writer'), people.invite('Bo', 'owner')];
    const tokens = openTokens(keepsake)();
    const [token, revoked] = [tokens.create('phone', 'read'), tokens.create('lost', 'write')];
    const sessionOf = (person: string) => ({
      id: `of ${person}`,
      token: person,
      hash: hashSecret(person),
      until: Date.now() + 1_000_000,
    });
    for (const { id } of [stays, goes]) openSessionStore(keepsake)().add(sessionOf(id));
    const { durable } = keepsake.state.databases();
    durable.exec(`insert into applied_access values (1, 2, 'id', 3);
      insert into oauth values ('Key', 'signing', null, null, '{}', 1, null, null);
      insert into spend (day, input, cost) values ('2026-11-17', 12, 0.5);
      insert into spend_on_runs values ('run', 1, 12, 0, 0, 3, null);
      insert into imported values ('change', 'vault', 'source', 'item', 'digest', 'a.md', 'revision');
      insert into update_secrets values ('update', '7f3a91c2', 0, '[]');
      insert into proposals values ('item', 1, 'key', '{}', null);
      insert into declined_proposals values ('key');
      insert into session_records values ('codex', 'session', 'change', 'turn', 1, 'note', 'vault/a.md');
      insert into expired_changes values ('change', 1, 'committed');
      insert into expired_updates values ('update');
      insert into answers (id, asker, thread, question, asked_at, sight, sources, bytes)
        values ('answer', 'person', 'answer', 'who?', 1, '', 0, 4);`);
    await flushReplication();
    const before = rowsOf(keepsake);
    for (const rows of before) expect(rows).not.toHaveLength(0);
    await service.forget(first);
    first.loseDisk();

    const again = await second.open(vault);
    expect(rowsOf(again.keepsake)).toEqual(before);
    await again.snapshot();
    openMembers(again.keepsake)().remove(goes.id);
    openTokens(again.keepsake)().revoke(revoked.id);
    await again.flushReplication();
    await service.forget(second);
    second.loseDisk();

    const last = (await third.open(vault)).keepsake;
    expect(
      openMembers(last)()
        .list()
        .map(({ name }) => name),
    ).toEqual(['Ada']);
    expect(
      openSessionStore(last)()
        .list()
        .map(({ token: of }) => of),
    ).toEqual([stays.id]);
    expect([
      openTokens(last)().verify(token.secret)?.name,
      openTokens(last)().verify(revoked.secret),
    ]).toEqual(['phone', null]);
    expect(openMembers(last)().redeemInvitation(stays.secret)).toBe(stays.id);
  });

  it('flushes all rows on close, including those that no request waits for', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const hosted = await first.open(vault);
    openMembers(hosted.keepsake)().invite('Ada', 'reader');
    await hosted.close();
    await service.forget(first);
    expect(openMembers((await second.open(vault)).keepsake)().list()).toMatchObject([{ name: 'Ada' }]);
  });

  it('stores rows and log position consistently in a snapshot taken during writes', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const { keepsake, flushReplication, snapshot } = await first.open(vault);
    const people = openMembers(keepsake)();
    const kept: string[] = [];
    const work = async (): Promise<void> => {
      for (let round = 0; round < 40; round += 1) {
        const { id } = people.invite(`${round}`, 'reader');
        const settled = flushReplication();
        if (round % 3 === 0) people.remove(id);
        else kept.push(id);
        if (round % 2 === 0) await settled;
        await flushReplication();
      }
    };
    const over = work();
    for (let count = 0; count < 3; count += 1) await snapshot();
    await over;
    const before = rowsOf(keepsake);
    await service.forget(first);
    first.loseDisk();
    const again = (await second.open(vault)).keepsake;
    expect(rowsOf(again)).toEqual(before);
    expect(
      openMembers(again)()
        .list()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(kept.toSorted());
  });

  it('keeps the tokens of the vault when the service replaces the tokens that it manages', async () => {
    const vault = await registerVault(pool, rootKey);
    const { keepsake } = await (await service.aNode()).open(vault);
    const tokens = openTokens(keepsake)();
    const { secret } = tokens.create('own', 'read');
    const given = (id: string) => ({
      id,
      name: id,
      scope: 'read' as const,
      createdAt: 1,
      hash: hashSecret(`secret of ${id}`),
    });
    const names = (): string[] =>
      tokens
        .list()
        .map(({ name }) => name)
        .toSorted();
    tokens.replaceManaged([given('one'), given('two')]);
    tokens.replaceManaged([given('two'), given('three')]);
    expect(names()).toEqual(['own', 'three', 'two']);
    expect([tokens.verify(secret)?.name, tokens.verify('secret of two')?.name]).toEqual(['own', 'two']);
    for (const { id } of tokens.list()) tokens.revoke(id);
    expect(names()).toEqual(['three', 'two']);
  });

  it('fails on a node that has lost the vault', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const { keepsake, flushReplication } = await first.open(vault);
    await service.forget(first);
    const { keepsake: other } = await second.open(vault);
    openMembers(keepsake)().invite('Ada', 'owner');
    await expect(flushReplication()).rejects.toMatchObject({ code: 'lost-vault' });
    await expect(flushReplication()).rejects.toMatchObject({ code: 'lost-vault' });
    expect(openMembers(other)().list()).toEqual([]);
  });

  it('logs the rows that were written before a crash when the database is reopened', async () => {
    const folder = temporaryFolder();
    const records: Parameters<typeof applyRows>[1][] = [];
    const log: Parameters<typeof createLoggedRows>[1] = {
      append: async (appended) => {
        for (const record of appended) if (record.kind === 'rows') records.push(record.rows);
        return records.length;
      },
      lastSeq: () => records.length,
      appendedBytes: () => 0,
    };
    const open = () => {
      const database = openDurable(folder);
      onTestFinished(() => void database.close());
      return { database, ...createLoggedRows(database, log, createAppliedPosition(database)) };
    };
    const { database } = open();
    database.exec(`insert into spend (day, cost) values ('2026-11-17', 1), ('2026-11-18', 1);
      update spend set day = '2026-11-19', cost = 2 where day = '2026-11-18';
      delete from spend where day = '2026-11-17'`);
    expect(() =>
      database.transaction(() => {
        database.exec("insert into spend (day) values ('2026-11-20')");
        throw new Error('revoked');
      })(),
    ).toThrow('revoked');
    database.close();
    const again = open();
    await again.flush();
    expect(records).toEqual([
      expect.arrayContaining([
        { table: 'spend', key: ['2026-11-17'], row: null },
        { table: 'spend', key: ['2026-11-18'], row: null },
        { table: 'spend', key: ['2026-11-19'], row: expect.objectContaining({ cost: 2 }) },
      ]),
    ]);
    await again.flush();
    expect(records).toHaveLength(1);
    const elsewhere = openDurable(temporaryFolder());
    onTestFinished(() => void elsewhere.close());
    createAppliedPosition(elsewhere);
    for (let times = 0; times < 2; times += 1) applyRows(elsewhere, records[0] ?? []);
    expect(rowsIn(elsewhere)).toEqual(rowsIn(again.database));
  });
});

const timing = { leaseMs: 1_000, backoffMs: 100, maxAttempts: 3, maxWaitMs: 400 };

/** A log of a separate vault, for both contract suites. */
async function aLog() {
  const vault = await registerVault(pool, rootKey);
  const placement = (await service.aNode()).placement;
  const claimed = await placement.claim(vault);
  if ('owner' in claimed) throw new Error('it is new');
  return createCommitLog({ pool, store, ...claimed }, { lastSeq: 0 });
}

describe.skipIf(missing('PostgreSQL'))('over the log', () => {
  journalContract('PostgreSQL', async () => {
    const database = changesDatabase();
    const log = await aLog();
    const open = () => createLoggedJournal(createJournal(database), log, createAppliedPosition(database));
    return { journal: open(), reopen: async () => open() };
  });

  queueContract('PostgreSQL', async () => {
    const database = new Database(':memory:');
    onTestFinished(() => void database.close());
    createQueueTables(database);
    let now = 1_000;
    const clock = (): number => now;
    const log = await aLog();
    const open = () =>
      createLoggedQueue(
        createSqliteQueue(database, clock, timing),
        log,
        createAppliedPosition(database),
        clock,
      );
    return { queue: open(), reopen: open, advance: (milliseconds) => void (now += milliseconds), timing };
  });
});
