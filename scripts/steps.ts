import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Step = { name: string; command: string[]; env?: Record<string, string> };

type StepOutcome = { isPassed: boolean; output: string };

export type Steps = {
  /** Runs a step and prints its output when it ends; it counts as one check. */
  run: (step: Step) => Promise<StepOutcome>;
  /** Like `run`, for a step that prints how many of its checks passed and failed. */
  runChecks: (step: Step, counts?: RegExp) => Promise<void>;
  /** Runs the tests of a tier with vitest; each test counts as one check. */
  runTests: (folder: string, tier?: 'change' | 'nightly') => Promise<void>;
  /** Runs a step that does not count as a check. */
  prepare: (step: Step) => Promise<StepOutcome>;
  /** Prints the durations, the last lines of failed steps and the counts. Returns the exit code. */
  finish: () => number;
};

/** Runs every step, so that one failure does not hide another. */
export function startSteps(): Steps {
  const ended: { name: string; seconds: number; isPassed: boolean; output: string }[] = [];
  const counts = { passed: 0, failed: 0 };
  const count = (passed: number, failed: number): void => {
    counts.passed += passed;
    counts.failed += failed;
  };
  const prepare: Steps['prepare'] = async (step) => {
    const outcome = await runStep(step);
    ended.push({ name: step.name, ...outcome });
    return outcome;
  };
  return {
    prepare,
    async run(step) {
      const outcome = await prepare(step);
      count(Number(outcome.isPassed), Number(!outcome.isPassed));
      return outcome;
    },
    async runChecks(step, pattern = /(\d+) passed, (\d+) failed\s*$/) {
      const found = pattern.exec((await prepare(step)).output);
      count(Number(found?.[1] ?? 0), Number(found?.[2] ?? 1));
    },
    async runTests(folder, tier = 'change') {
      const report = join(folder, 'tests.json');
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const script = tier === 'change' ? ['test'] : ['run', 'test:nightly'];
      const command = ['npm', ...script, '--silent', '--', ...reporters];
      const { isPassed } = await prepare({ name: 'test', command });
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
        numPassedTests: number;
        numFailedTests: number;
      };
      // A run can fail without a failing test: a file that does not load, or an unhandled rejection.
      count(numPassedTests, Math.max(numFailedTests, Number(!isPassed)));
    },
    finish() {
      const bySeconds = ended.toSorted((a, b) => b.seconds - a.seconds);
      console.log(
        `\n${bySeconds.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`).join('\n')}`,
      );
      for (const { name, isPassed, output } of ended)
        // Printed last, because long logs are truncated at the beginning.
        if (!isPassed)
          console.log(
            `\n── ${name} failed, last lines:\n${output.trimEnd().split('\n').slice(-40).join('\n')}`,
          );
      console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
      return counts.failed === 0 ? 0 : 1;
    },
  };
}

/** Runs `work` for each item, at most `atOnce` at a time. */
export async function runEach<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function runStep({ name, command, env = {} }: Step): Promise<StepOutcome & { seconds: number }> {
  const start = performance.now();
  const { output, problem } = await runCommand(command, env);
  const seconds = (performance.now() - start) / 1000;
  const verdict = problem === null ? 'passed' : `FAILED (${problem})`;
  console.log(
    `\n── ${name}: ${command.join(' ')}\n${output.trimEnd()}\n── ${name}: ${verdict} in ${seconds.toFixed(1)} s`,
  );
  return { isPassed: problem === null, output, seconds };
}

function runCommand(
  [program = '', ...args]: string[],
  env: Record<string, string>,
): Promise<{ output: string; problem: string | null }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => void chunks.push(chunk));
    const end = (problem: string | null): void =>
      resolve({ output: Buffer.concat(chunks).toString(), problem });
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(code === 0 ? null : `exit ${code ?? signal}`));
  });
}
