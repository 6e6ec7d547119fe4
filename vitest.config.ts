import { defineConfig } from 'vitest/config';
import { processVariables } from './test/process-variables.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Nothing should take so long, but on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    env: { NODE_COMPILE_CACHE: processVariables.NODE_COMPILE_CACHE },
    // What is waited for comes, or does not: a busy machine must not make the difference.
    expect: { poll: { timeout: 30_000 } },
    // Much of the time is spent waiting for processes and clocks.
    maxWorkers: 2,
  },
});
