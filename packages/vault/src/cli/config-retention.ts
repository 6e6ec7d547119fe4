import { Argument, Command } from 'commander';
import {
  AppError,
  describeRetention,
  readConfiguration,
  retentionPeriod,
  writeConfiguration,
} from '../app/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';

const kinds = ['history', 'queue'] as const;

/** `show` prints the current settings. */
export function retentionCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('retention')
    .summary('choose how long history and finished updates are kept')
    .description(
      'Choose how long changes can be shown and undone (history) and how long finished updates are listed (queue). What is older is deleted for good, once a day while Keepsake serves the vault. Your files stay. Default: everything is kept.',
    )
    .addArgument(
      new Argument('[what]', 'what to limit, or off to keep everything').choices([...kinds, 'off']),
    )
    .argument('[period]', 'number of days, weeks, months or years, for example 90d or 2y, or off')
    .action((what: (typeof kinds)[number] | 'off' | undefined, period: string | undefined) => {
      const { environment } = cli;
      if (what === 'off') {
        if (period !== undefined) throw new AppError('bad-input', 'off takes no period');
        writeConfiguration(environment, { place: ['retention'], value: null });
      } else if (what !== undefined && period !== undefined) setPeriod(cli, what, period);
      const { history, queue } = readConfiguration(environment).retention ?? {};
      show({
        file: environment.configFile,
        history: describeRetention(history),
        queue: describeRetention(queue),
      });
    });
  return withExamples(command, [
    'config retention',
    'config retention history 2y',
    'config retention queue 90d',
    'config retention off',
  ]);
}

function setPeriod({ environment }: Cli, what: (typeof kinds)[number], period: string): void {
  const isOff = period === 'off';
  if (!isOff && !retentionPeriod.safeParse(period).success)
    throw new AppError('bad-input', `not a period: ${period}`, {
      hint: 'use a number of days, weeks, months or years: 90d, 8w, 6m or 2y',
    });
  writeConfiguration(environment, { place: ['retention', what], value: isOff ? null : period });
}
