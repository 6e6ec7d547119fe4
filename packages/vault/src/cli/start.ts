import { enableCompileCache, readPackageVersion, readEnvironment } from '../app/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { processIo } from './process-io.ts';

/** Runs the command line of this process. Handles --version without loading the program. */
export async function main(args: string[]): Promise<ExitCode> {
  const io = processIo();
  if (args.length === 1 && /^(--version|-V)$/.test(args[0] ?? '')) {
    io.stdout.write(`${readPackageVersion()}\n`);
    return exitCode.ok;
  }
  enableCompileCache(readEnvironment(io.variables, io.cwd));
  const { runKeepsake } = await import('./program.ts');
  return runKeepsake(args, io);
}
