import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake, Update } from '../app/index.ts';
import { examples, vaultCommand, wholeNumber, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { interruptible, showQueue } from './live.ts';
import { print, reportError } from './show-outcome.ts';
import { updateCost, updateLine, updateLines, updateOutcome } from './show-update.ts';
import { whoFiles } from './who-files.ts';

export function updatesCommand(cli: Cli): Command {
  const command = vaultCommand('updates')
    .enablePositionalOptions()
    .summary('see what was handed over and what became of it')
    .description('Lists updates, newest first.')
    .option('--limit <number>', 'how many', wholeNumber, 20)
    .action(async (options: VaultOptions & { limit: number }) => {
      await withKeepsake(cli, options, async (keepsake) => listUpdates(cli, keepsake, options));
      cli.finish(exitCode.ok);
    });
  const show = vaultCommand('show')
    .summary('show one update')
    .argument('<id>', 'as keepsake updates lists it')
    .action(async (id: string, _: unknown, called: Command) => {
      const options: VaultOptions = called.optsWithGlobals();
      cli.finish(await withUpdate(cli, id, options, async (__, update) => showUpdate(cli, update, options)));
    });
  const cancel = vaultCommand('cancel')
    .summary('take an update out that is not being worked on')
    .argument('<id>', 'as keepsake updates lists it')
    .action(async (id: string, _: unknown, called: Command) => {
      const options: VaultOptions = called.optsWithGlobals();
      cli.finish(
        await withUpdate(cli, id, options, async ({ agents }, update) => {
          if (!(await agents.updates.cancel(update.id)))
            throw new AppError('bad-input', `${id} is ${update.state}, so it cannot be cancelled`);
          print(cli, `cancelled ${update.id.slice(0, 8)}`, { id: update.id }, options);
          return exitCode.ok;
        }),
      );
    });
  const retry = vaultCommand('retry')
    .summary('put a parked or cancelled update back')
    .argument('[id]', 'as keepsake updates lists it')
    .option('--all', 'everything that is parked')
    .action(async (id: string | undefined, _: unknown, called: Command) => {
      const options: VaultOptions & { all?: boolean } = called.optsWithGlobals();
      if (options.all === true) return cli.finish(await retryAll(cli, options));
      if (id === undefined)
        throw new AppError('bad-input', 'name an update, or --all', { mend: 'see: keepsake updates' });
      return cli.finish(
        await withUpdate(cli, id, options, async ({ agents }, update) => {
          if (!(await agents.updates.retry(update.id)))
            throw new AppError('bad-input', `${id} is ${update.state}, so there is nothing to retry`);
          print(cli, `waits again; work on it with: keepsake updates run`, { id: update.id }, options);
          return exitCode.ok;
        }),
      );
    });
  const run = vaultCommand('run')
    .summary('work on everything that waits, and show what happens')
    .action(async (_: unknown, called: Command) => cli.finish(await work(cli, called.optsWithGlobals())));
  for (const each of [show, cancel, retry, run]) command.addCommand(each);
  return examples(command, ['updates', 'updates show 3f2c', 'updates retry 3f2c', 'updates run']);
}

function listUpdates(cli: Cli, keepsake: Keepsake, options: VaultOptions & { limit: number }): void {
  const updates = keepsake.agents.updates.list({ limit: options.limit });
  const text = updates.length === 0 ? 'nothing was handed over yet' : updates.map(updateLines).join('\n');
  print(cli, text, { updates }, options);
  if (options.json !== true && keepsake.agents.updates.counts().waiting > 0)
    cli.stderr.write(`${whoFiles(cli, keepsake, 'what waits').text}\n`);
}

async function work(cli: Cli, options: VaultOptions): Promise<ExitCode> {
  return withKeepsake(cli, options, async (keepsake) => {
    const { updates } = keepsake.agents;
    const open = (['waiting', 'running'] as const).flatMap((state) => updates.list({ state, limit: 1_000 }));
    await interruptible(cli, (signal) =>
      showQueue(cli, keepsake, () => updates.work(undefined, signal, (error) => reportError(cli, error))),
    );
    const worked = open.flatMap(({ id }) => updates.find(id) ?? []);
    const text = worked.length === 0 ? 'nothing waits' : worked.map(updateLines).join('\n');
    print(cli, text, { updates: worked }, options);
    return worked.every(({ state }) => state === 'done' || state === 'cancelled')
      ? exitCode.ok
      : exitCode.errors;
  });
}

/** Everything that is parked, after what kept it from being filed was mended. */
async function retryAll(cli: Cli, options: VaultOptions): Promise<ExitCode> {
  return withKeepsake(cli, options, async ({ agents: { updates } }) => {
    const ids: string[] = [];
    for (const { id } of updates.list({ state: 'parked', limit: 10_000 }))
      if (await updates.retry(id)) ids.push(id);
    print(cli, `${ids.length} wait again; work on them with: keepsake updates run`, { ids }, options);
    return exitCode.ok;
  });
}

async function withUpdate(
  cli: Cli,
  id: string,
  options: VaultOptions,
  use: (keepsake: Keepsake, update: Update) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withKeepsake(cli, options, async (keepsake) => {
    const update = keepsake.agents.updates.find(id);
    if (update === undefined)
      throw new AppError('bad-input', `there is no update ${id}`, { mend: 'see: keepsake updates' });
    return use(keepsake, update);
  });
}

function showUpdate(cli: Cli, update: Update, options: VaultOptions): ExitCode {
  const { input } = update;
  const { text } = updateOutcome(update);
  const files = input.files.map(({ name }) => `[${name}]`);
  const cost = updateCost(update);
  const parts = [
    updateLine(update),
    '',
    input.text.trim(),
    ...files,
    '',
    text,
    ...(cost === '' ? [] : ['', cost]),
  ];
  print(cli, parts.join('\n'), update, options);
  return exitCode.ok;
}
