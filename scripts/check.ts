// npm run check: all static checks.
import { runEach, startSteps } from './steps.ts';

const bin = (name: string): string => `node_modules/.bin/${name}`;
const steps = startSteps();
// Two at a time, the longest first.
await runEach(
  [
    { name: 'types', command: [bin('tsc'), '-p', '.'] },
    { name: 'lint', command: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
    { name: 'types of the web interface', command: [bin('tsc'), '-p', 'packages/vault/src/web'] },
    { name: 'generated docs', command: [process.execPath, 'scripts/docs.ts', '--check'] },
    { name: 'dead code', command: [bin('knip')] },
    { name: 'types of the site', command: [bin('tsc'), '-p', 'docs/.vitepress'] },
    { name: 'language', command: [process.execPath, 'scripts/language.ts'] },
    { name: 'boundaries', command: [bin('vitest'), 'run', 'test/architecture.test.ts'] },
    { name: 'OpenAPI description', command: [process.execPath, 'scripts/openapi.ts', '--check'] },
    { name: 'workflows', command: [process.execPath, 'scripts/workflows.ts'] },
    { name: 'format', command: [bin('oxfmt'), '--check'] },
  ],
  2,
  steps.run,
);
process.exitCode = steps.finish();
