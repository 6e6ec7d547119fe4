import type { Command } from 'commander';
import { runToolCommand, withExamples, vaultCommand, parseInteger } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { resolvePathArguments } from './path-argument.ts';

export function treeCommand(cli: Cli): Command {
  const command = vaultCommand('tree')
    .alias('ls')
    .summary('list files with tokens and dates')
    .description('List files and folders with their token counts and modification dates.')
    .argument(
      '[path]',
      'folder or file (default: the whole vault, also in one of its folders; use . for the current folder)',
    )
    .option('--depth <levels>', 'number of levels to show; 0 for the folder itself', parseInteger)
    .action(async (typed: string | undefined, { depth, ...options }: VaultOptions & { depth?: number }) => {
      const [path] = typed === undefined ? [] : await resolvePathArguments(cli, options, [typed]);
      cli.finish(await runToolCommand(cli, 'tree', { path, depth }, options));
    });
  return withExamples(command, ['tree', 'tree projects/ --depth 1']);
}
