import type { Command } from 'commander';
import type { KeywordReason } from '../agents/index.ts';
import { AppError, configuredModelName, resolveAgentModel } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { isUnproven } from '../contract/index.ts';
import type { Answer } from '../contract/index.ts';
import { ModelError } from '../models/index.ts';
import { withVaultAsOf } from './as-of.ts';
import { parseDay, withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { foldAnswer } from './fold-answer.ts';
import { formatAsOf } from './format-as-of.ts';
import { withInterrupt, withStepOutput } from './show-live.ts';
import { prepareSearch } from './prepare-search.ts';
import { printResult, reportError } from './print-outcome.ts';
import { noteWaitingUpdates } from './note-waiting-updates.ts';

type AskOptions = VaultOptions & { all?: boolean; asOf?: string };

export function askCommand(cli: Cli): Command {
  const command = vaultCommand('ask')
    .summary('ask a question and get the source lines that answer it')
    .description(
      'Ask the search agent. Prints a short overview, then the source lines verbatim; [2] refers to the second block. Progress goes to standard error, the answer to standard output. On a terminal, source lines after the 15th are folded. Exits with 3 when the answer claims something without citing a line; that the vault does not contain it is an answer. Without a model, or if it does not answer (exit code 1), prints what keepsake find finds.',
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
    const asked = await withInterrupt(cli, (signal) =>
      withStepOutput(cli, keepsake, () => askOrFind(cli, keepsake, question, signal)),
    );
    const { answer } = asked;
    const isFolded = cli.stdout.isTTY === true && options.all !== true;
    printResult(cli, isFolded ? foldAnswer(answer.document) : answer.document, answer, options);
    finish(cli, asked);
  });
}

type Asked = { answer: Answer; hasFailed: boolean };

/** Answers with the agent, or with the lines that fast search finds if no model is configured or it does not answer. */
async function askOrFind(
  cli: Cli,
  keepsake: Keepsake,
  question: string,
  signal: AbortSignal,
): Promise<Asked> {
  return askOr(cli, signal, {
    ask: () => keepsake.agents.ask(question, signal),
    find(reason) {
      noteWaitingUpdates(cli, keepsake);
      return keepsake.findLines(question, undefined, reason);
    },
  });
}

type AskOr = { ask: () => Promise<Answer>; find: (reason: KeywordReason) => Promise<Answer> };

async function askOr(cli: Cli, signal: AbortSignal, { ask, find }: AskOr): Promise<Asked> {
  try {
    return { answer: await ask(), hasFailed: false };
  } catch (error) {
    if (error instanceof AppError && error.code === 'no-model') {
      const isConfigured = configuredModelName(cli.environment) !== undefined;
      // Without any, the first line of the answer says how to choose one.
      if (isConfigured) reportError(cli, error);
      return { answer: await find('no-model'), hasFailed: isConfigured };
    }
    if (!(error instanceof ModelError) || signal.aborted) throw error;
    reportError(cli, error);
    return { answer: await find('no-response'), hasFailed: true };
  }
}

/** All lines are shown, because `keepsake read` could not show the rest of a folded block as of that day. */
function answerAsOf(cli: Cli, question: string, options: AskOptions & { asOf: string }): Promise<void> {
  const { environment } = cli;
  const { asOf } = options;
  const isForModel = !('missing' in resolveAgentModel(environment));
  return withVaultAsOf(cli, { ...options, isForModel }, async ({ keepsake, past, signal }) => {
    const asked = await withStepOutput(cli, keepsake, () =>
      askOr(cli, signal, {
        // The agent of today answers, so that its cost counts towards the limits of the vault.
        ask: () =>
          keepsake.agents.ask(question, signal, {
            past: { run: past.keepsake.restricted.readRun('model'), clock: past.clock },
          }),
        find: (reason) => past.keepsake.findLines(question, undefined, reason),
      }),
    );
    const { answer } = asked;
    const document = `${formatAsOf(asOf, environment.language)}\n\n${answer.document}`;
    printResult(cli, document, { ...answer, asOf, document }, options);
    finish(cli, asked);
  });
}

function finish(cli: Cli, { answer, hasFailed }: Asked): void {
  cli.finish(hasFailed ? exitCode.errors : isUnproven(answer) ? exitCode.uncited : exitCode.ok);
}
