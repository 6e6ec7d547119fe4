import type { Command } from 'commander';
import { runToolCommand, withExamples, vaultCommand, parseInteger } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { resolvePathArguments } from './path-argument.ts';

export function readCommand(cli: Cli): Command {
  const command = vaultCommand('read')
    .summary('print files with line numbers')
    .description('Print files, or the files directly in folders, with line numbers.')
    .argument(
      '<path...>',
      'files and folders, for example vault/tasks.md or tasks.md; a file may have a line range: changelog.md:120-260, and * stands for several: projects/*/state.md',
    )
    .option('--head <tokens>', 'print only about this many tokens from the start of each file', parseInteger)
    .option('--tail <tokens>', 'print only about this many tokens from the end of each file', parseInteger)
    .option('--folded', 'print only frontmatter and headings')
    .action(
      async (
        typed: string[],
        { head, tail, folded, ...options }: VaultOptions & { head?: number; tail?: number; folded?: boolean },
      ) => {
        const paths = await resolvePathArguments(cli, options, typed);
        cli.finish(await runToolCommand(cli, 'read', { paths, head, tail, folded }, options));
      },
    );
  return withExamples(command, [
    'read tasks.md',
    'read projects/startup-x/',
    'read changelog.md --head 2000',
    'read changelog.md:120-260',
  ]);
}
