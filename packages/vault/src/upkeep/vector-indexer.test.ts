import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { EmbeddingThrottle } from '../search/index.ts';
import type { UpkeepEvent } from './upkeep-events.ts';
import { createVectorIndexer } from './vector-indexer.ts';
import type { VectorAccess } from './vector-indexer.ts';

const timing = { minModelBackoffMs: 150, maxModelBackoffMs: 1_200, vectorCleanupIntervalMs: 1_000_000 };

function startIndexer(embed: VectorAccess['embed'], isSearching = () => false) {
  const events: UpkeepEvent[] = [];
  const made = createVectorIndexer({
    embed,
    deleteOrphaned: async () => undefined,
    isSearching,
    report: (event) => void events.push(event),
    monotonicNow: () => performance.now(),
    timing,
  });
  onTestFinished(() => made.stop());
  return { wake: () => made.wake(), events };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

it('the vector indexer backs off exponentially from a failing model, ignores wake-ups, and then resumes', async () => {
  const calls: number[] = [];
  const { wake, events } = startIndexer(async ({ onProgress }) => {
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

it('the vector indexer grows batches while the model is fast, shrinks them when it is slow, and pauses during a search', async () => {
  const received: { throttle?: EmbeddingThrottle } = {};
  let isSearching = false;
  const { wake } = startIndexer(
    async ({ throttle }) => {
      received.throttle = throttle;
      return 0;
    },
    () => isSearching,
  );
  wake();
  await until(() => received.throttle !== undefined);
  const throttle = received.throttle!;
  expect(throttle.maxBatchSize()).toBe(1);
  for (let call = 0; call < 8; call += 1) await throttle.afterBatch(0);
  expect(throttle.maxBatchSize()).toBe(32);
  await throttle.afterBatch(150);
  expect(throttle.maxBatchSize()).toBe(16);
  isSearching = true;
  let hasResumed = false;
  const waiting = throttle.afterBatch(0).then(() => (hasResumed = true));
  await sleep(100);
  expect(hasResumed).toBe(false);
  isSearching = false;
  await waiting;
  expect(hasResumed).toBe(true);
});

it('the vector indexer reports progress made before a failure', async () => {
  const { wake, events } = startIndexer(async ({ onProgress }) => {
    onProgress(16, 40);
    throw new Error('no more');
  });
  wake();
  await until(() => events.length >= 2);
  expect(events).toMatchObject([{ kind: 'embedded', sections: 16, left: 24 }, { kind: 'failed' }]);
});
