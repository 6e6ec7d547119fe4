import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import type { Changes, UndoResult } from '../changes/index.ts';
import { formatForgetPlan } from '../contract/index.ts';
import { formatChange, describeOutcome, toFailedOutcome } from '../tools/index.ts';
import { formatPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { withExamples, vaultCommand, parseInteger, withHistory } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { confirmForgetting, sentenceHelp, shownHelp } from './forget.ts';
import type { ForgetOptions } from './forget.ts';
import { findOwnNewest } from './find-own-newest.ts';
import { listHistory } from './list-history.ts';
import type { HistoryOptions } from './list-history.ts';
import { parsePathArgument } from './path-argument.ts';
import { printForgetLines } from './print-forget-lines.ts';
import { printResult, printOutcome } from './print-outcome.ts';
import { isInteractive, isYes, withPrompt } from './prompt.ts';

const choices = ['keep', 'replace', 'both'] as const;

type ConflictOptions = VaultOptions & { conflict?: (typeof choices)[number] };

type ApproveOptions = ConflictOptions & Pick<ForgetOptions, 'sentence' | 'shown'>;

/** Creates a command whose change may conflict with later edits. */
function conflictCommand(name: string): Command {
  return vaultCommand(name).addOption(
    new Option(
      '--conflict <choice>',
      'how to resolve conflicting lines: keep the current text, replace it, or keep both (default: abort and show both)',
    ).choices(choices),
  );
}

/** The commands that show and undo changes, and approve or reject held ones. */
export function historyCommands(cli: Cli): Command[] {
  const history = vaultCommand('history')
    .summary('list changes')
    .description('List changes, newest first, of the vault or of one file.')
    .argument('[path]', 'file')
    .option('--held', 'only changes awaiting approval')
    .option('--limit <number>', 'number of changes', parseInteger, 20)
    .option('--all', 'all changes')
    .action(async (path: string | undefined, options: HistoryOptions) =>
      cli.finish(await listHistory(cli, path, options)),
    );
  const show = vaultCommand('show')
    .summary('show one change as a diff')
    .description('Show what a change did, or would do if it is held.')
    .argument('<id>', 'id from keepsake history')
    .option('--file <path>', 'only this file')
    .action(async (id: string, options: VaultOptions & { file?: string }) =>
      cli.finish(await showChange(cli, id, options)),
    );
  const undoing = conflictCommand('undo')
    .summary('undo a change')
    .description(
      'Undo a change with a new change; later edits are kept. Without an id, undo the newest change if you made it on the command line; on a terminal, ask first. Undoing a rejected change holds it for approval again. On a conflict nothing is written: choose a side with --conflict.',
    )
    .argument('[id]', 'id of a change or an update (default: the newest change, if it is yours)')
    .option('--file <path>', 'only this file')
    .action(async (id: string | undefined, { file, ...options }: ConflictOptions & { file?: string }) => {
      const path = file === undefined ? undefined : await parsePathArgument(cli, options, file);
      const run = { path, named: file, onConflict: options.conflict };
      cli.finish(await withHistory(cli, options, ({ changes }) => undo(cli, changes, id, run, options)));
    });
  const restore = vaultCommand('restore')
    .summary('restore an earlier version of a file')
    .description('Restore a file to its state right after a change, discarding later edits. Can be undone.')
    .argument('<path>', 'file that the change touched')
    .argument('<id>', 'id from keepsake history <path>')
    .action(async (path: string, id: string, options: VaultOptions) => {
      const file = await parsePathArgument(cli, options, path);
      cli.finish(
        await applyDecision(cli, options, { id, successText: `restored ${path}` }, (changes) =>
          changes.restore(id, file),
        ),
      );
    });
  const approve = conflictCommand('approve')
    .summary('approve a held change')
    .description(
      'Apply a held change, merged with later edits. Additions of both sides are kept. For a request to forget, show everything that goes, and ask.',
    )
    .argument('<id>', 'id of a change (from keepsake history --held) or of an update')
    .option('--sentence', `of a request to forget: ${sentenceHelp}`)
    .option('--shown <code>', `of a request to forget: ${shownHelp}`)
    .action(async (id: string, options: ApproveOptions) =>
      cli.finish(await withHistory(cli, options, (keepsake) => approveChange(cli, keepsake, id, options))),
    );
  const reject = vaultCommand('reject')
    .summary('reject a held change')
    .description('Discard a held change.')
    .argument('<id>')
    .action(async (id: string, options: VaultOptions) => {
      cli.finish(
        await applyDecision(
          cli,
          options,
          { id, successText: `rejected ${id}`, isWithoutChange: true },
          async (changes) => {
            if (await changes.reject(id)) return { kind: 'unchanged' };
            const state = changes.find(id)?.entry.state;
            return state === undefined ? missingChange(changes, id) : { kind: 'not-applied', state };
          },
        ),
      );
    });
  return [
    withExamples(history, ['history', 'history tasks.md', 'history --limit 100', 'history --held']),
    withExamples(show, ['show 3f2c…', 'show 3f2c… --file tasks.md']),
    withExamples(undoing, ['undo', 'undo 3f2c…', 'undo 3f2c… --file tasks.md', 'undo 3f2c… --conflict both']),
    withExamples(restore, ['history tasks.md', 'restore tasks.md 3f2c…']),
    withExamples(approve, ['history --held', 'approve 3f2c…']),
    withExamples(reject, ['reject 3f2c…']),
  ];
}

type UndoRun = {
  path: VaultPath | undefined;
  named: string | undefined;
  onConflict: ConflictOptions['conflict'];
};

async function undo(
  cli: Cli,
  changes: Changes,
  named: string | undefined,
  { path, named: file, onConflict }: UndoRun,
  options: ConflictOptions,
): Promise<ExitCode> {
  const newest = named === undefined ? findOwnNewest(changes) : null;
  const id = newest?.id ?? named ?? '';
  const found = changes.find(id);
  if (
    path !== undefined &&
    found !== null &&
    !(await found.diffs()).some((diff) => diff.path === formatPath(path))
  )
    throw new AppError('bad-input', `${formatPath(path)} is not a file of change ${id}`, {
      hint: `see its files with: keepsake show ${id}`,
    });
  const about = newest === null ? id : `${id.slice(0, 8)} (${newest.summary})`;
  if (newest !== null && isInteractive(cli, options)) {
    const isAgreed = await withPrompt(cli, async (ask) =>
      isYes(cli, await ask(`Undo ${about}? [Y/n] `), true),
    );
    if (!isAgreed) return exitCode.refused;
  }
  warnIfForgotten(cli, changes, id);
  const retryCommand = `keepsake undo ${id}${file === undefined ? '' : ` --file ${file}`}`;
  const decision =
    found?.entry.state === 'rejected'
      ? { id, successText: `${id} needs your approval again`, isWithoutChange: true }
      : { id, successText: `undid ${about}`, retryCommand };
  return printDecision(cli, options, decision, changes.undo(id, { path, onConflict }));
}

async function showChange(
  cli: Cli,
  id: string,
  { file, ...options }: VaultOptions & { file?: string },
): Promise<ExitCode> {
  const only = file === undefined ? undefined : await parsePathArgument(cli, options, file);
  return withHistory(cli, options, async ({ changes, forgetRequests }) => {
    const found = changes.find(id);
    if (found === null) return printMissing(cli, changes, id, options);
    const plan = (await forgetRequests.find(id)?.plan()) ?? null;
    const { entry, isUndone } = found;
    warnIfForgotten(cli, changes, id);
    const diffs = await found.diffs(only);
    const texts = diffs.map(({ diff }) => diff);
    const paths = diffs.map(({ path }) => path);
    const text = [formatChange({ ...entry, isUndone, paths }), ...texts].join('\n\n');
    const value = { ...entry, isUndone, diffs: texts, ...(plan !== null && { forgets: plan }) };
    printResult(cli, text, value, options);
    if (plan !== null && options.json !== true)
      printForgetLines(cli.stdout, formatForgetPlan(plan, cli.environment.language));
    return exitCode.ok;
  });
}

function missingChange(changes: Pick<Changes, 'findExpired'>, id: string): UndoResult {
  return { kind: changes.findExpired(id) === null ? 'not-found' : 'expired' };
}

function printMissing(
  cli: Cli,
  changes: Pick<Changes, 'findExpired'>,
  id: string,
  { json }: VaultOptions,
): ExitCode {
  const unknown = describeOutcome(missingChange(changes, id));
  return unknown.kind === 'failed' ? printOutcome(cli, toFailedOutcome(unknown), json) : exitCode.errors;
}

type Decision = {
  id: string;
  /** The text printed on success. */
  successText: string;
  /** The command to repeat with --conflict when there are conflicts. */
  retryCommand?: string;
  /** Whether the decision succeeds without changing any file. */
  isWithoutChange?: boolean;
};

async function approveChange(
  cli: Cli,
  keepsake: Keepsake,
  id: string,
  options: ApproveOptions,
): Promise<ExitCode> {
  const request = keepsake.forgetRequests.find(id, options.sentence);
  if (request !== null) return confirmForgetting(cli, keepsake, options, request);
  const decision = { id, successText: `approved ${id}`, retryCommand: `keepsake approve ${id}` };
  const approved = keepsake.changes.approve(id, { onConflict: options.conflict });
  return printDecision(cli, options, decision, approved);
}

async function applyDecision(
  cli: Cli,
  options: VaultOptions,
  decision: Decision,
  work: (changes: Changes) => Promise<UndoResult>,
): Promise<ExitCode> {
  return withHistory(cli, options, ({ changes }) => {
    warnIfForgotten(cli, changes, decision.id);
    return printDecision(cli, options, decision, work(changes));
  });
}

/** Says why a change comes back without some of its words. */
function warnIfForgotten({ stderr }: Cli, changes: Changes, id: string): void {
  if (changes.find(id)?.wasForgotten === true)
    stderr.write('note: words of this change were forgotten; they do not come back\n');
}

async function printDecision(
  cli: Cli,
  options: VaultOptions,
  { id, successText, retryCommand, isWithoutChange = false }: Decision,
  undone: Promise<UndoResult>,
): Promise<ExitCode> {
  const conflictHint =
    retryCommand === undefined
      ? undefined
      : `Resolve with: ${retryCommand} --conflict keep (current text), replace (incoming text) or both`;
  const outcome = describeOutcome(await undone, conflictHint);
  if (outcome.kind === 'failed') return printOutcome(cli, toFailedOutcome(outcome), options.json);
  const change = outcome.kind === 'applied' ? outcome.change : null;
  const text =
    change !== null
      ? `${successText}; undo with: keepsake undo ${change.slice(0, 8)}`
      : isWithoutChange
        ? successText
        : 'nothing to do: the files are already in that state';
  printResult(cli, text, { id, ...(change !== null && { as: change }) }, options);
  return exitCode.ok;
}
