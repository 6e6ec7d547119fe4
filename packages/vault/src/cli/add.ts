import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { AppError, findOwner } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import type { KeepsakeEvent, UpdateInput } from '../contract/index.ts';
import { announceThere, waitThere } from '../server/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { interruptible, showQueue } from './live.ts';
import { safeForTerminal } from './show-outcome.ts';
import { updateOutcome } from './show-update.ts';
import { readStandardInput } from './standard-input.ts';
import { whoFiles } from './who-files.ts';

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
      const input = await readInput(cli, what, options);
      cli.finish(
        await withKeepsake(cli, options, (keepsake) =>
          acceptAndShow(cli, keepsake, input, options, options.key),
        ),
      );
    });
  return examples(command, [
    'add "We drop the external API and build it ourselves" --wait',
    'add minutes.pdf whiteboard.png',
    'add - --from "email of the landlord" < email.txt',
  ]);
}

/** Accepts an update; with `--wait` waits until the process that serves the vault has filed it, or files it here. */
export async function acceptAndShow(
  cli: Cli,
  keepsake: Keepsake,
  input: UpdateInput,
  { wait, json }: { wait?: boolean; json?: boolean },
  key?: string,
): Promise<ExitCode> {
  const { updates } = keepsake.agents;
  const { id, warnings } = await interruptible(cli, (signal) =>
    keepsake.accept(input, { key, signal, onProgress: (name) => showReading(cli, name) }),
  );
  for (const warning of warnings) note(cli, `note: ${warning}`);
  const owner = findOwner(keepsake.state.folder(), Date.now);
  if (wait !== true) {
    if (owner !== null) await announceThere(owner, id);
    if (json === true) cli.stdout.write(`${JSON.stringify({ status: 'accepted', id, warnings })}\n`);
    else cli.stdout.write(`accepted ${id}\n`);
    if (json !== true) note(cli, whoFiles(cli, keepsake).text);
    return exitCode.ok;
  }
  cli.stderr.write(`accepted ${id}\n`);
  const onEvent = passOnUpdates(keepsake, id);
  const isHandled =
    owner !== null &&
    (await interruptible(cli, (signal) =>
      showQueue(cli, keepsake, () => waitThere(owner, id, { signal, onEvent })),
    ));
  if (!isHandled) {
    const { text: next, isPossible } = whoFiles(cli, keepsake);
    if (!isPossible) {
      note(cli, next);
      if (json === true) cli.stdout.write(`${JSON.stringify(updates.find(id), null, 2)}\n`);
      return exitCode.errors;
    }
    await interruptible(cli, (signal) =>
      showQueue(cli, keepsake, () => updates.work(id, signal, (error) => reportError(cli, error))),
    );
  }
  const update = updates.find(id);
  if (update === undefined) throw new Error(`the update ${id} is gone`);
  const { text, code } = updateOutcome(update);
  cli.stdout.write(json === true ? `${JSON.stringify(update, null, 2)}\n` : `${text}\n`);
  if (update.state === 'waiting') note(cli, whoFiles(cli, keepsake).text);
  return code;
}

/** Hands on what the serving process does for updates, and not what it does for questions that are asked there meanwhile. */
function passOnUpdates({ events }: Keepsake, id: string): (event: KeepsakeEvent) => void {
  const updates = new Set([id]);
  return (event) => {
    if ('update' in event) updates.add(event.update);
    if ('update' in event || ('run' in event && updates.has(event.run))) events.emit(event);
  };
}

/** Text and images are taken as they are. */
const taken = /\.(?:md|markdown|txt|text|png|jpe?g|gif|webp)$/i;

function showReading(cli: Cli, name: string): void {
  if (!taken.test(name)) note(cli, `reading ${name}`);
}

function note({ stderr }: Cli, line: string): void {
  stderr.write(`${safeForTerminal(line, stderr)}\n`);
}

export function reportError({ stderr }: Cli, error: unknown): void {
  stderr.write(`error: ${describeError(error)}\n`);
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
