import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startWorker } from './start-worker.ts';

it('the process that converts cannot read, write, run, ask the network or see the environment', async () => {
  const child = startWorker(
    100_000_000,
    null,
    new URL('../../../../test/intake/escape.mjs', import.meta.url),
  );
  const [results] = await once(child, 'message');
  expect(results).toEqual({
    read: 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    run: 'ERR_ACCESS_DENIED',
    ask: 'documents are read without the network',
    askSafely: 'documents are read without the network',
    environment: [],
  });
});
