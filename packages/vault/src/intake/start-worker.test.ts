import { once } from 'node:events';
import { expect, it } from 'vitest';
import { spawnWorker } from './start-worker.ts';

it('the converter process cannot read or write files, run programs, use the network or see the environment', async () => {
  const child = spawnWorker(
    100_000_000,
    null,
    new URL('../../../../test/intake/escape.mjs', import.meta.url),
  );
  const [results] = await once(child, 'message');
  expect(results).toEqual({
    read: 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    run: 'ERR_ACCESS_DENIED',
    ask: 'network access is disabled while documents are converted',
    askSafely: 'network access is disabled while documents are converted',
    environment: [],
  });
});
