import type { Command } from 'commander';
import { callForPerson, examples, vaultCommand, wholeNumber } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';

export function treeCommand(cli: Cli): Command {
  const command = vaultCommand('tree')
    .alias('ls')
    .summary('list files with tokens and dates')
    .description('Lists files and folders with their tokens and the date of their last modification.')
    .argument('[path]', 'a folder or file (default: the whole vault)')
    .option('--depth <levels>', 'how many levels to unfold; 0 for the folder alone', wholeNumber)
    .action(async (path: string | undefined, { depth, ...options }: VaultOptions & { depth?: number }) => {
      cli.finish(await callForPerson(cli, 'tree', { path, depth }, options));
    });
  return examples(command, ['tree', 'tree projects/ --depth 1']);
}
