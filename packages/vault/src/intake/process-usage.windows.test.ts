import { expect, it } from 'vitest';
import { fakeWindows } from '../../../../test/fake-windows.ts';
import { cpuTimeMs, residentBytes } from './process-usage.ts';

const windows = fakeWindows();

it('memory and CPU time of a process are read on Windows, so that limits apply there', () => {
  windows.processes.set(7, { times: [1n, 2n, 10_000_000n, 5_000_000n], memoryBytes: 900_000_000n });
  expect([residentBytes(7), cpuTimeMs(7)]).toEqual([900_000_000, 1_500]);
  expect([residentBytes(8), cpuTimeMs(8)]).toEqual([0, null]);
});
