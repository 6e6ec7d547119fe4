import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    // Much of the time is spent waiting for processes and clocks.
    maxWorkers: 2,
  },
});
