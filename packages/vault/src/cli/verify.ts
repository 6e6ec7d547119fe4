import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { formatReplacedNote } from '../tools/index.ts';
import type { BlockStatus } from '../tools/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';
import { readStandardInput, decodeText } from './standard-input.ts';

export function verifyCommand(cli: Cli): Command {
  const command = vaultCommand('verify')
    .summary('check that the quoted lines of an answer are unchanged')
    .description('Compare every block of source lines in a document with the file it cites.')
    .argument('<document>', 'file with an answer, or - for standard input')
    .action(async (file: string, options: VaultOptions) => {
      const document =
        file === '-'
          ? await readStandardInput(cli)
          : decodeText(cli, readFileSync(cli.environment.resolve(file)), file);
      const blocks = await withKeepsake(cli, options, (keepsake) => keepsake.verify(document));
      const text = blocks.length === 0 ? 'the document quotes no source lines' : blocks.map(line).join('\n');
      printResult(cli, text, { blocks }, options);
      const isGood = blocks.length > 0 && blocks.every(({ state }) => state !== 'changed');
      cli.finish(isGood ? exitCode.ok : exitCode.errors);
    });
  return withExamples(command, ['verify answer.md', 'ask "what is due?" | keepsake verify -']);
}

function line(block: BlockStatus): string {
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

function replacedLines({ path, replaced = [] }: Exclude<BlockStatus, { state: 'changed' }>): string {
  return replaced.map((each) => `\n         ${formatReplacedNote(path, each)}`).join('');
}
