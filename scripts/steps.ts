import { spawnSync } from 'node:child_process';

export type Step = { name: string; command: string[] };

/** Runs a step with its output shown, says how long it took, and tells whether it passed. */
export function runStep({ name, command }: Step): boolean {
  console.log(`\n── ${name}: ${command.join(' ')}`);
  const start = performance.now();
  const { status, error } = spawnSync(command[0] ?? '', command.slice(1), { stdio: 'inherit' });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `── ${name}: ${status === 0 ? 'passed' : `FAILED${error ? ` (${error.message})` : ''}`} in ${seconds} s`,
  );
  return status === 0;
}
