import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createEventBuffer } from './event-buffer.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('the event buffer retains little more memory than the bytes of its events', () => {
  const list = createEventBuffer({ maxBufferedEvents: 500, maxBufferedEventBytes: 4_000_000 });
  const measureMemory = (): number => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = measureMemory();
  for (let number = 0; number < 500; number += 1) {
    list.add({ type: 'file-changed', paths: [`vault/note-${number}.md`] });
    for (let other = 0; other < 40; other += 1) Buffer.from('x'.repeat(2_000));
  }
  expect(list.after(0)?.last).toBeGreaterThan(100);
  // In pooled buffers they would retain all the others, about 30 MB; a few pools may not have been collected yet.
  expect(measureMemory() - before).toBeLessThan(10_000_000);
});
