// The steps of .ci/run after installation: the checks that every change has to pass.
import { rmSync } from 'node:fs';
import { build, runAcceptance, runSample } from './built-steps.ts';
import { useTemporaryFolder } from '../test/use-temporary-folder.ts';
import { startSteps } from './steps.ts';

const folder = useTemporaryFolder();
const steps = startSteps();
// Beside the build, which leaves one of two cores idle.
const checked = steps.runChecks({
  name: 'check',
  command: ['npm', 'run', '--silent', 'check', '--', '--beside-tests'],
});
// Before the tests, because some of them use the built web interface.
const isBuilt = await build(steps);
// In parallel, because tests spend much of their time waiting.
await Promise.all([steps.runTests(folder), runBeside()]);
rmSync(folder, { recursive: true, force: true });
process.exitCode = steps.finish();

/**
 * Waits for the checks and, if the build succeeded, runs everything that needs it. Longer checks run every night:
 * scripts/nightly.ts.
 */
async function runBeside(): Promise<void> {
  await checked;
  if (!isBuilt) return;
  // A third of the cases; all of them run every night.
  await runAcceptance(steps, 3);
  for (const name of ['kill', 'power', 'races', 'queue', 'undo', 'import', 'words'])
    await runSample(steps, name);
  await steps.run({ name: 'benches', command: [process.execPath, 'bench/main.ts', 'tiny'] });
  await steps.run({ name: 'smoke', command: ['npm', 'run', '--silent', 'smoke'] });
}
