import type { Command } from 'commander';
import { formatToday, todayOutput } from '../contract/index.ts';
import type { TodayValue } from '../contract/index.ts';
import { parseDay, runToolCommand, vaultCommand, withExamples, withToolCaller } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printLines } from './print-lines.ts';
import { printOutcome } from './print-outcome.ts';
import { terminalWidth, wrapLine } from './wrap-line.ts';
import type { Line } from './wrap-line.ts';

/** Fits on a screen of 24 rows with the prompt below it. */
const maxRows = 22;

export function todayCommand(cli: Cli): Command {
  const command = vaultCommand('today')
    .summary('list due tasks, appointments and recent changes')
    .description(
      'List overdue and due tasks, appointments, waiting tasks and the files changed since yesterday, from all notes. Needs no model.',
    )
    .option('--day <day>', 'another day, for example 2026-07-14', parseDay)
    .option('--all', 'list everything, not only what fits on a screen')
    .action(async ({ day, all, ...options }: VaultOptions & { day?: string; all?: boolean }) => {
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
      printLines(cli.stdout, formatDay(cli, value, { day, isAll: all === true }));
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['today', 'today --all', 'today --day 2026-07-14', 'today --json']);
}

function formatDay(
  { stdout, environment }: Cli,
  value: TodayValue,
  { day, isAll }: { day: string | undefined; isAll: boolean },
): Line[] {
  const width = stdout.isTTY === true ? terminalWidth(stdout) : Infinity;
  const text = formatToday(value, {
    language: environment.language,
    maxRows: isAll ? Infinity : maxRows,
    countRows: (line) => wrapLine(toLine(line), width).length,
    allCommand: `keepsake today${day === undefined ? '' : ` --day ${day}`} --all`,
  });
  return text.split('\n').map(toLine);
}

/** Items are indented below their heading. */
function toLine(text: string): Line {
  return text.startsWith(' ')
    ? { parts: [{ text }], hanging: 4 }
    : { parts: [{ text, style: 'bold' }], hanging: 2 };
}
