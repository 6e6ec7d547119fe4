import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Changes, JournalEntry, Undone } from '../changes/index.ts';
import { describeChange, explainOutcome, failedOutcome } from '../tools/index.ts';
import { parseVaultPath, showPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { examples, vaultCommand, wholeNumber, withHistory } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { print, showOutcome } from './show-outcome.ts';

const choices = ['keep', 'replace', 'both'] as const;

type Deciding = VaultOptions & { conflict?: (typeof choices)[number] };

/** A command that may meet lines that were edited since. */
function decidingCommand(name: string): Command {
  return vaultCommand(name).addOption(
    new Option(
      '--conflict <choice>',
      'where the same lines were edited since: keep what stands there now, replace it, or let both stand (default: write nothing and show both)',
    ).choices(choices),
  );
}

/** The commands that look at changes, take them back, or decide on those that wait. */
export function historyCommands(cli: Cli): Command[] {
  const history = vaultCommand('history')
    .summary('list what changed')
    .description('Lists changes, newest first; of one file when a path is given.')
    .argument('[path]', 'a file')
    .option('--held', 'only those that wait for approval')
    .option('--limit <number>', 'how many', wholeNumber, 20)
    .action(async (path: string | undefined, options: VaultOptions & { held?: boolean; limit: number }) =>
      cli.finish(await list(cli, path, options)),
    );
  const show = vaultCommand('show')
    .summary('show one change as a diff')
    .description('Shows what a change did, or would do if it is held.')
    .argument('<id>', 'as keepsake history lists it')
    .option('--file <path>', 'only in this file')
    .action(async (id: string, options: VaultOptions & { file?: string }) =>
      cli.finish(await showChange(cli, id, options)),
    );
  const undo = decidingCommand('undo')
    .summary('take a change back')
    .description(
      'Takes a change back as a new change; edits made since stay. Where both touched the same lines, it writes nothing, shows both and asks you to choose with --conflict.',
    )
    .argument(
      '[id]',
      'of a change as keepsake history lists it, or of an update (default: your last change at the command line)',
    )
    .option('--file <path>', 'only in this file')
    .action(async (named: string | undefined, { file, ...options }: Deciding & { file?: string }) => {
      const path = file === undefined ? undefined : pathOf(file);
      cli.finish(
        await withHistory(cli, options, ({ changes }) => {
          const last = named === undefined ? lastOwnChange(changes) : null;
          const id = last?.id ?? named ?? '';
          const done = last === null ? `undid ${id}` : `undid ${id.slice(0, 8)}, ${last.summary}`;
          const again = `keepsake undo ${id}${file === undefined ? '' : ` --file ${file}`}`;
          const undone: Promise<Undone> =
            path === null
              ? Promise.resolve({ kind: 'unknown' })
              : changes.undo(id, { path, onConflict: options.conflict });
          return tell(cli, options, { id, done, again }, undone);
        }),
      );
    });
  const restore = vaultCommand('restore')
    .summary('make a file what it was')
    .description(
      'Makes a file what it was right after a change, whatever came since. undo takes that back, too.',
    )
    .argument('<path>', 'a file that the change touched')
    .argument('<id>', 'as keepsake history <path> lists it')
    .action(async (path: string, id: string, options: VaultOptions) => {
      const file = pathOf(path);
      cli.finish(
        await decide(cli, options, { id, done: `restored ${path}` }, (changes) =>
          file === null ? Promise.resolve({ kind: 'unknown' }) : changes.restore(id, file),
        ),
      );
    });
  const approve = decidingCommand('approve')
    .summary('make a held change')
    .description(
      'Makes a change that was held, merged over what changed since. What both added at one place both stands.',
    )
    .argument('<id>', 'of a change as keepsake history --held lists it, or of an update')
    .action(async (id: string, options: Deciding) =>
      cli.finish(
        await decide(
          cli,
          options,
          { id, done: `approved ${id}`, again: `keepsake approve ${id}` },
          (changes) => changes.approve(id, options.conflict),
        ),
      ),
    );
  const reject = vaultCommand('reject')
    .summary('drop a held change')
    .description('Drops a change that was held.')
    .argument('<id>')
    .action(async (id: string, options: VaultOptions) => {
      cli.finish(
        await decide(cli, options, { id, done: `rejected ${id}`, isWithoutChange: true }, async (changes) => {
          if (await changes.reject(id)) return { kind: 'nothing' };
          const state = changes.find(id)?.entry.state;
          return state === undefined ? { kind: 'unknown' } : { kind: 'not-applied', state };
        }),
      );
    });
  return [
    examples(history, ['history', 'history tasks.md', 'history --held']),
    examples(show, ['show 3f2c…', 'show 3f2c… --file tasks.md']),
    examples(undo, ['undo', 'undo 3f2c…', 'undo 3f2c… --file tasks.md', 'undo 3f2c… --conflict both']),
    examples(restore, ['history tasks.md', 'restore tasks.md 3f2c…']),
    examples(approve, ['history --held', 'approve 3f2c…']),
    examples(reject, ['reject 3f2c…']),
  ];
}

/** How far back to look for a change of one's own. */
const mostLookedAt = 1_000;

function lastOwnChange(changes: Pick<Changes, 'list'>): JournalEntry {
  const own = changes
    .list({ limit: mostLookedAt })
    .find(
      ({ origin, state, isUndone }) => origin.startsWith('keepsake ') && state === 'applied' && !isUndone,
    );
  if (own !== undefined) return own;
  throw new AppError('bad-input', 'there is no change of yours at the command line to take back', {
    mend: 'name one; see: keepsake history',
  });
}

function pathOf(text: string): VaultPath | null {
  const parsed = parseVaultPath(text);
  return parsed.ok ? parsed.path : null;
}

async function list(
  cli: Cli,
  path: string | undefined,
  options: VaultOptions & { held?: boolean; limit: number },
): Promise<ExitCode> {
  return withHistory(cli, options, async ({ changes }) => {
    const only = path === undefined ? null : pathOf(path);
    const entries = changes.list({
      ...(only !== null && { path: only }),
      state: options.held === true ? 'held' : undefined,
      limit: options.limit,
    });
    const lines = entries
      .map((entry) => describeChange({ ...entry, paths: entry.paths.map(showPath) }))
      .join('\n');
    cli.stdout.write(
      options.json === true
        ? `${JSON.stringify({ changes: entries }, null, 2)}\n`
        : `${lines === '' ? 'nothing has changed yet' : lines}\n`,
    );
    return exitCode.ok;
  });
}

async function showChange(
  cli: Cli,
  id: string,
  { file, ...options }: VaultOptions & { file?: string },
): Promise<ExitCode> {
  return withHistory(cli, options, async ({ changes }) => {
    const found = changes.find(id);
    const only = file === undefined ? undefined : pathOf(file);
    if (found === null || only === null) return decideNothing(cli, options);
    const { entry, isUndone } = found;
    const diffs = await found.diffs(only);
    const texts = diffs.map(({ diff }) => diff);
    const paths = diffs.map(({ path }) => path);
    cli.stdout.write(
      options.json === true
        ? `${JSON.stringify({ ...entry, isUndone, diffs: texts }, null, 2)}\n`
        : `${[describeChange({ ...entry, isUndone, paths }), ...texts].join('\n\n')}\n`,
    );
    return exitCode.ok;
  });
}

function decideNothing(cli: Cli, { json }: VaultOptions): ExitCode {
  const unknown = explainOutcome({ kind: 'unknown' });
  return unknown.kind === 'failed' ? showOutcome(cli, failedOutcome(unknown), json) : exitCode.errors;
}

type Decision = {
  id: string;
  /** What to say when it is made. */
  done: string;
  /** The command to which a choice is added when there are conflicts. */
  again?: string;
  /** Whether it is done without changing anything. */
  isWithoutChange?: boolean;
};

async function decide(
  cli: Cli,
  options: VaultOptions,
  decision: Decision,
  work: (changes: Changes) => Promise<Undone>,
): Promise<ExitCode> {
  return withHistory(cli, options, ({ changes }) => tell(cli, options, decision, work(changes)));
}

async function tell(
  cli: Cli,
  options: VaultOptions,
  { id, done, again, isWithoutChange = false }: Decision,
  undone: Promise<Undone>,
): Promise<ExitCode> {
  const wayOn =
    again === undefined
      ? undefined
      : `Choose: ${again} --conflict keep (what stands there now), replace (what was to stand there) or both`;
  const outcome = explainOutcome(await undone, wayOn);
  if (outcome.kind === 'failed') return showOutcome(cli, failedOutcome(outcome), options.json);
  const change = outcome.kind === 'made' ? outcome.change : null;
  const text =
    change !== null
      ? `${done}; take that back with: keepsake undo ${change.slice(0, 8)}`
      : isWithoutChange
        ? done
        : 'nothing had to be changed: the files are so already';
  print(cli, text, { id, ...(change !== null && { as: change }) }, options);
  return exitCode.ok;
}
