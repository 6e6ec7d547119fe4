import { describe, expect, it } from 'vitest';
import { openOAuthStore } from '../../packages/vault/src/server/oauth/oauth-store.ts';
import { temporaryVault } from '../temporary-vault.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const tooMany = { error: 'temporarily_unavailable', statusCode: 429 };

/** A store with as many records of a model as it accepts, all created at the start. */
async function fullStore(model: string, max: number) {
  const { keepsake } = await temporaryVault();
  const clock = { now: start };
  const store = openOAuthStore(keepsake, () => clock.now)();
  const { durable } = keepsake.state.databases();
  durable
    .prepare(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < @max)
       insert into oauth select @model, 'record-' || n, null, null, '{}', @at, null, null from numbers`,
    )
    .run({ model, max, at: start / 1_000 });
  const count = durable.prepare('select count(*) from oauth where model = ?').pluck();
  const add = (id: string, life = 3_600) => store.adapterFor(model).upsert(id, { clientId: id }, life);
  return { clock, store, add, count: () => count.get(model) as number };
}

describe('OAuth records that unauthenticated callers create', () => {
  it.each([
    { model: 'Client', max: 4_000 },
    { model: 'Interaction', max: 4_000 },
    { model: 'Session', max: 4_000 },
    { model: 'ReplayDetection', max: 10_000 },
  ])('$model: no more than $max, and none is evicted within ten minutes', async ({ model, max }) => {
    const { clock, add, count } = await fullStore(model, max);
    clock.now += 599_000;
    await expect(add('new')).rejects.toMatchObject(tooMany);
    expect(count()).toBe(max);
    clock.now += 2_000;
    await add('new');
    expect(count()).toBe(max);
  });

  it('are evicted oldest first, except clients with a grant, which do not count', async () => {
    const { clock, store, add, count } = await fullStore('Client', 4_000);
    await store.adapterFor('Grant').upsert('grant', { clientId: 'record-1' }, 1_000_000);
    clock.now += 60_000;
    await add('later');
    clock.now += 600_000;
    await add('new');
    const client = store.adapterFor('Client');
    expect(await client.find('record-1')).toBeDefined();
    expect(await client.find('later')).toBeDefined();
    expect(await client.find('record-10')).toBeUndefined();
    expect(count()).toBe(4_001);
  });

  it('can be updated at the limit', async () => {
    const { add, store } = await fullStore('Client', 4_000);
    await add('record-1');
    expect(await store.adapterFor('Client').find('record-1')).toMatchObject({ clientId: 'record-1' });
  });

  it('make room when they expire', async () => {
    const { clock, add, count } = await fullStore('Interaction', 3_999);
    await add('first', 60);
    await expect(add('second', 60)).rejects.toMatchObject(tooMany);
    clock.now += 61_000;
    await add('third', 60);
    expect(count()).toBe(4_000);
  });

  it('have a limited size', async () => {
    const { store } = await fullStore('Client', 1);
    const name = 'x'.repeat(16_000);
    await expect(store.adapterFor('Client').upsert('long', { client_name: name }, 60)).rejects.toMatchObject({
      error: 'invalid_request',
    });
  });
});
