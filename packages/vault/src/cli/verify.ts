import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { formatReplacedNote } from '../tools/index.ts';
import type { BlockStatus } from '../tools/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { parsePathArgument } from './path-argument.ts';
import { printResult } from './print-outcome.ts';
import { readStandardInput, decodeText } from './standard-input.ts';

export function verifyCommand(cli: Cli): Command {
  const command = vaultCommand('verify')
    .summary('check that the quoted lines of an answer are unchanged')
    .description('Compare every block of source lines in a document with the file it cites.')
    .argument('<document>', 'file with an answer, or - for standard input')
    .action(async (file: string, options: VaultOptions) => {
      const blocks = await withKeepsake(cli, options, async (keepsake) =>
        keepsake.verify(
          file === '-' ? await readStandardInput(cli) : await readDocument(cli, keepsake, file, options),
        ),
      );
      const text = blocks.length === 0 ? 'the document quotes no source lines' : blocks.map(line).join('\n');
      printResult(cli, text, { blocks }, options);
      const isGood = blocks.length > 0 && blocks.every(({ state }) => state !== 'changed');
      cli.finish(isGood ? exitCode.ok : exitCode.errors);
    });
  return withExamples(command, ['verify answer.md', 'ask "what is due?" | keepsake verify -']);
}

/** The document may be anywhere on the disk; `vault/…` is a file of the vault. */
async function readDocument(
  cli: Cli,
  keepsake: Keepsake,
  file: string,
  options: VaultOptions,
): Promise<string> {
  const onDisk = cli.environment.resolve(file);
  if (existsSync(onDisk)) return decodeText(cli, readFileSync(onDisk), file);
  const found = await keepsake.readFile(await parsePathArgument(cli, options, file));
  if (found.kind !== 'file') throw new AppError('bad-input', `${file}: file not found`);
  return decodeText(cli, found.bytes, file);
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
