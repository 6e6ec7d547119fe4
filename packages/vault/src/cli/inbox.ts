import type { Command } from 'commander';
import type { InboxEntry } from '../agents/index.ts';
import { localTime } from '../contract/index.ts';
import { showTime } from '../vault/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { handOver } from './hand-over.ts';
import { print } from './show-outcome.ts';

export function inboxCommand(cli: Cli): Command {
  const command = vaultCommand('inbox')
    .enablePositionalOptions()
    .summary('see what waits for you')
    .description('Questions of the update agent, and changes that need your approval.')
    .action(async (options: VaultOptions) => {
      const waiting = await withKeepsake(cli, options, (keepsake) => keepsake.inbox());
      const text = waiting.length === 0 ? 'nothing waits for you' : waiting.map(describe).join('\n\n');
      print(cli, text, { waiting }, options);
      cli.finish(exitCode.ok);
    });
  const answer = vaultCommand('answer')
    .summary('answer a question')
    .argument('<item>', 'as keepsake inbox lists it')
    .argument('<text...>', 'your answer')
    .option('--wait', 'work on it now and show what happens')
    .action(async (item: string, text: string[], _: unknown, called: Command) => {
      const options: VaultOptions & { wait?: boolean } = called.optsWithGlobals();
      const source = { kind: 'person' as const, name: 'keepsake inbox answer' };
      const input = { text: text.join(' '), files: [], source, inboxRef: item };
      cli.finish(await handOver(cli, input, options));
    });
  command.addCommand(examples(answer, ['inbox answer 2025-07-14-call "It belongs to startup-x" --wait']));
  return examples(command, ['inbox', 'inbox answer 2025-07-14-call "It belongs to startup-x"']);
}

function describe(waiting: InboxEntry): string {
  if (waiting.kind === 'question')
    return `${waiting.item}\n${indent(waiting.review)}\n  → keepsake inbox answer ${waiting.item} "…"`;
  const { id, at, summary, paths } = waiting;
  const short = id.slice(0, 8);
  return `${showTime(localTime(at))}  ${short}  needs your approval\n${indent([summary, ...paths].join('\n'))}\n  → keepsake show ${short}, keepsake approve ${short}, keepsake reject ${short}`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
