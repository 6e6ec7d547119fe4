import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    // What is waited for comes, or does not: a busy machine must not make the difference.
    expect: { poll: { timeout: 30_000 } },
    // Much of the time is spent waiting for processes and clocks.
    maxWorkers: 2,
  },
});
