import type { Command } from 'commander';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { interruptible, showSteps } from './live.ts';
import { print } from './show-outcome.ts';
import { showProgress } from './show-progress.ts';

export function askCommand(cli: Cli): Command {
  const command = vaultCommand('ask')
    .summary('ask a question and get the lines that answer it')
    .description(
      'The search agent looks for the answer: some lines of orientation, then source lines word for word. The steps go to standard error, the document to standard output. When nothing in the vault was cited, it says so and exits with 3.',
    )
    .argument('<question...>')
    .action(async (words: string[], options: VaultOptions) => {
      await withKeepsake(cli, options, async (keepsake) => {
        await showProgress(cli, 'indexing', (tell) => keepsake.search.prepare('fast', tell));
        const answer = await interruptible(cli, (signal) =>
          showSteps(cli, keepsake, () => keepsake.agents.ask(words.join(' '), signal)),
        );
        print(cli, answer.document, answer, options);
        cli.finish(answer.isCited ? exitCode.ok : exitCode.uncited);
      });
    });
  return examples(command, [
    'ask "why did we drop the external API?"',
    'ask "what is due this week?" > answer.md && keepsake verify answer.md',
  ]);
}
