import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openKeepsake } from '../../packages/vault/src/app/index.ts';
import {
  createServiceToken,
  exportVault,
  importVault,
  registerVault,
  removeVault,
  restoreAsNewVault,
  restoreInPlace,
  reviewAccess,
  startNode,
} from '../../packages/service/src/hosting/index.ts';
import type { ObjectStore } from '../../packages/service/src/hosting/index.ts';
import { openMembers } from '../../packages/vault/src/server/index.ts';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import {
  allOf,
  environmentIn,
  path,
  rootKey,
  startTestService,
  textIn,
  update,
  write,
} from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;
let pool: pg.Pool;
let store: ObjectStore;

beforeAll(async () => {
  service = await startTestService();
  ({ pool, store } = service);
});
afterAll(() => service.stop());

type Parts = Parameters<typeof exportVault>[0];
const parts = (more: Partial<Parts> = {}): Parts => ({
  pool,
  store,
  rootKey,
  environment: environmentIn(temporaryFolder()),
  ...more,
});

async function exported(vault: string, to?: number | Date): Promise<ReturnType<typeof allOf>> {
  const folder = join(temporaryFolder(), 'export');
  const given = parts();
  await exportVault(given, vault, folder, to);
  const keepsake = await openKeepsake({
    vault: join(folder, 'vault'),
    state: join(folder, 'state'),
    environment: given.environment,
  });
  try {
    return allOf(keepsake);
  } finally {
    await keepsake.close();
  }
}

async function lastRecord(vault: string): Promise<{ seq: number; at: Date }> {
  const { rows } = await pool.query<{ seq: string; at: Date }>(
    'select seq, at from log where vault = $1 order by seq desc limit 1',
    [vault],
  );
  return { seq: Number(rows[0]?.seq), at: rows[0]?.at ?? new Date(NaN) };
}

const countOf = async (table: 'log' | 'earlier_snapshots', vault: string): Promise<number> =>
  (await pool.query(`select 1 from ${table} where vault = $1`, [vault])).rowCount ?? 0;

/** Moves all timestamps of a vault this many days back. */
async function age(vault: string, days: number): Promise<void> {
  const by = `- make_interval(days => ${days})`;
  await pool.query(`update log set at = at ${by} where vault = $1`, [vault]);
  await pool.query(`update vaults set snapshot_at = snapshot_at ${by} where id = $1`, [vault]);
  await pool.query(
    `update earlier_snapshots set made_at = made_at ${by}, until = until ${by} where vault = $1`,
    [vault],
  );
}

describe.skipIf(missing('PostgreSQL'))('a hosted vault', () => {
  it('is restored byte for byte to any record or time, before and after a snapshot', async () => {
    const vault = await registerVault(pool, rootKey);
    const { keepsake, snapshot } = await (await service.aNode()).open(vault);
    const picture = randomBytes(300_000);
    const steps: (() => Promise<unknown>)[] = [
      () => write(keepsake, 'a.md', 'one\n'),
      () => write(keepsake, 'folder/picture.png', picture),
      () => write(keepsake, 'a.md', 'two\n', 'one\n'),
      () => keepsake.agents.updates.accept(update('remember this')),
      async () => {
        await keepsake.changes.record();
        await snapshot();
        const remove = {
          kind: 'remove',
          path: path('folder/picture.png'),
          before: picture,
          mode: null,
        } as const;
        await keepsake.changes.writer.write([remove], { origin: 'test', summary: 'removed' });
      },
      () => write(keepsake, 'a.md', 'three\n', 'two\n'),
      async () => {
        await snapshot();
        await write(keepsake, 'b.md', 'b\n');
      },
    ];
    const states = [];
    for (const step of steps) {
      await step();
      states.push({ ...(await lastRecord(vault)), all: allOf(keepsake) });
    }
    for (const [index, { seq, at, all }] of states.entries())
      expect(await exported(vault, index % 2 === 0 ? seq : at)).toEqual(all);
    expect(await exported(vault)).toEqual(states.at(-1)?.all);

    // As a new, independent vault without any access rights.
    const [, second] = states;
    if (second === undefined) throw new Error('there are seven');
    await createServiceToken({ pool, rootKey }, { vault, name: 'test', scope: 'read' });
    const restored = await restoreAsNewVault(parts(), vault, second.at);
    const { keepsake: other } = await (await service.aNode()).open(restored);
    expect(allOf(other)).toEqual(second.all);
    const { vaults } = await reviewAccess({ pool, rootKey }, restored);
    expect(vaults[0]).toMatchObject({ state: 'sealed', access: { tokens: [] } });
    await write(other, 'a.md', 'elsewhere\n', 'one\n');
    await write(keepsake, 'a.md', 'four\n', 'three\n');
    expect([textIn(other, 'a.md'), textIn(keepsake, 'a.md')]).toEqual(['elsewhere\n', 'four\n']);
  });

  it('is created from a local vault, with its history and pending updates, and without access rights', async () => {
    const given = parts();
    const place = { vault: temporaryFolder(), state: join(temporaryFolder(), 'state') };
    const own = await openKeepsake({ ...place, environment: given.environment });
    await write(own, 'a.md', 'one\n');
    await write(own, 'a.md', 'two\n', 'one\n');
    await own.agents.updates.accept(update('remember this'));
    openMembers(own)().invite('Guest', 'writer');
    const was = allOf(own);
    const vault = await importVault(given, place, { id: 'eu1-notes' });
    expect(vault).toBe('eu1-notes');
    const { keepsake } = await (await service.aNode()).open(vault);
    expect(allOf(keepsake)).toEqual(was);
    expect(openMembers(keepsake)().list()).toEqual([]);
    const [, first] = keepsake.changes.list({ limit: 2 });
    expect(first?.summary).toBe('wrote a.md');
    await write(keepsake, 'a.md', 'three\n', 'two\n');
    expect([textIn(own, 'a.md'), textIn(keepsake, 'a.md')]).toEqual(['two\n', 'three\n']);

    // An import under an existing id neither adds nor deletes objects.
    const objects = await store.list(`${vault}/`);
    await expect(importVault(given, place, { id: vault })).rejects.toMatchObject({ code: 'bad-settings' });
    expect(await store.list(`${vault}/`)).toEqual(objects);
    await own.close();
  });

  it('is restored in place by appending a record, and can then be restored to the state before it', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const old = await first.open(vault);
    await write(old.keepsake, 'a.md', 'one\n');
    const then = allOf(old.keepsake);
    const gone = openMembers(old.keepsake)().invite('gone since', 'owner').id;
    await old.flushReplication();
    await old.snapshot();
    await write(old.keepsake, 'a.md', 'two\n', 'one\n');
    await write(old.keepsake, 'b.md', 'b\n');
    openMembers(old.keepsake)().remove(gone);
    const { id: came } = openMembers(old.keepsake)().invite('came since', 'reader');
    await old.flushReplication();
    const [before, last] = [allOf(old.keepsake), await lastRecord(vault)];

    const record = await restoreInPlace(parts(), vault, 1);
    expect(record).toBe(last.seq + 1);
    // The previous owner can neither commit nor publish a snapshot.
    await expect(write(old.keepsake, 'c.md', 'c\n')).rejects.toMatchObject({ code: 'lost-vault' });
    await old.snapshot();
    await old.close();
    const back = await first.open(vault);
    expect(allOf(back.keepsake)).toEqual(then);
    // Access rights are not rewound.
    expect(
      openMembers(back.keepsake)()
        .list()
        .map(({ id }) => id),
    ).toEqual([came]);
    await write(back.keepsake, 'a.md', 'after\n', 'one\n');
    await back.snapshot();
    await write(back.keepsake, 'd.md', 'd\n');
    const after = allOf(back.keepsake);
    const { seq } = await lastRecord(vault);
    await back.close();

    expect(await exported(vault, record - 1)).toEqual(before);
    expect(await exported(vault, record)).toEqual(then);
    expect(await exported(vault, last.at)).toEqual(before);
    await restoreInPlace(parts(), vault, record - 1);
    const again = await second.open(vault);
    expect(allOf(again.keepsake)).toEqual(before);
    expect(await exported(vault, seq)).toEqual(after);
  });

  it('is unchanged when a restore fails at any store or database call', async () => {
    const vault = await registerVault(pool, rootKey);
    const hosted = await (await service.aNode()).open(vault);
    await write(hosted.keepsake, 'a.md', '0\n');
    let left = Infinity;
    const counted = <Target extends object>(target: Target, names: readonly string[]): Target =>
      new Proxy(target, {
        get(real, name) {
          const value: unknown = Reflect.get(real, name);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]): unknown =>
            names.includes(String(name)) && (left -= 1) < 0
              ? Promise.reject(new Error('it ended'))
              : Reflect.apply(value, real, given);
        },
      });
    const ending = parts({
      store: counted(store, ['put', 'get', 'list', 'remove']),
      pool: new Proxy(pool, {
        get: (real, name) =>
          name === 'connect'
            ? async () => counted(await real.connect(), ['query'])
            : (Reflect.get(counted(real, ['query']), name) as unknown),
      }),
    });
    const look = async (): Promise<unknown> =>
      (await pool.query('select * from vaults where id = $1', [vault])).rows;
    let [ended, isWhole] = [0, false];
    for (let calls = 0; !isWhole; calls += 1) {
      const before = await look();
      left = calls;
      isWhole = await restoreInPlace(ending, vault, 1).then(
        () => true,
        () => false,
      );
      if (isWhole) break;
      ended += 1;
      expect(await look()).toEqual(before);
      await write(hosted.keepsake, 'a.md', `${calls + 1}\n`, `${calls}\n`);
    }
    // Several store calls, and every statement of the transaction.
    expect(ended).toBeGreaterThan(10);
    await expect(write(hosted.keepsake, 'b.md', 'b\n')).rejects.toMatchObject({ code: 'lost-vault' });
    const { keepsake, snapshot } = await (await service.aNode()).open(vault, { retentionDays: 0 });
    expect(textIn(keepsake, 'a.md')).toBe('0\n');
    // The next snapshot deletes objects of unfinished restores.
    await write(keepsake, 'b.md', 'b\n');
    await snapshot();
    const { rows } = await pool.query<{ snapshot: string }>('select snapshot from vaults where id = $1', [
      vault,
    ]);
    const manifests = (await store.list(`${vault}/`)).filter((name) => name.endsWith('/manifest'));
    expect(manifests).toEqual([rows[0]?.snapshot]);
  });

  it('keeps writes acknowledged during a restore, and can be restored to the state that includes them', async () => {
    const vault = await registerVault(pool, rootKey);
    const old = await (await service.aNode()).open(vault);
    await write(old.keepsake, 'a.md', 'then\n');
    const then = allOf(old.keepsake);
    const promised: string[] = [];
    const writing = (async () => {
      for (let number = 0; ; number += 1) {
        await write(old.keepsake, `${number}.md`, `${number}\n`);
        promised.push(`${number}.md`);
      }
    })().catch((error: unknown) => error);
    await vi.waitUntil(() => promised.length > 2, { timeout: 60_000 });
    const [record] = await Promise.all([restoreInPlace(parts(), vault, 1), old.snapshot()]);
    expect(await writing).toMatchObject({ code: 'lost-vault' });
    const { keepsake } = await (await service.aNode()).open(vault);
    expect(allOf(keepsake)).toEqual(then);
    const before = (await exported(vault, record - 1)).files.map(([name]) => name);
    for (const name of promised) expect(before).toContain(`/${name}`);
  });

  it('retains records, objects and snapshots only for the retention period, even without an owner', async () => {
    const vault = await registerVault(pool, rootKey);
    const node = await service.aNode();
    const hosted = await node.open(vault);
    const { keepsake, snapshot } = hosted;
    await write(keepsake, 'picture.png', randomBytes(300_000));
    await snapshot();
    const longRecord = (await store.list(`${vault}/`)).find((name) => name.includes('/records/'));
    for (let number = 0; number < 4; number += 1) {
      await write(keepsake, `${number}.md`, `${number}\n`);
      await snapshot();
      // One snapshot per day is retained: the records lead from it to the others.
      expect([await countOf('log', vault), await countOf('earlier_snapshots', vault)]).toEqual([
        number + 2,
        1,
      ]);
    }
    expect(await store.list(`${vault}/`)).toContain(longRecord);
    await expect(exported(vault, 6)).rejects.toMatchObject({ code: 'not-kept' });
    await expect(exported(vault, new Date('2001-01-01'))).rejects.toMatchObject({ code: 'not-kept' });
    await expect(exported(vault, new Date('2999-01-01'))).rejects.toMatchObject({ code: 'not-kept' });

    // One snapshot of a week ago, and an older one.
    await age(vault, 6);
    await write(keepsake, 'more.md', 'more\n');
    await snapshot();
    expect([await countOf('log', vault), await countOf('earlier_snapshots', vault)]).toEqual([6, 1]);
    await age(vault, 2);
    await write(keepsake, 'more.md', 'much more\n', 'more\n');
    await snapshot();
    expect([await countOf('log', vault), await countOf('earlier_snapshots', vault)]).toEqual([7, 2]);
    await age(vault, 6);
    const all = allOf(keepsake);
    await hosted.close();
    await pool.query('update vaults set owner = null where id = $1', [vault]);
    const cleaning = await startNode({
      ...parts(),
      name: 'cleaning',
      host: '127.0.0.1',
      port: 0,
      cacheFolder: temporaryFolder(),
      log: () => undefined,
    });
    await vi.waitUntil(async () => (await countOf('earlier_snapshots', vault)) < 2, { timeout: 60_000 });
    await cleaning.close();
    expect(await store.list(`${vault}/`)).not.toContain(longRecord);
    expect(await exported(vault)).toEqual(all);

    await removeVault({ pool, store }, vault);
    expect([await countOf('log', vault), await countOf('earlier_snapshots', vault)]).toEqual([0, 0]);
    expect(await store.list(`${vault}/`)).toEqual([]);
  });
});
