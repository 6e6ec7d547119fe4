import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type pg from 'pg';
import { registerVault } from '../../packages/service/src/hosting/index.ts';
import type { ObjectStore } from '../../packages/service/src/hosting/index.ts';
import { forgetWords } from '../forget-target.ts';
import { missing } from '../missing.ts';
import { rootKey, startTestService, textIn, write } from './test-service.ts';
import type { TestService } from './test-service.ts';

let service: TestService;
let pool: pg.Pool;
let store: ObjectStore;

beforeAll(async () => {
  service = await startTestService();
  ({ pool, store } = service);
});
afterAll(() => service.stop());

describe.skipIf(missing('PostgreSQL'))('forgetting in a hosted vault', () => {
  it('deletes the records and snapshots that contain the words, and another node does not bring them back', async () => {
    const [first, second] = [await service.aNode(), await service.aNode()];
    const vault = await registerVault(pool, rootKey);
    const { keepsake, snapshot } = await first.open(vault);
    await write(keepsake, 'a.md', 'The heating is new. The word is Kornblume.\n');
    await snapshot();
    await write(keepsake, 'b.md', 'Kornblume again. Buy bread.\n');
    const objectsBefore = await store.list(`${vault}/`);
    expect(await forgetWords(keepsake, 'Kornblume')).toMatchObject({ remaining: [] });
    const objects = await store.list(`${vault}/`);
    expect(objectsBefore.filter((name) => objects.includes(name))).toEqual([]);
    const earlier = 'select count(*)::int as count from earlier_snapshots where vault = $1';
    expect((await pool.query(earlier, [vault])).rows).toEqual([{ count: 0 }]);
    const records = 'select count(*)::int as count from log where vault = $1';
    expect((await pool.query(records, [vault])).rows).toEqual([{ count: 0 }]);

    await service.forget(first);
    const { keepsake: recovered } = await second.open(vault);
    expect(textIn(recovered, 'a.md')).toContain('The heating is new.');
    expect(textIn(recovered, 'b.md')).toContain('Buy bread.');
    const again = await recovered.forget.plan({ kind: 'words', words: ['Kornblume'] });
    expect(again.places).toEqual([]);
  });
});
