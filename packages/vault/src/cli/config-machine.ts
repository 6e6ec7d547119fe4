import { Command } from 'commander';
import { AppError, readMachineName, writeConfiguration } from '../app/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';

/** `show` prints the current name. */
export function machineCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('machine')
    .summary('set the name of this machine')
    .description(
      'Set the name of this machine, which tells machines that share a vault apart. Without an argument, show it.',
    )
    .argument('[name]', 'name, for example laptop (default: the host name)')
    .option('--none', 'use the host name')
    .action((name: string | undefined, { none }: { none?: boolean }) => {
      if (name !== undefined && none === true)
        throw new AppError('bad-input', 'pass a name or --none, not both');
      if (name?.trim() === '') throw new AppError('bad-input', 'the name is empty');
      const { environment } = cli;
      if (name !== undefined || none === true)
        writeConfiguration(environment, { place: ['machine'], value: name?.trim() ?? null });
      show({ file: environment.configFile, machine: readMachineName(environment) });
    });
  return withExamples(command, ['config machine', 'config machine laptop', 'config machine --none']);
}
