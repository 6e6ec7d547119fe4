// The steps of .ci/run after installation. Every step runs, so that one failure does not hide another. The tests spend much
// of their time waiting, so what needs the built program runs beside them.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processVariables } from '../test/process-variables.ts';
import { endsOfFailures, runStep } from './steps.ts';

const node = process.execPath;
/** Temporary files lie in memory where there is room, because most of the time went into waiting for the disk. */
const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'keepsake-ci-'));
// Some tests look at it as somebody else.
chmodSync(folder, 0o755);
process.env['TMPDIR'] = folder;
/** Programs that are started hundreds of times are compiled once. Not where system calls are counted. */
const compiledOnce = { NODE_COMPILE_CACHE: processVariables.NODE_COMPILE_CACHE };
/** Left to `test/attacks/run .`, which tries them all. */
const slowAttacks = new Set([
  'backup-while-writing',
  'concurrent-editors',
  'delete-race-link-fails',
  'file-systems',
  'full-state-disk',
  'odd-names-and-bytes',
  'open-appender',
  'slow-writer',
]);
let passed = 0;
let failed = 0;
const count = (isPassed: boolean): void => void (isPassed ? (passed += 1) : (failed += 1));

// Not counted: without it some tests are skipped, with a reason.
await Promise.all([
  runStep({ name: 'model', command: [node, 'test/scripted-models/prepare.ts'] }),
  runStep({ name: 'MCP tools', command: [node, 'test/mcp/prepare.ts'] }),
]);
count((await runStep({ name: 'check', command: ['npm', 'run', '--silent', 'check'] })).isPassed);
// First, because the tests look at the built interface, too.
const { isPassed: isBuilt } = await runStep({ name: 'build', command: ['npm', 'run', '--silent', 'build'] });
count(isBuilt);
if (isBuilt) process.env['TESTED_PROGRAM'] = 'dist/cli/main.js';
await Promise.all([runTests(), isBuilt ? runOnBuild() : undefined]);
// Alone, because what they promise has limits in seconds.
if (isBuilt) {
  await runCampaign('service', '300');
  await runAttacks();
}
rmSync(folder, { recursive: true, force: true });
console.log(`\n${endsOfFailures()}\n\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function hasRoom(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize > 8e9;
  } catch {
    return false;
  }
}

async function runTests(): Promise<void> {
  const report = join(folder, 'tests.json');
  const { isPassed } = await runStep({
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
  if (!isPassed && numFailedTests === 0) failed += 1;
}

/** What a user would have, used as one. */
async function runOnBuild(): Promise<void> {
  count((await runStep({ name: 'site', command: ['npm', 'run', '--silent', 'site'] })).isPassed);
  for (const file of readdirSync('test/acceptance/cases')) await runAcceptance(file.replace('.mjs', ''));
  const throughCluster = [node, 'test/hosting/acceptance.ts', 'write'];
  await countCases('acceptance through a cluster', throughCluster);
  // A sample of each; the full campaigns have their own command.
  for (const [campaign, ...times] of [
    ['kill', '12'],
    ['errors', '8'],
    ['power', '4'],
    ['races', '400'],
    ['queue', '1000'],
    ['agents', '6'],
    ['import', '300'],
    ['weak', '20'],
    ['long', '60', '2'],
    ['saves', '60'],
    ['words', '300'],
    ['writers', '12'],
    ['filesystems', '12'],
    ['undo', '40'],
    ['links', '20'],
    ['outside', '20'],
    ['syncthing', '1', '40'],
    ['history', '11'],
    ['backup', '1'],
    ['clock', '10'],
    ['cluster', '1'],
    ['diffs', '1'],
    ['gitsync', '1'],
    ['folders', '3'],
    ['hooks', '40'],
    ['browser', '1', '2'],
    ['obey', '22'],
    ['doors', '2'],
    ['idle', '500'],
    ['day', '1'],
  ] as const)
    await runCampaign(campaign, ...times);
  count((await runStep({ name: 'fuzz', command: [node, 'test/fuzz/main.ts', 'all', '500'] })).isPassed);
  count((await runStep({ name: 'smoke', command: ['npm', 'run', '--silent', 'smoke'] })).isPassed);
}

/** A browser gives up what it loads when the network of its machine changes, as it does for a campaign of several machines. */
function networkApart(): string[] {
  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  return isAllowed ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] : [];
}

async function runCampaign(campaign: string, ...times: string[]): Promise<void> {
  const command = [
    ...(campaign === 'cluster' ? networkApart() : []),
    node,
    'test/campaigns/main.ts',
    campaign,
    ...times,
  ];
  const isTraced = campaign === 'kill' || campaign === 'errors';
  const env = isTraced ? {} : compiledOnce;
  count((await runStep({ name: `faults ${campaign}`, command, env })).isPassed);
}

async function runAttacks(): Promise<void> {
  const names = readdirSync('test/attacks').flatMap((file) => /^(.+)\.(?:sh|mjs)$/.exec(file)?.[1] ?? []);
  const quick = names.filter((name) => !slowAttacks.has(name));
  const command = ['test/attacks/run', '--only', ...quick, '.'];
  const { output } = await runStep({ name: 'attacks', command });
  const counts = /(\d+) held, (\d+) broken, \d+ skipped\s*$/.exec(output);
  passed += Number(counts?.[1] ?? 0);
  failed += Number(counts?.[2] ?? 1);
}

async function runAcceptance(group: string): Promise<void> {
  await countCases(`acceptance ${group}`, [
    node,
    'test/acceptance/run.mjs',
    '-v',
    '--only',
    group,
    node,
    'dist/cli/main.js',
  ]);
}

async function countCases(name: string, command: string[]): Promise<void> {
  const { output } = await runStep({ name, command, env: compiledOnce });
  const counts = /(\d+) passed, (\d+) failed\s*$/.exec(output);
  passed += Number(counts?.[1] ?? 0);
  failed += Number(counts?.[2] ?? 1);
}
