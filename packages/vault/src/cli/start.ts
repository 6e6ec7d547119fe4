import { keepCompiled, packageVersion, readEnvironment } from '../app/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { processIo } from './process-io.ts';

/** Runs the command line of this process. What needs no program is done without one. */
export async function start(args: string[]): Promise<ExitCode> {
  const io = processIo();
  if (args.length === 1 && /^(--version|-V)$/.test(args[0] ?? '')) {
    io.stdout.write(`${packageVersion()}\n`);
    return exitCode.ok;
  }
  keepCompiled(readEnvironment(io.variables, io.cwd));
  const { run } = await import('./program.ts');
  return run(args, io);
}
