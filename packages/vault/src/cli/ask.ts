import type { Command } from 'commander';
import { AppError, resolveAgentModel } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { isUnproven } from '../contract/index.ts';
import type { Answer } from '../contract/index.ts';
import { pluralize } from '../vault/index.ts';
import { withVaultAsOf } from './as-of.ts';
import { parseDay, withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { foldAnswer } from './fold-answer.ts';
import { formatAsOf } from './format-as-of.ts';
import { withInterrupt, withStepOutput } from './show-live.ts';
import { prepareSearch } from './prepare-search.ts';
import { note, printResult } from './print-outcome.ts';

type AskOptions = VaultOptions & { all?: boolean; asOf?: string };

export function askCommand(cli: Cli): Command {
  const command = vaultCommand('ask')
    .summary('ask a question and get the source lines that answer it')
    .description(
      'Ask the search agent. Prints a short overview, then the source lines verbatim; [2] refers to the block with this number. Progress goes to standard error, the answer to standard output. On a terminal, source lines after the 15th are folded. Exits with 3 when the answer claims something without citing a line; that the vault does not contain it is an answer. Without a model, prints what keepsake find finds.',
    )
    .argument('<question...>')
    .option('--all', 'show all source lines on a terminal')
    .option('--as-of <day>', 'answer from the vault as it was at the end of this day, by history', parseDay)
    .action(async (words: string[], options: AskOptions) => {
      const question = words.join(' ');
      if (options.asOf === undefined) await answerNow(cli, question, options);
      else await answerAsOf(cli, question, { ...options, asOf: options.asOf });
    });
  return withExamples(command, [
    'ask "why did we drop the external API?"',
    'ask "what is due this week?" > answer.md && keepsake verify answer.md',
    'ask "which API do we use?" --as-of 2025-07-01',
  ]);
}

function answerNow(cli: Cli, question: string, options: AskOptions): Promise<void> {
  return withKeepsake(cli, options, async (keepsake) => {
    await prepareSearch(cli, keepsake);
    const answer = await withInterrupt(cli, (signal) =>
      withStepOutput(cli, keepsake, () => askOrFind(cli, keepsake, question, signal)),
    );
    const isFolded = cli.stdout.isTTY === true && options.all !== true;
    printResult(cli, isFolded ? foldAnswer(answer.document) : answer.document, answer, options);
    finish(cli, answer);
  });
}

/** Answers with the agent, or with the lines that fast search finds if no model is configured. */
async function askOrFind(
  cli: Cli,
  keepsake: Keepsake,
  question: string,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await keepsake.agents.ask(question, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'no-model') throw error;
    const { waiting } = keepsake.agents.updates.counts();
    if (error.hint !== undefined) note(cli, error.hint);
    if (waiting > 0)
      note(cli, `${pluralize(waiting, 'update')} not filed yet and not searched; see: keepsake updates`);
    return keepsake.findLines(question);
  }
}

/** All lines are shown, because `keepsake read` could not show the rest of a folded block as of that day. */
function answerAsOf(cli: Cli, question: string, options: AskOptions & { asOf: string }): Promise<void> {
  const { environment } = cli;
  const { asOf } = options;
  const isForModel = !('missing' in resolveAgentModel(environment));
  return withVaultAsOf(cli, { ...options, isForModel }, async ({ keepsake, past, signal }) => {
    // The agent of today answers, so that its cost counts towards the limits of the vault.
    const ask = (): Promise<Answer> =>
      keepsake.agents.ask(question, signal, {
        past: { run: past.keepsake.restricted.readRun('model'), clock: past.clock },
      });
    const answer = isForModel
      ? await withStepOutput(cli, keepsake, ask)
      : await past.keepsake.findLines(question);
    const document = `${formatAsOf(asOf, environment.language)}\n\n${answer.document}`;
    printResult(cli, document, { ...answer, asOf, document }, options);
    finish(cli, answer);
  });
}

function finish(cli: Cli, answer: Answer): void {
  cli.finish(isUnproven(answer) ? exitCode.uncited : exitCode.ok);
}
