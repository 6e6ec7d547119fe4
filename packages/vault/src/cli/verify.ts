import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { replacedNote } from '../tools/index.ts';
import type { CheckedBlock } from '../tools/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';
import { readStandardInput, textOrRefuse } from './standard-input.ts';

export function verifyCommand(cli: Cli): Command {
  const command = vaultCommand('verify')
    .summary('check whether the lines of an answer still stand')
    .description('Compares every block of source lines in a document with the file it names.')
    .argument('<document>', 'a file with an answer, or - for standard input')
    .action(async (file: string, options: VaultOptions) => {
      const document =
        file === '-'
          ? await readStandardInput(cli)
          : textOrRefuse(cli, readFileSync(cli.environment.resolve(file)), file);
      const blocks = await withKeepsake(cli, options, (keepsake) => keepsake.verify(document));
      const text = blocks.length === 0 ? 'no source lines in it' : blocks.map(line).join('\n');
      print(cli, text, { blocks }, options);
      const isGood = blocks.length > 0 && blocks.every(({ state }) => state !== 'changed');
      cli.finish(isGood ? exitCode.ok : exitCode.errors);
    });
  return examples(command, ['verify answer.md', 'ask "what is due?" | keepsake verify -']);
}

function line(block: CheckedBlock): string {
  const place = `${block.path} (lines ${block.start}-${block.end})`;
  switch (block.state) {
    case 'same':
      return `same     ${place}${replacedLines(block)}`;
    case 'moved':
      return `moved    ${place}, now lines ${block.now.start}-${block.now.end}${replacedLines(block)}`;
    case 'changed':
      return `changed  ${place}: ${block.reason}`;
  }
}

function replacedLines({ path, replaced = [] }: Exclude<CheckedBlock, { state: 'changed' }>): string {
  return replaced.map((each) => `\n         ${replacedNote(path, each)}`).join('');
}
