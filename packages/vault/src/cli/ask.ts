import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { isUnproven } from '../contract/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { foldAnswer } from './fold-answer.ts';
import { withInterrupt, withStepOutput } from './show-live.ts';
import { printResult } from './print-outcome.ts';
import { withProgressBar } from './show-progress.ts';

export function askCommand(cli: Cli): Command {
  const command = vaultCommand('ask')
    .summary('ask a question and get the source lines that answer it')
    .description(
      'Ask the search agent. Prints a short overview, then the source lines verbatim; [2] refers to the block with this number. Progress goes to standard error, the answer to standard output. On a terminal, source lines after the 15th are folded. Exits with 3 when the answer claims something without citing a line; that the vault does not contain it is an answer. Without a model, prints what keepsake find finds.',
    )
    .argument('<question...>')
    .option('--all', 'show all source lines on a terminal')
    .action(async (words: string[], options: VaultOptions & { all?: boolean }) => {
      await withKeepsake(cli, options, async (keepsake) => {
        await withProgressBar(cli, 'indexing', (onProgress) => keepsake.search.prepare('fast', onProgress));
        const answer = await withInterrupt(cli, (signal) =>
          withStepOutput(cli, keepsake, () => askOrFind(keepsake, words.join(' '), signal)),
        );
        const isFolded = cli.stdout.isTTY === true && options.all !== true;
        printResult(cli, isFolded ? foldAnswer(answer.document) : answer.document, answer, options);
        cli.finish(isUnproven(answer) ? exitCode.uncited : exitCode.ok);
      });
    });
  return withExamples(command, [
    'ask "why did we drop the external API?"',
    'ask "what is due this week?" > answer.md && keepsake verify answer.md',
  ]);
}

/** Answers with the agent, or with the lines that fast search finds if no model is configured. */
async function askOrFind(
  keepsake: Keepsake,
  question: string,
  signal: AbortSignal,
): ReturnType<Keepsake['findLines']> {
  try {
    return await keepsake.agents.ask(question, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'no-model') throw error;
    return keepsake.findLines(question);
  }
}
