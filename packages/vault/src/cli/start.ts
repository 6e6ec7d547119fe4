import { enableCompileCache, readPackageVersion, readEnvironment } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { ownCommand, renewLauncher } from '../executable/index.ts';
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
  const environment = readEnvironment(io.variables, io.cwd);
  enableCompileCache(environment);
  renewOwnLauncher(environment, io.script);
  const { runKeepsake } = await import('./program.ts');
  return runKeepsake(args, io);
}

/** After an update, the first command lets AI tools start this Keepsake again without a search. */
export function renewOwnLauncher({ dataHome, home, searchPath }: Environment, script: string): void {
  renewLauncher(dataHome, () => ({
    home,
    program: ownCommand(script, searchPath),
    version: readPackageVersion(),
  }));
}
