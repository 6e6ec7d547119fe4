import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIntake, defaultLimits } from '../../packages/vault/src/intake/index.ts';
import { missing } from '../missing.ts';
import { sampleOf } from '../sample-of.ts';
import { overLimits } from './hostile/document.ts';
import { hostileDocuments } from './hostile.ts';
import { watchWorkers } from './watch-workers.ts';

/** Each of these takes seconds until it reaches a limit. A sample has one for each of the three converters. */
const endless = hostileDocuments.filter(({ ends }) => ends === overLimits);
const others = hostileDocuments.filter(({ ends }) => ends !== overLimits);
const documents = [...sampleOf(others, 2), ...sampleOf(endless, 3)];

const stemOf = (name: string): string => name.replace(/\.\w+$/, '');
/** How much memory a process may allocate between two measurements. */
const slackBytes = 300_000_000;

describe.skipIf(missing('Linux'))('a hostile document', () => {
  const contacts: string[] = [];
  const trap = createServer((request, response) => {
    contacts.push(request.url ?? '');
    response.end();
  });
  /** Has a longer timeout than a document may take, because other processes may slow this machine down. */
  const intake = createIntake({
    limits: { milliseconds: 20 * defaultLimits.milliseconds, unpackedBytes: 50_000_000 },
  });
  /** For documents that no machine can convert: waiting for the full timeout would prove nothing more. */
  const hurried = createIntake({ limits: { milliseconds: 2_000 } });
  const workers = watchWorkers();
  const address = (): string => `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;

  beforeAll(async () => {
    await once(trap.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(() => {
    workers.stop();
    intake.close();
    hurried.close();
    trap.close();
  });

  it.each(documents)(
    'stays within the limits: $what',
    { timeout: 180_000 },
    async ({ name, make, ends, check }) => {
      const bytes = await make(address());
      const mayBeSlow = [ends].flat().includes('too-slow');
      const used = mayBeSlow ? hurried : intake;
      workers.taken();
      const taken = await used.takeIn({ name, bytes }, stemOf);
      const { memory, seconds } = workers.taken();
      const { outcome } = taken;

      expect([ends].flat()).toContain(outcome.kind === 'refused' ? outcome.code : outcome.kind);
      check?.(taken);
      // An endless conversion is ended by the limit, or by the timeout of this test.
      if (!mayBeSlow) expect(seconds).toBeLessThan(defaultLimits.milliseconds / 1000);
      expect(memory).toBeLessThan(defaultLimits.memoryBytes + slackBytes);
      expect(contacts).toEqual([]);

      const next = await used.takeIn({ name: 'next.csv', bytes: Buffer.from('a,b\n1,2') }, stemOf);
      expect(next.outcome).toMatchObject({ kind: 'converted' });
    },
  );
});
