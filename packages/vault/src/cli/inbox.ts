import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { InboxItem } from '../agents/index.ts';
import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { formatLocalTime, inboxChoice } from '../contract/index.ts';
import type { InboxChoice } from '../contract/index.ts';
import { formatTime } from '../vault/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { submitUpdate } from './submit-update.ts';
import { unknownItemError } from './print-accepted.ts';
import { escapeForTerminal, printResult } from './print-outcome.ts';

export function inboxCommand(cli: Cli): Command {
  const command = vaultCommand('inbox')
    .enablePositionalOptions()
    .summary('show questions and changes awaiting your decision')
    .description('Show the questions of the update agent and the changes that need your approval.')
    .action(async (options: VaultOptions) => {
      const { waiting, answers } = await withKeepsake(cli, options, async (keepsake) => ({
        waiting: await keepsake.inbox(),
        answers: listWaitingAnswers(keepsake),
      }));
      const text =
        waiting.length === 0
          ? 'the inbox is empty'
          : waiting.map((item) => describe(item, answers)).join('\n\n');
      printResult(cli, text, { waiting }, options);
      cli.finish(exitCode.ok);
    });
  const answer = vaultCommand('answer')
    .summary('answer a question')
    .argument('<item>', 'item from keepsake inbox')
    .argument('[text...]', 'your answer')
    .option('--mine', 'conflict: keep the version of this machine')
    .option('--theirs', 'conflict: keep the other version')
    .option('--both', 'conflict: keep both versions')
    .option('--note', 'keep its text as a note in the bucket')
    .option('--drop', 'drop it; its text stays in history')
    .option('--wait', 'file it now and show progress')
    .action(async (item: string, text: string[], _: unknown, called: Command) => {
      const options: AnswerOptions = called.optsWithGlobals();
      const flags = inboxChoice.options.filter((each) => options[each] === true);
      if (flags.length > 1 || (flags.length > 0 && text.length > 0))
        throw new AppError('bad-input', 'give one answer: a text or one of the flags');
      const choice = flags[0] ?? (text.length === 0 ? await askForChoice(cli, item, options) : undefined);
      const source = { kind: 'person' as const, name: 'keepsake inbox answer' };
      const input = { text: choice ?? text.join(' '), files: [], source, inboxRef: item };
      cli.finish(await submitUpdate(cli, { ...input, ...(choice !== undefined && { choice }) }, options));
    });
  command.addCommand(
    withExamples(answer, [
      'inbox answer 2025-07-14-call "It belongs to startup-x" --wait',
      'inbox answer 2025-07-14-plan-3f2c91aa --theirs',
    ]),
  );
  return withExamples(command, ['inbox', 'inbox answer 2025-07-14-call "It belongs to startup-x"']);
}

type AnswerOptions = VaultOptions & { wait?: boolean } & { [choice in InboxChoice]?: boolean };

/** Asks for a letter on a terminal; elsewhere the choice is a flag. */
async function askForChoice(cli: Cli, item: string, options: VaultOptions): Promise<InboxChoice> {
  const waiting = await withKeepsake(cli, options, (keepsake) => keepsake.inbox());
  const found = waiting.find((each) => each.kind === 'question' && each.item === item);
  if (found?.kind !== 'question') throw unknownItemError(item);
  const flags = found.choices.map((choice) => `--${choice}`).join(', ');
  const stdin = cli.stdin();
  if (stdin.isTTY !== true || found.choices.length === 0)
    throw new AppError('bad-input', 'no answer was given', {
      hint: `pass a text${flags === '' ? '' : ` or one of ${flags}`}`,
    });
  cli.stderr.write(`${escapeForTerminal(describe(found), cli.stderr)}\n\n`);
  const letters = found.choices.map((choice) => `${choice[0]} = ${choiceWords[choice]}`).join(', ');
  const lines = createInterface({ input: stdin, output: cli.stderr, terminal: false });
  try {
    const letter = (await lines.question(`${letters}: `)).trim().toLowerCase();
    const choice = found.choices.find((each) => letter !== '' && each.startsWith(letter));
    if (choice === undefined) throw new AppError('bad-input', 'no choice was made; nothing was changed');
    return choice;
  } finally {
    lines.close();
  }
}

const choiceWords: Record<InboxChoice, string> = {
  mine: 'keep mine',
  theirs: 'keep theirs',
  both: 'keep both',
  note: 'keep it as a note',
  drop: 'drop it',
};

/** The answers that no one has filed yet, by item. */
function listWaitingAnswers({ agents: { updates } }: Keepsake): ReadonlyMap<string, string> {
  const open = (['waiting', 'running'] as const).flatMap((state) => updates.list({ state, limit: 1_000 }));
  return new Map(
    open.flatMap(({ input: { inboxRef, text } }) => (inboxRef === undefined ? [] : [[inboxRef, text]])),
  );
}

function describe(waiting: InboxItem, answers: ReadonlyMap<string, string> = new Map()): string {
  if (waiting.kind === 'question') {
    const { item, review, choices, versions } = waiting;
    const shown =
      versions === null
        ? []
        : [`  mine:\n${indent(indent(versions.mine))}`, `  theirs:\n${indent(indent(versions.theirs))}`];
    const flags = choices.map((choice) => `--${choice}`).join(' | ');
    const choose = flags === '' ? '' : `, or without a model: ${flags}`;
    const answer = answers.get(item);
    const given =
      answer === undefined ? [] : [`  answered, waits to be filed: ${answer.trim().split('\n', 1).join()}`];
    const next = `  → keepsake inbox answer ${item} "…"${choose}`;
    return [`${item}\n${indent(review)}`, ...shown, ...given, next].join('\n');
  }
  const { id, at, summary, paths } = waiting;
  const short = id.slice(0, 8);
  return `${formatTime(formatLocalTime(at))}  ${short}  needs your approval\n${indent([summary, ...paths].join('\n'))}\n  → keepsake show ${short}, keepsake approve ${short}, keepsake reject ${short}`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
