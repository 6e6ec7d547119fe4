import { Argument, Command } from 'commander';
import { AppError, defaultTidying, readConfiguration, timeOfDay, writeConfiguration } from '../app/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';

type Options = { at?: string; budget?: number };

/** `show` prints the current settings. */
export function tidyingCommand(cli: Cli, show: (shown: Record<string, string>) => void): Command {
  const command = new Command('tidying')
    .summary('propose tidying in the inbox once a day')
    .description(
      'Turn evening tidying on or off. While Keepsake serves the vault, a run a day proposes at most five yes/no questions in the inbox: finished tasks, outdated lines, duplicates. It changes nothing unless you say yes. Without an argument, show the setting.',
    )
    .addArgument(new Argument('[state]', 'on or off').choices(['on', 'off']))
    .option('--at <time>', `time of day (default: ${defaultTidying.at})`)
    .option('--budget <cost>', `what it may cost a day (default: ${defaultTidying.dailyCost})`, Number)
    .action((state: 'on' | 'off' | undefined, options: Options) => {
      const { environment } = cli;
      if (state !== undefined) change(cli, state, options);
      const settings = readConfiguration(environment).tidying;
      show({
        file: environment.configFile,
        tidying: settings === undefined ? 'off' : `on, at ${settings.at ?? defaultTidying.at}`,
        budget: `${settings?.dailyCost ?? defaultTidying.dailyCost} a day`,
      });
    });
  return withExamples(command, [
    'config tidying on',
    'config tidying on --at 20:30 --budget 0.03',
    'config tidying off',
  ]);
}

function change({ environment }: Cli, state: 'on' | 'off', { at, budget }: Options): void {
  if (at !== undefined && !timeOfDay.safeParse(at).success)
    throw new AppError('bad-input', `not a time of day: ${at}`, { hint: 'use a time such as 21:30' });
  if (budget !== undefined && !(budget > 0))
    throw new AppError('bad-input', 'the budget is not a number above 0', {
      hint: 'use a cost such as 0.05',
    });
  const current = readConfiguration(environment).tidying;
  const value = {
    ...current,
    ...(at !== undefined && { at }),
    ...(budget !== undefined && { dailyCost: budget }),
  };
  writeConfiguration(environment, { place: ['tidying'], value: state === 'on' ? value : null });
}
