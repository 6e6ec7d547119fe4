import type { Command } from 'commander';
import { backUp } from '../app/index.ts';
import type { Changes, JournalEntry, Undone } from '../changes/index.ts';
import { localTime } from '../contract/index.ts';
import { explainOutcome, failedOutcome } from '../tools/index.ts';
import { parseVaultPath, showPath, showTime } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { examples, vaultCommand, wholeNumber, withKeepsake } from './command.ts';
import type { Finish, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { showOutcome } from './show-outcome.ts';

/** The commands that look at changes, take them back, or decide on those that wait. */
export function historyCommands(finish: Finish): Command[] {
  const history = vaultCommand('history')
    .summary('list what changed')
    .description('Lists changes, newest first; of one file when a path is given.')
    .argument('[path]', 'a file')
    .option('--held', 'only those that wait for approval')
    .option('--limit <number>', 'how many', wholeNumber, 20)
    .action(async (path: string | undefined, options: VaultOptions & { held?: boolean; limit: number }) =>
      finish(await list(path, options)),
    );
  const show = vaultCommand('show')
    .summary('show one change as a diff')
    .description('Shows what a change did, or would do if it is held.')
    .argument('<id>', 'as keepsake history lists it')
    .action(async (id: string, options: VaultOptions) => finish(await showChange(id, options)));
  const undo = vaultCommand('undo')
    .summary('take a change back')
    .description(
      'Takes a change back as a new change; edits made since stay. Refuses where both touched the same lines.',
    )
    .argument('<id>', 'as keepsake history lists it')
    .option('--file <path>', 'only in this file')
    .action(async (id: string, { file, ...options }: VaultOptions & { file?: string }) => {
      const only = file === undefined ? undefined : pathOf(file);
      finish(
        await decide(options, id, `undid ${id}`, (changes) =>
          only === null ? Promise.resolve({ kind: 'unknown' }) : changes.undo(id, only),
        ),
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
      finish(
        await decide(options, id, `restored ${path}`, (changes) =>
          file === null ? Promise.resolve({ kind: 'unknown' }) : changes.restore(id, file),
        ),
      );
    });
  const approve = vaultCommand('approve')
    .summary('make a held change')
    .description('Makes a change that was held, merged over what changed since.')
    .argument('<id>')
    .action(async (id: string, options: VaultOptions) =>
      finish(await decide(options, id, `approved ${id}`, (changes) => changes.approve(id))),
    );
  const reject = vaultCommand('reject')
    .summary('drop a held change')
    .description('Drops a change that was held.')
    .argument('<id>')
    .action(async (id: string, options: VaultOptions) => {
      finish(
        await decide(options, id, `rejected ${id}`, async (changes) =>
          changes.reject(id) ? { kind: 'nothing' } : { kind: 'unknown' },
        ),
      );
    });
  const backup = vaultCommand('backup')
    .summary('copy vault, history and queue')
    .description('Copies the vault, its history and its queue into a new folder.')
    .argument('<folder>', 'a folder that does not exist yet')
    .action(async (folder: string, options: VaultOptions) => {
      await withKeepsake(options, (keepsake) => backUp(keepsake, folder));
      process.stdout.write(`Copied vault and state to ${folder}.\n`);
      finish(exitCode.ok);
    });
  return [
    examples(history, ['history', 'history tasks.md', 'history --held']),
    examples(show, ['show 3f2c…']),
    examples(undo, ['undo 3f2c…', 'undo 3f2c… --file tasks.md']),
    examples(restore, ['history tasks.md', 'restore tasks.md 3f2c…']),
    examples(approve, ['history --held', 'approve 3f2c…']),
    examples(reject, ['reject 3f2c…']),
    examples(backup, ['backup /media/disk/vault-2025-07-14']),
  ];
}

function pathOf(text: string): VaultPath | null {
  const parsed = parseVaultPath(text);
  return parsed.ok ? parsed.path : null;
}

async function list(
  path: string | undefined,
  options: VaultOptions & { held?: boolean; limit: number },
): Promise<ExitCode> {
  return withKeepsake(options, async ({ changes }) => {
    const only = path === undefined ? null : pathOf(path);
    const entries = changes.list({
      ...(only !== null && { path: only }),
      isHeld: options.held === true,
      limit: options.limit,
    });
    const lines = entries
      .map((entry) => describeChange({ ...entry, paths: entry.paths.map(showPath) }))
      .join('\n');
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify({ changes: entries }, null, 2)}\n`
        : `${lines === '' ? 'nothing has changed yet' : lines}\n`,
    );
    return exitCode.ok;
  });
}

async function showChange(id: string, options: VaultOptions): Promise<ExitCode> {
  return withKeepsake(options, async ({ changes }) => {
    const found = changes.find(id);
    if (found === null) return decideNothing(options);
    const diffs = await found.diffs();
    const texts = diffs.map(({ diff }) => diff);
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify({ ...found.entry, diffs: texts }, null, 2)}\n`
        : `${[describeChange({ ...found.entry, paths: diffs.map(({ path }) => path) }), ...texts].join('\n\n')}\n`,
    );
    return exitCode.ok;
  });
}

function decideNothing({ json }: VaultOptions): ExitCode {
  const unknown = explainOutcome({ kind: 'unknown' });
  return unknown.kind === 'failed' ? showOutcome(failedOutcome(unknown), json) : exitCode.errors;
}

async function decide(
  options: VaultOptions,
  id: string,
  done: string,
  work: (changes: Changes) => Promise<Undone>,
): Promise<ExitCode> {
  return withKeepsake(options, async ({ changes }) => {
    const outcome = explainOutcome(await work(changes));
    if (outcome.kind === 'failed') return showOutcome(failedOutcome(outcome), options.json);
    const change = outcome.kind === 'made' ? outcome.change : null;
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify({ id, ...(change !== null && { as: change }) })}\n`
        : `${done}${change === null ? '' : `; take that back with: keepsake undo ${change.slice(0, 8)}`}\n`,
    );
    return exitCode.ok;
  });
}

/** `2025-07-14 18:30  3f2c91aa  edited vault/tasks.md (keepsake edit)`; what is not simply done says so. */
function describeChange({
  id,
  at,
  origin,
  summary,
  state,
  paths,
}: JournalEntry & { paths: readonly string[] }): string {
  const others =
    paths.length > 1
      ? `, ${paths.length} files: ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''}`
      : '';
  return `${showTime(localTime(at))}  ${id.slice(0, 8)}  ${state === 'applied' ? '' : `[${state}] `}${summary} (${origin}${others})`;
}
