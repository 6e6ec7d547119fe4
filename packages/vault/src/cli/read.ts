import type { Command } from 'commander';
import { callForPerson, examples, vaultCommand, wholeNumber } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';

export function readCommand(cli: Cli): Command {
  const command = vaultCommand('read')
    .summary('print files with line numbers')
    .description('Prints files, or the direct files of folders, with line numbers.')
    .argument(
      '<path...>',
      'files and folders, as vault/tasks.md or tasks.md; a file may carry lines, as changelog.md:120-260',
    )
    .option('--head <tokens>', 'only about this many tokens from the start of each file', wholeNumber)
    .option('--tail <tokens>', 'only about this many tokens from the end of each file', wholeNumber)
    .option('--folded', 'only frontmatter and headings')
    .action(
      async (
        paths: string[],
        { head, tail, folded, ...options }: VaultOptions & { head?: number; tail?: number; folded?: boolean },
      ) => {
        cli.finish(await callForPerson(cli, 'read', { paths, head, tail, folded }, options));
      },
    );
  return examples(command, [
    'read tasks.md',
    'read projects/startup-x/',
    'read changelog.md --head 2000',
    'read changelog.md:120-260',
  ]);
}
