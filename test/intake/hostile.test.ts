import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIntake, defaultLimits } from '../../src/intake/index.ts';
import { hostileDocuments } from './hostile.ts';
import { watchWorkers } from './watch-workers.ts';

const stemOf = (name: string): string => name.replace(/\.\w+$/, '');
/** Between two looks at its memory a process may take this much. */
const slackBytes = 300_000_000;

describe.skipIf(process.platform !== 'linux')('a hostile document', () => {
  const contacts: string[] = [];
  const trap = createServer((request, response) => {
    contacts.push(request.url ?? '');
    response.end();
  });
  const intake = createIntake();
  const workers = watchWorkers();
  const address = (): string => `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;

  beforeAll(async () => {
    await once(trap.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(() => {
    workers.stop();
    intake.close();
    trap.close();
  });

  it.each(hostileDocuments)('$what', async ({ name, make, ends, check, limits }) => {
    const bytes = await make(address());
    const used = limits === undefined ? intake : createIntake({ limits });
    workers.peak();
    const started = performance.now();
    const taken = await used.takeIn({ name, bytes }, stemOf);
    const milliseconds = performance.now() - started;
    const { outcome } = taken;

    expect([ends].flat()).toContain(outcome.kind === 'refused' ? outcome.code : outcome.kind);
    check?.(taken);
    expect(milliseconds).toBeLessThan(10_000);
    expect(workers.peak()).toBeLessThan((limits?.memoryBytes ?? defaultLimits.memoryBytes) + slackBytes);
    expect(contacts).toEqual([]);

    const next = await used.takeIn({ name: 'next.csv', bytes: Buffer.from('a,b\n1,2') }, stemOf);
    expect(next.outcome).toMatchObject({ kind: 'converted' });
    if (used !== intake) used.close();
  });
});
