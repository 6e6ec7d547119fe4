import type { Command } from 'commander';
import { runToolCommand, withExamples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { resolvePathArguments } from './path-argument.ts';

export function concatCommand(cli: Cli): Command {
  const command = vaultCommand('concat')
    .summary('combine files and line ranges into one document')
    .description('Combine files, or line ranges of them, into one document, in the given order.')
    .argument('<file...>', 'files, each with an optional line range: changelog.md:9-14')
    .action(async (files: string[], options: VaultOptions) => {
      const paths = await resolvePathArguments(cli, options, files);
      cli.finish(await runToolCommand(cli, 'concat', { files: paths.map((path) => ({ path })) }, options));
    });
  return withExamples(command, ['concat tasks.md', 'concat projects/startup-x/state.md changelog.md:9-14']);
}
