import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import { examples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { handOver } from './hand-over.ts';
import { readStandardInput } from './standard-input.ts';

type AddOptions = VaultOptions & { wait?: boolean; from?: string; mine?: boolean; key?: string };

export function addCommand(cli: Cli): Command {
  const command = vaultCommand('add')
    .summary('hand over information to be filed')
    .description(
      'Accepts text, images and documents (PDF, Word, web pages, mail, CSV, recordings) for the update agent. It is on disk when the command says accepted. The original of a document is kept beside its text.',
    )
    .argument('<what...>', 'words, files, or - for standard input')
    .option('--wait', 'work on it now and show what happens')
    .option(
      '--from <source>',
      'where it comes from, as "email of the landlord": then these are not your words',
    )
    .option('--mine', 'the files are your own words, too')
    .option('--key <key>', 'the same key again is the same update')
    .action(async (what: string[], options: AddOptions) => {
      cli.finish(await handOver(cli, await readInput(cli, what, options), options));
    });
  return examples(command, [
    'add "We drop the external API and build it ourselves" --wait',
    'add minutes.pdf whiteboard.png',
    'add - --from "email of the landlord" < email.txt',
  ]);
}

async function readInput(
  cli: Cli,
  what: readonly string[],
  { from, mine }: AddOptions,
): Promise<UpdateInput> {
  const texts: string[] = [];
  const files: UpdateInput['files'] = [];
  for (const each of what) {
    const file = cli.environment.resolve(each);
    if (each === '-') texts.push(await readStandardInput(cli));
    else if (each !== '' && existsSync(file))
      files.push({ name: basename(file), bytes: contentOf(file, each) });
    else if (/^\S+\.[a-z]{1,5}$/i.test(each))
      throw new AppError('bad-input', `there is no file ${each}`, {
        mend: 'if these are words, give them through - instead',
      });
    else texts.push(each);
  }
  const isPersons = from === undefined && (files.length === 0 || mine === true);
  const name = from ?? (files.length === 0 ? 'keepsake add' : files.map((file) => file.name).join(', '));
  return { text: texts.join('\n\n'), files, source: { kind: isPersons ? 'person' : 'other', name } };
}

const largestFile = 50_000_000;

function contentOf(file: string, named: string): Uint8Array {
  const stats = statSync(file);
  if (!stats.isFile())
    throw new AppError('bad-input', `${named} is not a file`, { mend: 'name the files one by one' });
  if (stats.size > largestFile) throw new AppError('bad-input', `${named} is far too large to be filed`);
  return readFileSync(file);
}
