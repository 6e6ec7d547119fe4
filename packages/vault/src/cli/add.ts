import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import { withExamples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { submitUpdate } from './submit-update.ts';
import { readStandardInput } from './standard-input.ts';

type AddOptions = VaultOptions & {
  wait?: boolean;
  from?: string;
  mine?: boolean;
  again?: boolean;
  keepSecrets?: boolean;
  key?: string;
  asNote?: boolean;
  project?: string;
};

export function addCommand(cli: Cli): Command {
  const command = vaultCommand('add')
    .summary('submit information to be filed')
    .description(
      'Submit text, images and documents (PDF, Word, web pages, mail, CSV, recordings) to the update agent. "accepted" means the update is on disk. The original of a document is stored next to its text.',
    )
    .argument('<what...>', 'text, files, or - for standard input')
    .option('--wait', 'file it now and show progress')
    .option('--as-note', 'save it at once as a note in the bucket, as it is, without a model')
    .option('--project <name>', 'with --as-note: save it in the bucket of this project')
    .option(
      '--from <source>',
      'source, for example "email from the landlord"; marks the text as not your own words',
    )
    .option('--mine', 'treat the files as your own words')
    .option('--again', 'file it even if the same text or files were filed before')
    .option('--keep-secrets', 'store passwords and keys in plain text without asking; the model gets masks')
    .option('--key <key>', 'idempotency key; submitting the same key again returns the first update')
    .action(async (what: string[], options: AddOptions) => {
      cli.finish(await submitUpdate(cli, await readInput(cli, what, options), options));
    });
  return withExamples(command, [
    'add "We drop the external API and build it ourselves" --wait',
    'add minutes.pdf whiteboard.png',
    'add --as-note "Heating: the valve in the cellar is stuck" --project house',
    'add - --from "email from the landlord" < email.txt',
  ]);
}

async function readInput(
  cli: Cli,
  what: readonly string[],
  { from, mine, again, keepSecrets, asNote, project }: AddOptions,
): Promise<UpdateInput> {
  if (project !== undefined && asNote !== true)
    throw new AppError('bad-input', '--project needs --as-note', {
      hint: 'without it, the update agent chooses the project',
    });
  const texts: string[] = [];
  const files: UpdateInput['files'] = [];
  for (const each of what) {
    const file = cli.environment.resolve(each);
    if (each === '-') texts.push(await readStandardInput(cli));
    else if (each !== '' && existsSync(file))
      files.push({ name: basename(file), bytes: readInputFile(file, each) });
    else if (/^\S+\.[a-z]{1,5}$/i.test(each))
      throw new AppError('bad-input', `no such file: ${each}`, {
        hint: 'to submit it as text, pipe it to -',
      });
    else texts.push(each);
  }
  const isFromUser = from === undefined && (files.length === 0 || mine === true);
  const name = from ?? (files.length === 0 ? 'keepsake add' : files.map((file) => file.name).join(', '));
  const source = { kind: isFromUser ? ('person' as const) : ('other' as const), name };
  return {
    text: texts.join('\n\n'),
    files,
    source,
    ...(again === true && { again }),
    ...(keepSecrets === true && { keepSecrets }),
    ...(asNote === true && { asNote }),
    ...(project !== undefined && { project }),
  };
}

const maxFileBytes = 50_000_000;

function readInputFile(file: string, named: string): Uint8Array {
  const stats = statSync(file);
  if (!stats.isFile())
    throw new AppError('bad-input', `${named} is not a file`, { hint: 'pass the files one by one' });
  if (stats.size > maxFileBytes) throw new AppError('bad-input', `${named} is larger than 50 MB`);
  return readFileSync(file);
}
