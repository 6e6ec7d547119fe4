// The steps of .ci/run after installation: what every change has to pass.
import { rmSync } from 'node:fs';
import { build, prepareTests, runAcceptance, runSample } from './built-steps.ts';
import { useTemporaryFolder } from '../test/use-temporary-folder.ts';
import { startSteps } from './steps.ts';

const folder = useTemporaryFolder();
const steps = startSteps();
await Promise.all([
  prepareTests(steps),
  steps.runChecks({ name: 'check', command: ['npm', 'run', '--silent', 'check'] }),
]);
// First, because the tests look at the built interface, too.
const isBuilt = await build(steps);
// Tests spend much of their time waiting.
await Promise.all([steps.runTests(folder), isBuilt ? runOnBuild() : undefined]);
rmSync(folder, { recursive: true, force: true });
process.exitCode = steps.finish();

/** The rest runs every night: scripts/nightly.ts. */
async function runOnBuild(): Promise<void> {
  await runAcceptance(steps);
  for (const name of ['kill', 'power', 'races', 'queue', 'undo', 'import', 'words', 'folders'])
    await runSample(steps, name);
  await steps.run({ name: 'fuzz', command: [process.execPath, 'test/fuzz/main.ts', 'all', '100'] });
  await steps.run({ name: 'benches', command: [process.execPath, 'bench/main.ts', 'tiny'] });
  await steps.run({ name: 'smoke', command: ['npm', 'run', '--silent', 'smoke'] });
}
