// The steps of .ci/run after installation. Every step runs, so that one failure does not hide another.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStep } from './steps.ts';

let passed = 0;
let failed = 0;
const count = (isPassed: boolean): void => void (isPassed ? (passed += 1) : (failed += 1));

// Not counted: without it some tests are skipped, with a reason.
runStep({ name: 'model', command: [process.execPath, 'test/scripted-models/prepare.ts'] });
runStep({ name: 'MCP tools', command: [process.execPath, 'test/mcp/prepare.ts'] });
count(runStep({ name: 'check', command: ['npm', 'run', '--silent', 'check'] }));
runTests();
const isBuilt = runStep({ name: 'build', command: ['npm', 'run', '--silent', 'build'] });
count(isBuilt);
if (isBuilt) {
  for (const group of ['read', 'concat', 'tree', 'write', 'search']) runAcceptance(group);
  // A sample of each; the full campaigns have their own command.
  for (const [campaign, times] of [
    ['kill', '60'],
    ['errors', '40'],
    ['power', '4'],
    ['races', '400'],
    ['queue', '1000'],
    ['agents', '15'],
    ['service', '600'],
    ['import', '300'],
  ] as const) {
    count(
      runStep({
        name: `faults ${campaign}`,
        command: [process.execPath, 'test/faults/main.ts', campaign, times],
      }),
    );
  }
  count(runStep({ name: 'smoke', command: ['npm', 'run', '--silent', 'smoke'] }));
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function runTests(): void {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-ci-'));
  const report = join(folder, 'tests.json');
  const isGreen = runStep({
    name: 'test',
    command: [
      'npm',
      'test',
      '--silent',
      '--',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
  });
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
  };
  passed += numPassedTests;
  failed += numFailedTests;
  // A run can fail without a failing test: a file that does not load, an error nobody awaited.
  if (!isGreen && numFailedTests === 0) failed += 1;
  rmSync(folder, { recursive: true, force: true });
}

/** The cases live beside the project, not in it. */
function runAcceptance(group: string): void {
  const command = [
    '../shared/acceptance/run.mjs',
    '-v',
    '--only',
    group,
    process.execPath,
    'dist/cli/main.js',
  ];
  console.log(`\n── acceptance ${group}`);
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  console.log(stdout + stderr);
  const counts = /(\d+) passed, (\d+) failed\s*$/.exec(stdout);
  passed += Number(counts?.[1] ?? 0);
  failed += Number(counts?.[2] ?? 1);
}
