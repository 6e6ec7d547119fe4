import { spawn } from 'node:child_process';

export type Step = { name: string; command: string[]; env?: Record<string, string> };

export type StepOutcome = { isPassed: boolean; output: string };

const failures: { name: string; output: string }[] = [];

/** The ends of what failed, to be shown last: where output is kept, a long one is cut at its beginning. */
export function endsOfFailures(lines = 40): string {
  return failures
    .map(
      ({ name, output }) =>
        `── ${name} failed, its end:\n${output.trimEnd().split('\n').slice(-lines).join('\n')}`,
    )
    .join('\n\n');
}

/** Runs a step, shows its output as one piece once it is over, says how long it took, and tells what came of it. */
export async function runStep({ name, command, env = {} }: Step): Promise<StepOutcome> {
  const start = performance.now();
  const { output, problem } = await run(command, env);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const verdict = problem === null ? 'passed' : `FAILED (${problem})`;
  console.log(
    `\n── ${name}: ${command.join(' ')}\n${output.trimEnd()}\n── ${name}: ${verdict} in ${seconds} s`,
  );
  if (problem !== null) failures.push({ name, output });
  return { isPassed: problem === null, output };
}

function run(
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
