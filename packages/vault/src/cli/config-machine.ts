import { Command } from 'commander';
import { AppError, machineName, setConfigured } from '../app/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';

/** `show` prints what it is called now. */
export function machineCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('machine')
    .summary('say what this machine is called')
    .description('Says what this machine is called where several have one vault, or shows it.')
    .argument('[name]', 'as laptop (default: what the system calls it)')
    .option('--none', 'call it what the system calls it')
    .action((name: string | undefined, { none }: { none?: boolean }) => {
      if (name !== undefined && none === true)
        throw new AppError('bad-input', 'give a name or --none, not both');
      if (name?.trim() === '') throw new AppError('bad-input', 'that name is empty');
      const { environment } = cli;
      if (name !== undefined || none === true)
        setConfigured(environment, { place: ['machine'], value: name?.trim() ?? null });
      show({ file: environment.configFile, machine: machineName(environment) });
    });
  return examples(command, ['config machine', 'config machine laptop', 'config machine --none']);
}
