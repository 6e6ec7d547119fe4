import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { describeError, formatForgetPlan, formatForgetReceipt, KeepsakeError } from '../contract/index.ts';
import type { ForgetPlan, ForgetReceipt, ForgetTarget, UnreachablePlace } from '../contract/index.ts';
import { parseVaultPath } from '../vault/index.ts';
import { vaultCommand, withExamples, withHistory } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { findPathResolver } from './path-argument.ts';
import { printForgetLines } from './print-forget-lines.ts';
import { confirm, isInteractive } from './prompt.ts';

type Options = ForgetOptions & { words?: boolean };

export function forgetCommand(cli: Cli): Command {
  const command = vaultCommand('forget')
    .summary('remove words for good, also from history')
    .description(
      'Show everything that goes, before and after, and after your confirmation remove the words from files, history, journal, queue, sessions, answers and index. Cannot be undone.',
    )
    .argument(
      '<target...>',
      'words; a file (bucket/safe.md), lines of it (bucket/safe.md:3-5), or the id of an update',
    )
    .option('--sentence', sentenceHelp)
    .option('--yes', 'forget without asking')
    .option('--shown <code>', shownHelp)
    .option('--words', 'treat the target as words, even if a file or an update has this name')
    .action(async (target: string[], options: Options) =>
      cli.finish(
        await withHistory(cli, options, (keepsake) => forget(cli, keepsake, target.join(' '), options)),
      ),
    );
  return withExamples(command, [
    'forget "the code of the safe is 7431"',
    'forget 7431 --sentence',
    'forget bucket/safe.md --yes',
    'forget bucket/safe.md:3-5',
    'forget 3f2c91aa-0c1d-4e5f-8a9b-1c2d3e4f5a6b',
  ]);
}

export const sentenceHelp = 'remove the whole sentences with the words, not the words alone';
export const shownHelp = 'forget without asking, but only what was shown with this code';

async function forget(cli: Cli, keepsake: Keepsake, text: string, options: Options): Promise<ExitCode> {
  const named: ForgetTarget =
    options.words === true
      ? { kind: 'words', words: [text] }
      : await parseTarget(cli, keepsake, text, options);
  const target = { ...named, wholeSentences: options.sentence };
  const shell: UnreachablePlace[] = target.kind === 'words' ? [{ kind: 'shell', name: '' }] : [];
  const withShell = <Value extends { unreachable: UnreachablePlace[] }>(value: Value): Value => ({
    ...value,
    unreachable: [...value.unreachable, ...shell],
  });
  return confirmForgetting(cli, keepsake, options, {
    plan: async () => withShell(await keepsake.forget.plan(target)),
    run: async (shown) => withShell(await keepsake.forget.run(target, shown)),
  });
}

export type ForgetOptions = VaultOptions & { sentence?: boolean; yes?: boolean; shown?: string };

type ForgetSteps = {
  plan: () => Promise<ForgetPlan>;
  /** Fails if the code of the plan is another one by now. */
  run: (shown: string) => Promise<ForgetReceipt>;
};

/** Shows what would be removed, asks, and removes exactly that. If it has changed meanwhile, it is shown again. */
export async function confirmForgetting(
  cli: Cli,
  keepsake: Keepsake,
  options: ForgetOptions,
  { plan, run }: ForgetSteps,
): Promise<ExitCode> {
  const { language } = cli.environment;
  for (;;) {
    const planned = await plan();
    const isWanted = options.yes === true || options.shown === planned.shown;
    if (isWanted) cli.ignoreClosedOutput();
    if (options.json !== true) printForgetLines(cli.stdout, formatForgetPlan(planned, language));
    else if (!isWanted) cli.stdout.write(`${JSON.stringify(planned, null, 2)}\n`);
    if (planned.places.length === 0 && options.yes !== true) return exitCode.ok;
    if (options.json !== true && options.sentence !== true && hasRest(planned))
      cli.stdout.write(`${texts[language].sentences}\n`);
    if (!isWanted && !(await isConfirmed(cli, planned, options))) return exitCode.refused;
    try {
      return await reportForgetting(cli, keepsake, await run(planned.shown), options);
    } catch (error) {
      const hasChanged = error instanceof KeepsakeError && error.code === 'changed';
      if (!hasChanged || !isInteractive(cli, options)) throw error;
      cli.stderr.write(`${texts[language].changed}\n`);
    }
  }
}

/** Whether words that stay belong to a sentence with words that go. */
function hasRest({ places }: ForgetPlan): boolean {
  return places.some(({ passages }) => passages.some(({ after }) => after !== ''));
}

/** Prints the receipt, and sends the removal to the other machines if the vault is synced. */
async function reportForgetting(
  cli: Cli,
  { sync }: Keepsake,
  receipt: ForgetReceipt,
  { json }: VaultOptions,
): Promise<ExitCode> {
  const { language } = cli.environment;
  if (json === true) cli.stdout.write(`${JSON.stringify(receipt, null, 2)}\n`);
  else printForgetLines(cli.stdout, formatForgetReceipt(receipt, language));
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
    next: (shown: string) =>
      `nothing was forgotten; to forget exactly this, repeat the command with --shown ${shown}`,
    changed: 'The text has changed since it was shown. Nothing was forgotten; this is what would go now:',
    hasChanged: 'what would go is no longer what was shown with that code;',
    sentences: 'To remove the whole sentences instead: --sentence',
    synced: 'also removed from the sync repository',
    notSynced: 'the sync repository still contains the words; run keepsake sync:',
  },
  fr: {
    question: 'Oublier tout cela ? Impossible de revenir en arrière. [o/N] ',
    next: (shown: string) =>
      `rien n’a été oublié ; pour oublier exactement cela, relancez la commande avec --shown ${shown}`,
    changed: 'Le texte a changé depuis. Rien n’a été oublié ; voici ce qui disparaîtrait maintenant :',
    hasChanged: 'ce qui disparaîtrait n’est plus ce qui a été montré avec ce code ;',
    sentences: 'Pour supprimer les phrases entières : --sentence',
    synced: 'supprimé aussi du dépôt de synchronisation',
    notSynced: 'le dépôt de synchronisation contient encore ces mots ; lancez keepsake sync :',
  },
};

/** Asks in a terminal. Elsewhere, says how to continue. */
async function isConfirmed(cli: Cli, { shown }: ForgetPlan, options: ForgetOptions): Promise<boolean> {
  const { question, next, hasChanged } = texts[cli.environment.language];
  if (options.shown === undefined && (await confirm(cli, question, options))) return true;
  cli.stderr.write(`${options.shown === undefined ? '' : `${hasChanged} `}${next(shown)}\n`);
  return false;
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
  return update ? { kind: 'update', id: update.id } : { kind: 'words', words: [text] };
}
