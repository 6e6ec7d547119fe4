import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake, Update } from '../app/index.ts';
import { withExamples, vaultCommand, parseInteger, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { withInterrupt, withQueueOutput } from './show-live.ts';
import { note, printResult, reportError } from './print-outcome.ts';
import { formatUpdateCost, formatUpdateLine, formatUpdate, formatUpdateOutcome } from './format-update.ts';
import { describeFiling } from './describe-filing.ts';

export function updatesCommand(cli: Cli): Command {
  const command = vaultCommand('updates')
    .enablePositionalOptions()
    .summary('list updates and their results')
    .description('List updates, newest first.')
    .option('--limit <number>', 'number of updates', parseInteger, 20)
    .action(async (options: VaultOptions & { limit: number }) => {
      await withKeepsake(cli, options, (keepsake) => listUpdates(cli, keepsake, options));
      cli.finish(exitCode.ok);
    });
  const show = vaultCommand('show')
    .summary('show one update')
    .argument('<id>', 'id from keepsake updates')
    .action(async (id: string, _: unknown, called: Command) => {
      const options: VaultOptions = called.optsWithGlobals();
      cli.finish(
        await withUpdate(cli, id, options, (keepsake, update) => showUpdate(cli, keepsake, update, options)),
      );
    });
  const cancel = vaultCommand('cancel')
    .summary('cancel a waiting or parked update')
    .argument('<id>', 'id from keepsake updates')
    .action(async (id: string, _: unknown, called: Command) => {
      const options: VaultOptions = called.optsWithGlobals();
      cli.finish(
        await withUpdate(cli, id, options, async ({ agents }, update) => {
          if (!(await agents.updates.cancel(update.id)))
            throw new AppError('bad-input', `cannot cancel ${id}: it is ${update.state}`);
          printResult(cli, `cancelled ${update.id.slice(0, 8)}`, { id: update.id }, options);
          return exitCode.ok;
        }),
      );
    });
  const retry = vaultCommand('retry')
    .summary('retry a parked or cancelled update')
    .argument('[id]', 'id from keepsake updates')
    .option('--all', 'all parked updates')
    .action(async (id: string | undefined, _: unknown, called: Command) => {
      const options: VaultOptions & { all?: boolean } = called.optsWithGlobals();
      if (options.all === true) return cli.finish(await retryAll(cli, options));
      if (id === undefined)
        throw new AppError('bad-input', 'missing id; pass one, or --all', {
          hint: 'list the updates with: keepsake updates',
        });
      return cli.finish(
        await withUpdate(cli, id, options, async ({ agents }, update) => {
          if (!(await agents.updates.retry(update.id)))
            throw new AppError('bad-input', `cannot retry ${id}: it is ${update.state}`);
          printResult(cli, `queued; file it with: keepsake updates run`, { id: update.id }, options);
          return exitCode.ok;
        }),
      );
    });
  const run = vaultCommand('run')
    .summary('file all waiting updates and show progress')
    .action(async (_: unknown, called: Command) => cli.finish(await runQueue(cli, called.optsWithGlobals())));
  for (const each of [show, cancel, retry, run]) command.addCommand(each);
  return withExamples(command, ['updates', 'updates show 3f2c', 'updates retry 3f2c', 'updates run']);
}

async function listUpdates(
  cli: Cli,
  keepsake: Keepsake,
  options: VaultOptions & { limit: number },
): Promise<void> {
  const updates = keepsake.agents.updates.list({ limit: options.limit });
  const shown = await withoutAnswered(keepsake, updates);
  const text = shown.length === 0 ? 'no updates yet' : shown.map(formatUpdate).join('\n');
  printResult(cli, text, { updates }, options);
  if (options.json !== true && keepsake.agents.updates.counts().waiting > 0)
    note(cli, describeFiling(cli, keepsake, 'the waiting updates').text);
}

/** The updates as they are shown: a question that is no longer in the inbox was answered. */
async function withoutAnswered(keepsake: Keepsake, updates: readonly Update[]): Promise<Update[]> {
  const questions = new Set(
    (await keepsake.inbox()).flatMap((each) => (each.kind === 'question' ? [each.item] : [])),
  );
  return updates.map((update) => {
    const { result } = update;
    const isAnswered = result?.kind === 'filed' && result.asked !== null && !questions.has(result.asked);
    return isAnswered ? { ...update, result: { ...result, asked: null } } : update;
  });
}

async function runQueue(cli: Cli, options: VaultOptions): Promise<ExitCode> {
  return withKeepsake(cli, options, async (keepsake) => {
    const { updates } = keepsake.agents;
    const open = (['waiting', 'running'] as const).flatMap((state) => updates.list({ state, limit: 1_000 }));
    await withInterrupt(cli, (signal) =>
      withQueueOutput(cli, keepsake, () =>
        updates.work(undefined, signal, (error) => reportError(cli, error)),
      ),
    );
    const worked = open.flatMap(({ id }) => updates.find(id) ?? []);
    const text =
      worked.length === 0
        ? 'no waiting updates'
        : worked.map((update) => formatWorked(cli, update)).join('\n');
    printResult(cli, text, { updates: worked }, options);
    return worked.every(({ state }) => state === 'done' || state === 'cancelled')
      ? exitCode.ok
      : exitCode.errors;
  });
}

/** An update with its result, so that the user sees what was changed. */
function formatWorked(cli: Cli, update: Update): string {
  if (update.state !== 'done') return formatUpdate(update);
  const { text } = formatUpdateOutcome(update, cli.environment.language);
  return `${formatUpdateLine(update)}\n\n${text.replaceAll(/^(?=.)/gm, '    ')}\n`;
}

/** Retries all parked updates, after the user has fixed the cause. */
async function retryAll(cli: Cli, options: VaultOptions): Promise<ExitCode> {
  return withKeepsake(cli, options, async ({ agents: { updates } }) => {
    const ids: string[] = [];
    for (const { id } of updates.list({ state: 'parked', limit: 10_000 }))
      if (await updates.retry(id)) ids.push(id);
    printResult(cli, `${ids.length} updates queued; file them with: keepsake updates run`, { ids }, options);
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
      throw keepsake.agents.updates.isExpired(id)
        ? new AppError('bad-input', `update ${id} is older than what is kept`, {
            hint: 'see keepsake config retention',
          })
        : new AppError('bad-input', `update not found: ${id}`, {
            hint: 'list the updates with: keepsake updates',
          });
    return use(keepsake, update);
  });
}

async function showUpdate(
  cli: Cli,
  keepsake: Keepsake,
  update: Update,
  options: VaultOptions,
): Promise<ExitCode> {
  const { input } = update;
  const [shown = update] = await withoutAnswered(keepsake, [update]);
  const { text } = formatUpdateOutcome(shown, cli.environment.language);
  const files = input.files.map(({ name }) => `[${name}]`);
  const cost = formatUpdateCost(update);
  const parts = [
    formatUpdateLine(shown),
    '',
    input.text.trim(),
    ...files,
    '',
    text,
    ...(cost === '' ? [] : ['', cost]),
  ];
  printResult(cli, parts.join('\n'), update, options);
  return exitCode.ok;
}
