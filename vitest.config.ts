import { globSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { processVariables } from './test/process-variables.ts';
import { useTemporaryFolder } from './test/use-temporary-folder.ts';

const include = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'];
/** Sweeps over many inputs, and slow programs of others. Faster tests check the same behaviour once, with every change. */
const nightly = [
  'packages/vault/src/models/local-expander.test.ts',
  'packages/vault/src/models/local-reranker.test.ts',
  'packages/vault/src/models/local-runtime.test.ts',
  'test/agents/benchmark.test.ts',
  'test/intake/corpus.test.ts',
  'test/mcp/conformance.test.ts',
  'test/mcp/other-clients.test.ts',
  'test/oauth/conformance.test.ts',
  'test/retrieval.test.ts',
  'test/web/appearance.test.ts',
  'test/web/corpus.test.ts',
  'test/web/gallery.test.ts',
  'test/web/long-notes.test.ts',
  'test/web/scale.test.ts',
];
/** Test files outside `nightly` that contain a call of one of these functions. */
function filesThatCall(...names: string[]): string[] {
  const call = new RegExp(String.raw`\b(?:${names.join('|')})\(`);
  return globSync(include)
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !nightly.includes(file) && call.test(readFileSync(file, 'utf8')));
}

/** These replace functions of Windows or macOS by those of Linux. */
const needsLinux = process.platform === 'linux' ? [] : filesThatCall('fakeWindows', 'fakeDarwin');
if (needsLinux.length > 0) console.log(`skipped, because they need Linux: ${needsLinux.join(', ')}`);

/** These mock modules or system calls, or measure memory, and would affect other test files in the same process. */
const isolated = filesThatCall(
  String.raw`vi\.mock`,
  'interceptCalls',
  'fakeWindows',
  'fakeDarwin',
  'memoryUsage',
).filter((file) => !needsLinux.includes(file));
/** These try a sample of their inputs with every change, and all of them at night; a real model is there only at night. */
const sampled = filesThatCall('sampleOf', 'findRealModel', 'realModelFor');

/**
 * Runs long sweeps before other files of their project. Without earlier results, vitest sorts by size; a sweep is a small
 * file, so one worker would still run it when the others have finished.
 */
class SweepsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sweeps = new Set(sampled.map((file) => resolve(file)));
    const rank = ({ project, moduleId }: TestSpecification): number =>
      project.config.isolate ? 0 : sweeps.has(moduleId) ? 1 : 2;
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer, not of an array
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

if (!tmpdir().startsWith('/dev/shm/')) {
  const folder = useTemporaryFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

export default defineConfig({
  test: {
    globalSetup: 'test/shared-servers.ts',
    sequence: { sequencer: SweepsFirst },
    projects: [
      // Test files share a process, because loading the application for each file took half of the time.
      {
        extends: true,
        test: { name: 'shared', include, exclude: [...isolated, ...needsLinux, ...nightly], isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: [...nightly, ...sampled],
          env: { KEEPSAKE_ALL_INPUTS: 'true' },
        },
      },
    ],
    // Only a busy machine needs this long.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    env: { NODE_COMPILE_CACHE: processVariables.NODE_COMPILE_CACHE },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Long, so that a test does not fail because the machine is busy.
    expect: { poll: { timeout: 30_000 } },
    // More than there are cores, because tests often wait for processes and timers.
    maxWorkers: 4,
  },
});
