import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Pace } from '../search/index.ts';
import type { UpkeepEvent } from './report.ts';
import { createVectorKeeper } from './vector-keeper.ts';
import type { KeepVectors } from './vector-keeper.ts';

const timing = { modelPause: 150, longestModelPause: 1_200, dropGoneEvery: 1_000_000 };

function keeper(embed: KeepVectors['embed'], isSearching = () => false) {
  const events: UpkeepEvent[] = [];
  const made = createVectorKeeper({
    embed,
    dropGone: async () => undefined,
    isSearching,
    report: (event) => void events.push(event),
    elapsed: () => performance.now(),
    timing,
  });
  onTestFinished(() => made.stop());
  return { wake: () => made.wake(), events };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

it('leaves a model that fails in peace ever longer, however often it is woken, and then goes on', async () => {
  const calls: number[] = [];
  const { wake, events } = keeper(async ({ onProgress }) => {
    calls.push(performance.now());
    if (calls.length < 4) throw new Error('not now');
    onProgress(3, 3);
    return 3;
  });
  const waking = setInterval(wake, 10);
  onTestFinished(() => clearInterval(waking));
  await until(() => events.some(({ kind }) => kind === 'embedded'));
  const pauses = calls.slice(1, 4).map((at, index) => at - (calls[index] ?? 0));
  expect(events.filter(({ kind }) => kind === 'failed')).toHaveLength(3);
  expect(pauses[2]).toBeGreaterThan(2 * 150);
});

it('asks the model for more at once while it is quick, for less when it is slow, and not while somebody searches', async () => {
  const given: { pace?: Pace } = {};
  let isSearching = false;
  const { wake } = keeper(
    async ({ pace }) => {
      given.pace = pace;
      return 0;
    },
    () => isSearching,
  );
  wake();
  await until(() => given.pace !== undefined);
  const pace = given.pace!;
  expect(pace.texts()).toBe(1);
  for (let call = 0; call < 8; call += 1) await pace.rest(0);
  expect(pace.texts()).toBe(32);
  await pace.rest(150);
  expect(pace.texts()).toBe(16);
  isSearching = true;
  let isRested = false;
  const resting = pace.rest(0).then(() => (isRested = true));
  await sleep(100);
  expect(isRested).toBe(false);
  isSearching = false;
  await resting;
  expect(isRested).toBe(true);
});

it('tells what was done before a failure, too', async () => {
  const { wake, events } = keeper(async ({ onProgress }) => {
    onProgress(16, 40);
    throw new Error('no more');
  });
  wake();
  await until(() => events.length >= 2);
  expect(events).toMatchObject([{ kind: 'embedded', sections: 16, left: 24 }, { kind: 'failed' }]);
});
