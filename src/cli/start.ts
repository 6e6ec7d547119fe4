import { keepCompiled, packageVersion, readEnvironment } from '../app/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';

/** What needs no program is done without one. */
export async function start(args: string[]): Promise<ExitCode> {
  if (args.length === 1 && /^(--version|-V)$/.test(args[0] ?? '')) {
    process.stdout.write(`${packageVersion()}\n`);
    return exitCode.ok;
  }
  keepCompiled(readEnvironment());
  const { run } = await import('./program.ts');
  return run(args);
}
