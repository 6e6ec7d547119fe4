import { expect, it } from 'vitest';
import { fakeDarwin } from '../../../../test/fake-darwin.ts';
import { cpuTimeMs, residentBytes } from './process-usage.ts';

const darwin = fakeDarwin();

it('memory and CPU time of a process are read on macOS, so that limits apply there', () => {
  darwin.usage.set(7, { memoryBytes: 900_000_000n, userTicks: 24_000_000n, systemTicks: 12_000_000n });
  expect([residentBytes(7), cpuTimeMs(7)]).toEqual([900_000_000, 1_500]);
  expect([residentBytes(8), cpuTimeMs(8)]).toEqual([0, null]);
});
