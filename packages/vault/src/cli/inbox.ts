import type { Command } from 'commander';
import type { InboxItem } from '../agents/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { formatTime } from '../vault/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { submitUpdate } from './submit-update.ts';
import { printResult } from './print-outcome.ts';

export function inboxCommand(cli: Cli): Command {
  const command = vaultCommand('inbox')
    .enablePositionalOptions()
    .summary('show questions and changes awaiting your decision')
    .description('Show the questions of the update agent and the changes that need your approval.')
    .action(async (options: VaultOptions) => {
      const waiting = await withKeepsake(cli, options, (keepsake) => keepsake.inbox());
      const text = waiting.length === 0 ? 'the inbox is empty' : waiting.map(describe).join('\n\n');
      printResult(cli, text, { waiting }, options);
      cli.finish(exitCode.ok);
    });
  const answer = vaultCommand('answer')
    .summary('answer a question')
    .argument('<item>', 'item from keepsake inbox')
    .argument('<text...>', 'your answer')
    .option('--wait', 'file it now and show progress')
    .action(async (item: string, text: string[], _: unknown, called: Command) => {
      const options: VaultOptions & { wait?: boolean } = called.optsWithGlobals();
      const source = { kind: 'person' as const, name: 'keepsake inbox answer' };
      const input = { text: text.join(' '), files: [], source, inboxRef: item };
      cli.finish(await submitUpdate(cli, input, options));
    });
  command.addCommand(withExamples(answer, ['inbox answer 2025-07-14-call "It belongs to startup-x" --wait']));
  return withExamples(command, ['inbox', 'inbox answer 2025-07-14-call "It belongs to startup-x"']);
}

function describe(waiting: InboxItem): string {
  if (waiting.kind === 'question')
    return `${waiting.item}\n${indent(waiting.review)}\n  → keepsake inbox answer ${waiting.item} "…"`;
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
