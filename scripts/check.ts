// npm run check: everything that can be said about the code without running it. All of it runs, then the verdict.
import { runStep } from './steps.ts';

const bin = (name: string): string => `node_modules/.bin/${name}`;
const steps = [
  { name: 'format', command: [bin('oxfmt'), '--check'] },
  { name: 'lint', command: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'types', command: [bin('tsc'), '-p', '.'] },
  { name: 'types of the web interface', command: [bin('tsc'), '-p', 'src/web'] },
  { name: 'types of the site', command: [bin('tsc'), '-p', 'docs/.vitepress'] },
  { name: 'boundaries', command: [bin('vitest'), 'run', 'test/architecture.test.ts'] },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'described interface', command: [process.execPath, 'scripts/openapi.ts', '--check'] },
  { name: 'generated docs', command: [process.execPath, 'scripts/docs.ts', '--check'] },
];
const failed: typeof steps = [];
for (const step of steps) if (!(await runStep(step)).isPassed) failed.push(step);
console.log(
  failed.length === 0 ? '\ncheck passed' : `\ncheck FAILED: ${failed.map(({ name }) => name).join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
