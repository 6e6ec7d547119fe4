// npm run nightly: checks that take too long for every change. Campaigns, which are long randomized tests, run at
// their sample size; `npm run campaign` runs one in full.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { campaigns } from '../test/campaigns/campaigns.ts';
import {
  build,
  prepareTests,
  runAcceptance,
  runAttacks,
  runSample,
  runThroughCluster,
} from './built-steps.ts';
import { useTemporaryFolder } from '../test/use-temporary-folder.ts';
import { startSteps } from './steps.ts';

const folder = useTemporaryFolder();
const steps = startSteps();
await prepareTests(steps);
if (await build(steps)) {
  await runAcceptance(steps);
  await runThroughCluster(steps);
  for (const name of Object.keys(campaigns)) await runSample(steps, name);
  await runAttacks(steps);
}
await steps.runTests(folder, 'nightly');
await steps.run({ name: 'other packages', command: ['npm', 'run', '--silent', 'smoke', '--', 'others'] });
const executables = join(folder, 'executables');
await steps.run({
  name: 'executables',
  command: [process.execPath, 'scripts/executables.ts', '--folder', executables],
});
const executable = join(executables, `linux-${process.arch}`, 'keepsake');
await steps.run({
  name: 'executable',
  command: ['npm', 'run', '--silent', 'smoke', '--', 'executable', executable],
});
const onWindows = (...args: string[]): string[] => [process.execPath, 'test/windows/main.ts', ...args];
await steps.run({ name: 'smoke on Windows', command: onWindows('smoke') });
await steps.run({
  name: 'executable on Windows',
  command: onWindows('executable', join(executables, 'win32-x64', 'keepsake.exe')),
});
await steps.runChecks({ name: 'acceptance on Windows', command: onWindows('acceptance') });
await steps.run({ name: 'tests on Windows', command: onWindows('units') });
await steps.run({
  name: 'campaign weak without its checks',
  command: [process.execPath, 'test/campaigns/weak-mutants.ts'],
});
await steps.run({ name: 'fuzz', command: [process.execPath, 'test/fuzz/main.ts', 'all', '2000'] });
await steps.run({ name: 'site', command: ['npm', 'run', '--silent', 'site'] });
await steps.run({ name: 'clients', command: ['npm', 'run', '--silent', 'clients'] });
rmSync(folder, { recursive: true, force: true });
process.exitCode = steps.finish();
