import type { Command } from 'commander';
import { callForPerson, examples, vaultCommand } from './command.ts';
import type { Finish, VaultOptions } from './command.ts';

export function concatCommand(finish: Finish): Command {
  const command = vaultCommand('concat')
    .summary('assemble files and line ranges into one document')
    .description('Assembles files, or ranges of their lines, into one document, in the order given.')
    .argument('<file...>', 'files, each with an optional range: changelog.md:9-14')
    .action(async (files: string[], options: VaultOptions) => {
      finish(await callForPerson('concat', { files: files.map(splitRange) }, options));
    });
  return examples(command, ['concat tasks.md', 'concat projects/startup-x/state.md changelog.md:9-14']);
}

function splitRange(text: string): { path: string; lines: string | null } {
  const match = /^(.+):(\d+-\d+)$/s.exec(text) ?? /^(.+\.(?:md|markdown)):(.*)$/s.exec(text);
  return { path: match?.[1] ?? text, lines: match?.[2] ?? null };
}
