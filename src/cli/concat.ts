import type { Command } from 'commander';
import { callForPerson, examples, vaultCommand } from './command.ts';
import type { Finish, VaultOptions } from './command.ts';

export function concatCommand(finish: Finish): Command {
  const command = vaultCommand('concat')
    .summary('assemble files and line ranges into one document')
    .description('Assembles files, or ranges of their lines, into one document, in the order given.')
    .argument('<file...>', 'files, each with an optional range of lines: changelog.md:9-14')
    .action(async (files: string[], options: VaultOptions) => {
      finish(await callForPerson('concat', { files: files.map((path) => ({ path })) }, options));
    });
  return examples(command, ['concat tasks.md', 'concat projects/startup-x/state.md changelog.md:9-14']);
}
