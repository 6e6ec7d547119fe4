import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { describeError, formatForgetPlan, formatForgetReceipt } from '../contract/index.ts';
import type { ForgetReceipt, ForgetTarget, UnreachablePlace } from '../contract/index.ts';
import { parseVaultPath } from '../vault/index.ts';
import { vaultCommand, withExamples, withHistory } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { findPathResolver } from './path-argument.ts';
import { confirm } from './prompt.ts';

type Options = VaultOptions & { yes?: boolean; words?: boolean };

export function forgetCommand(cli: Cli): Command {
  const command = vaultCommand('forget')
    .summary('remove words for good, also from history')
    .description(
      'Show every place that contains the words, and after your confirmation remove them from files, history, journal, queue, sessions, answers and index. Cannot be undone.',
    )
    .argument(
      '<target...>',
      'words; a file (bucket/safe.md), lines of it (bucket/safe.md:3-5), or the id of an update',
    )
    .option('--yes', 'forget without asking')
    .option('--words', 'treat the target as words, even if a file or an update has this name')
    .action(async (target: string[], options: Options) =>
      cli.finish(
        await withHistory(cli, options, (keepsake) => forget(cli, keepsake, target.join(' '), options)),
      ),
    );
  return withExamples(command, [
    'forget "the code of the safe is 7431"',
    'forget bucket/safe.md --yes',
    'forget bucket/safe.md:3-5',
    'forget 3f2c91aa-0c1d-4e5f-8a9b-1c2d3e4f5a6b',
  ]);
}

async function forget(cli: Cli, keepsake: Keepsake, text: string, options: Options): Promise<ExitCode> {
  const { language } = cli.environment;
  const print = (value: object, lines: readonly string[]): void =>
    void cli.stdout.write(
      options.json === true ? `${JSON.stringify(value, null, 2)}\n` : `${lines.join('\n')}\n`,
    );
  const target =
    options.words === true ? ({ kind: 'words', words: text } as const) : await parseTarget(cli, keepsake, text, options);
  const plan = await keepsake.forget.plan(target);
  const shell: UnreachablePlace[] = target.kind === 'words' ? [{ kind: 'shell', name: '' }] : [];
  const withShell = <Value extends { unreachable: UnreachablePlace[] }>(value: Value): Value => ({
    ...value,
    unreachable: [...value.unreachable, ...shell],
  });
  if (options.yes !== true) print(plan, formatForgetPlan(withShell(plan), language));
  if (plan.places.length === 0 && options.yes !== true) return exitCode.ok;
  if (options.yes !== true && !(await isConfirmed(cli, options))) return exitCode.refused;
  return reportForgetting(cli, keepsake, withShell(await keepsake.forget.run(plan)), options);
}

/** Prints the receipt, and sends the removal to the other machines if the vault is synced. */
export async function reportForgetting(
  cli: Cli,
  { sync }: Keepsake,
  receipt: ForgetReceipt,
  { json }: VaultOptions,
): Promise<ExitCode> {
  const { language } = cli.environment;
  const lines = formatForgetReceipt(receipt, language);
  cli.stdout.write(json === true ? `${JSON.stringify(receipt, null, 2)}\n` : `${lines.join('\n')}\n`);
  const { synced, notSynced } = texts[language];
  if ((await sync.status()) !== null)
    await sync.run().then(
      ({ remote }) => cli.stderr.write(`${synced} ${remote}\n`),
      (error: unknown) => cli.stderr.write(`${notSynced} ${describeError(error)}\n`),
    );
  return receipt.remaining.length === 0 ? exitCode.ok : exitCode.errors;
}

const texts = {
  en: {
    question: 'Forget all of this? There is no undo. [y/N] ',
    next: 'nothing was forgotten; to forget, repeat the command with --yes',
    synced: 'also removed from the sync repository',
    notSynced: 'the sync repository still contains the words; run keepsake sync:',
  },
  fr: {
    question: 'Oublier tout cela ? Impossible de revenir en arrière. [o/N] ',
    next: 'rien n’a été oublié ; pour oublier, relancez la commande avec --yes',
    synced: 'supprimé aussi du dépôt de synchronisation',
    notSynced: 'le dépôt de synchronisation contient encore ces mots ; lancez keepsake sync :',
  },
};

/** Asks in a terminal. Elsewhere, says how to continue. */
async function isConfirmed(cli: Cli, options: Options): Promise<boolean> {
  const { question, next } = texts[cli.environment.language];
  const isYes = await confirm(cli, question, options);
  if (!isYes) cli.stderr.write(`${next}\n`);
  return isYes;
}

/** An existing file, with or without lines, or an update; otherwise words. */
async function parseTarget(
  cli: Cli,
  keepsake: Keepsake,
  text: string,
  options: Options,
): Promise<ForgetTarget> {
  if (text.trim() === '') throw new AppError('bad-input', 'nothing to forget', { hint: 'pass the words' });
  const [, name = '', start, end] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/s.exec(text) ?? [];
  const resolver = await findPathResolver(cli, options);
  const parsed = parseVaultPath(resolver(name) ?? '');
  if (
    parsed.ok &&
    ((await keepsake.readFile(parsed.path)).kind === 'file' ||
      keepsake.changes.list({ path: parsed.path, limit: 1 }).length > 0)
  ) {
    const lines = start === undefined ? null : { start: Number(start), end: Number(end ?? start) };
    return { kind: 'path', path: parsed.path, lines };
  }
  const update = /^[\da-f-]{8,36}$/i.test(text) ? keepsake.agents.updates.find(text) : null;
  return update ? { kind: 'update', id: update.id } : { kind: 'words', words: text };
}
