import type { Command } from 'commander';
import { callForPerson, examples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';

export function concatCommand(cli: Cli): Command {
  const command = vaultCommand('concat')
    .summary('assemble files and line ranges into one document')
    .description('Assembles files, or ranges of their lines, into one document, in the order given.')
    .argument('<file...>', 'files, each with an optional range of lines: changelog.md:9-14')
    .action(async (files: string[], options: VaultOptions) => {
      cli.finish(await callForPerson(cli, 'concat', { files: files.map((path) => ({ path })) }, options));
    });
  return examples(command, ['concat tasks.md', 'concat projects/startup-x/state.md changelog.md:9-14']);
}
