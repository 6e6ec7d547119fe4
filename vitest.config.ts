import { globSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { processVariables } from './test/process-variables.ts';
import { useTemporaryFolder } from './test/use-temporary-folder.ts';

const include = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'];
/** Sweeps over many sizes, pages, documents or questions. Other tests check the same once, with every change. */
const nightly = [
  'test/agents/benchmark.test.ts',
  'test/intake/corpus.test.ts',
  'test/retrieval.test.ts',
  'test/web/appearance.test.ts',
  'test/web/corpus.test.ts',
  'test/web/gallery.test.ts',
  'test/web/long-notes.test.ts',
  'test/web/scale.test.ts',
];
/** A replaced module or system call would stay replaced for other test files, and their memory would be counted, too. */
const isolated = globSync(include).filter((file) =>
  /\b(?:vi\.mock|interceptCalls|memoryUsage)\(/.test(readFileSync(file, 'utf8')),
);

if (!tmpdir().startsWith('/dev/shm/')) {
  const folder = useTemporaryFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

export default defineConfig({
  test: {
    globalSetup: 'test/shared-servers.ts',
    projects: [
      // Test files share a process: loading the application for each of them took half of the time.
      {
        extends: true,
        test: { name: 'shared', include, exclude: [...isolated, ...nightly], isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      { extends: true, test: { name: 'nightly', include: nightly } },
    ],
    // Nothing should take so long, but on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    env: { NODE_COMPILE_CACHE: processVariables.NODE_COMPILE_CACHE },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // What is waited for comes, or does not: a busy machine must not make the difference.
    expect: { poll: { timeout: 30_000 } },
    // Much of the time is spent waiting for processes and clocks.
    maxWorkers: 3,
  },
});
