import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const hostile = 400;
const suites = ['test/hostile-paths.test.ts', 'test/http/hostile-paths.test.ts', 'test/mcp/hostile.test.ts'];

type Report = {
  numTotalTests: number;
  numPassedTests: number;
  testResults: { assertionResults: Result[] }[];
};
type Result = { fullName: string; status: string };

/**
 * Runs the tests of hostile paths at full size: 400 paths through every tool and every transport, and many swaps of a link during a read.
 * Nothing outside the vault is read or written.
 */
export async function pathsCampaign(swaps: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-paths-'));
  const file = join(folder, 'report.json');
  const started = performance.now();
  const { stderr } = spawnSync(
    'npx',
    ['vitest', 'run', ...suites, '--testTimeout=500000', '--reporter=json', `--outputFile=${file}`],
    {
      env: { ...process.env, HOSTILE_PATHS: `${hostile}`, HOSTILE_SWAPS: `${swaps}` },
      encoding: 'utf8',
    },
  );
  const report = readReport(file);
  rmSync(folder, { recursive: true });
  if (report === null) {
    console.log(`FAILED: the tests did not run\n${stderr.slice(-2_000)}`);
    return 1;
  }
  const failed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed');
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `paths: ${hostile} paths in ${report.numPassedTests} of ${report.numTotalTests} ways, ${swaps} swaps, in ${seconds} s`,
  );
  for (const { fullName, status } of failed) console.log(`FAILED: ${fullName} (${status})`);
  return failed.length + Number(report.numTotalTests === 0);
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}
