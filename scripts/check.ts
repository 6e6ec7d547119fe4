// npm run check: all static checks. With --beside-tests, without those that the tests repeat.
import { runEach, startSteps } from './steps.ts';

const bin = (name: string): string => `node_modules/.bin/${name}`;
const steps = startSteps();
const isBesideTests = process.argv.includes('--beside-tests');
/** The tests in test/docs.test.ts, test/architecture.test.ts and test/http/openapi.test.ts check the same. */
const testedSteps = [
  { name: 'generated docs', command: [process.execPath, 'scripts/docs.ts', '--check'] },
  { name: 'boundaries', command: [bin('vitest'), 'run', 'test/architecture.test.ts'] },
  { name: 'OpenAPI description', command: [process.execPath, 'scripts/openapi.ts', '--check'] },
];
// Two at a time, the longest first.
await runEach(
  [
    { name: 'types', command: [bin('tsc'), '-p', '.'] },
    { name: 'lint', command: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
    { name: 'types of the web interface', command: [bin('tsc'), '-p', 'packages/vault/src/web'] },
    { name: 'dead code', command: [bin('knip')] },
    { name: 'types of the site', command: [bin('tsc'), '-p', 'docs/.vitepress'] },
    { name: 'language', command: [process.execPath, 'scripts/language.ts'] },
    { name: 'workflows', command: [process.execPath, 'scripts/workflows.ts'] },
    { name: 'format', command: [bin('oxfmt'), '--check'] },
    ...(isBesideTests ? [] : testedSteps),
  ],
  2,
  steps.run,
);
process.exitCode = steps.finish();
