import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createEventList } from './event-list.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('the latest events hold no more memory than their bytes, whatever else was read and written meanwhile', () => {
  const list = createEventList({ events: 500, eventBytes: 4_000_000 });
  const held = (): number => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  for (let number = 0; number < 500; number += 1) {
    list.add({ type: 'file-changed', paths: [`vault/note-${number}.md`] });
    for (let other = 0; other < 40; other += 1) Buffer.from('x'.repeat(2_000));
  }
  expect(list.after(0)?.last).toBeGreaterThan(100);
  // In shared blocks they would hold all of these, some 30 MB; a few blocks may not have been collected yet.
  expect(held() - before).toBeLessThan(10_000_000);
});
