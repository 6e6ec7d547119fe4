import type { Command } from 'commander';
import type { TidyingReport } from '../app/index.ts';
import { vaultCommand, withExamples, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';
import { withInterrupt } from './show-live.ts';

export function tidyCommand(cli: Cli): Command {
  const command = vaultCommand('tidy')
    .summary('propose tidying in the inbox now')
    .description(
      'Look for finished tasks, outdated lines and duplicates, and propose at most five yes/no questions in one inbox item. Changes nothing else. Once a day automatically with: keepsake config tidying on',
    )
    .action(async (options: VaultOptions) => {
      const report = await withKeepsake(cli, options, ({ agents }) =>
        withInterrupt(cli, (signal) => agents.tidy(signal)),
      );
      printResult(cli, describe(report), report, options);
      cli.finish(report.kind === 'stopped' ? exitCode.errors : exitCode.ok);
    });
  return withExamples(command, ['tidy', 'inbox answer 2025-07-14-tidying "1 yes 2 no"']);
}

function describe(report: TidyingReport): string {
  const cost = 'cost' in report && report.cost !== null ? `\ncost today: ${report.cost}` : '';
  switch (report.kind) {
    case 'proposed':
      return `${report.proposals} ${report.proposals === 1 ? 'proposal' : 'proposals'} in the inbox: ${report.item}\nread them with: keepsake inbox${cost}`;
    case 'nothing':
      return `nothing to propose${cost}`;
    case 'open':
      return `answer the earlier proposals first: ${report.item}`;
    case 'stopped':
      return `no proposals: ${report.reason.text}${cost}`;
    default:
      return report satisfies never;
  }
}
