import type { Command } from 'commander';
import { formatToday, todayOutput } from '../contract/index.ts';
import { parseDay, runToolCommand, vaultCommand, withExamples, withToolCaller } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printOutcome, printResult } from './print-outcome.ts';

/** Fits on a screen of 24 lines with the prompt below it. */
const maxLines = 22;

export function todayCommand(cli: Cli): Command {
  const command = vaultCommand('today')
    .summary('list due tasks, appointments and recent changes')
    .description(
      'List overdue and due tasks, appointments, waiting tasks and the files changed since yesterday, from all notes. Needs no model.',
    )
    .option('--day <day>', 'another day, for example 2026-07-14', parseDay)
    .action(async ({ day, ...options }: VaultOptions & { day?: string }) => {
      if (options.json === true) {
        cli.finish(await runToolCommand(cli, 'today', { day }, options));
        return;
      }
      const outcome = await withToolCaller(cli, options, (call) =>
        call({
          tool: 'today',
          input: { day },
          reader: 'person',
          door: 'command-line',
          origin: 'keepsake today',
        }),
      );
      if (outcome.kind === 'refused') {
        cli.finish(printOutcome(cli, outcome, false));
        return;
      }
      const value = todayOutput.parse(outcome.result.value);
      printResult(cli, formatToday(value, cli.environment.language, maxLines), value, options);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['today', 'today --day 2026-07-14', 'today --json']);
}
