import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { AppError, chooseAgentModel, readEnvironment } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { localTime } from '../contract/index.ts';
import {
  compareRuns,
  evaluateAnswers,
  evaluateFiling,
  evaluateRetrieval,
  evaluationRun,
  showRun,
} from '../eval/index.ts';
import type { EvaluationRow, EvaluationRun, Figures, Part } from '../eval/index.ts';
import { examples, wholeNumber } from './command.ts';
import type { Finish } from './command.ts';
import { demoVault } from './demo.ts';
import { generateCommand } from './eval-generate.ts';
import { exitCode } from './exit-code.ts';
import { parseJson } from './parse-json.ts';
import { showProgress } from './show-progress.ts';

type RetrievalOptions = {
  data: string;
  mode: 'fast' | 'deep';
  with?: string;
  limit?: number;
  part?: Part;
  state?: string;
  json?: boolean;
};

export function evalCommand(finish: Finish): Command {
  const retrieval = new Command('retrieval')
    .summary('how often a search finds the lines that answer a question')
    .description('Asks every question of a set and compares what is found with the lines that answer it.')
    .requiredOption('--data <folder>', 'a folder with vault/ and queries.jsonl')
    .addOption(new Option('--mode <mode>', 'how to search').choices(['fast', 'deep']).default('fast'))
    .addOption(new Option('--limit <n>', 'only so many questions, spread over all').argParser(wholeNumber))
    .addOption(
      new Option('--part <part>', 'every other question: those to tune with, or those held out').choices([
        'tuning',
        'held-out',
      ]),
    )
    .option('--with <folder>', 'mix the vault of another such folder in, as distraction')
    .option('--state <folder>', 'keep the index there (default: thrown away)')
    .option('--json', 'print the figures for programs')
    .action(async ({ json, ...options }: RetrievalOptions) => {
      const figures = await showProgress('asking', (onProgress) =>
        evaluateRetrieval({ ...options, environment: readEnvironment(), onProgress }),
      );
      process.stdout.write(json === true ? `${JSON.stringify(figures)}\n` : `${table(figures)}\n`);
      finish(exitCode.ok);
    });
  examples(retrieval, [
    'eval retrieval --data my-questions',
    'eval retrieval --data my-questions --mode deep',
  ]);
  const command = new Command('eval').summary('measure how well Keepsake does').addCommand(retrieval);
  for (const each of [filingCommand(finish), answersCommand(finish), compareCommand(finish)])
    command.addCommand(each);
  command.addCommand(generateCommand(finish));
  return command;
}

type AgentOptions = { data: string; only?: string; vault?: string; save?: string; json?: boolean };
type Evaluation = Pick<AgentOptions, 'data' | 'only' | 'vault'> & {
  environment: Environment;
  hasPrices: boolean;
  onProgress: (done: number, total: number) => void;
};

function filingCommand(finish: Finish): Command {
  const command = agentEvaluation('filing', finish, evaluateFiling)
    .summary('how well the update agent files')
    .description(
      'Files the inputs of every scenario with the configured model and compares the vault with what is expected.',
    )
    .requiredOption('--data <folder>', 'a folder with scenarios/, vaults/ and inputs/');
  return examples(command, [
    'eval filing --data eval-data/filing --save one.json',
    'eval filing --data eval-data/filing --only inbox',
  ]);
}

function answersCommand(finish: Finish): Command {
  const command = agentEvaluation('answers', finish, ({ data, vault, ...options }) =>
    evaluateAnswers({ ...options, questions: join(data, 'questions.jsonl'), vault: vault ?? demoVault }),
  )
    .summary('how well the search agent answers')
    .description('Asks the configured model every question and compares its lines with those that answer it.')
    .requiredOption('--data <folder>', 'a folder with questions.jsonl')
    .option('--vault <folder>', 'the vault that the questions are about (default: that of keepsake demo)');
  return examples(command, ['eval answers --data eval-data/answers --save one.json']);
}

function compareCommand(finish: Finish): Command {
  const command = new Command('compare')
    .summary('compare two runs that were saved')
    .argument('<first>', 'a file written with --save')
    .argument('<second>', 'another')
    .action((...files: string[]) => {
      const [first, second] = files.slice(0, 2).map(readRun);
      if (first && second) process.stdout.write(`${compareRuns(first, second)}\n`);
      finish(exitCode.ok);
    });
  return examples(command, ['eval compare one.json two.json']);
}

/** The options are added by whoever calls. */
function agentEvaluation(
  kind: EvaluationRun['kind'],
  finish: Finish,
  evaluate: (options: Evaluation) => Promise<EvaluationRow[]>,
): Command {
  return new Command(kind)
    .option('--only <part>', 'only those whose id has this in it')
    .option('--save <file>', 'keep the run, to compare it with another: keepsake eval compare')
    .option('--json', 'print the run for programs')
    .action(async ({ save, json, ...options }: AgentOptions) => {
      const environment = readEnvironment();
      const chosen = chooseAgentModel(environment);
      if ('missing' in chosen) throw chosen.missing;
      const hasPrices = chosen.prices !== null;
      const rows = await showProgress(kind, (onProgress) =>
        evaluate({ ...options, environment, hasPrices, onProgress }),
      );
      const run = { kind, model: chosen.model.name, at: localTime(Date.now()), rows };
      const text = JSON.stringify(run, null, 2);
      if (save !== undefined) writeFileSync(save, `${text}\n`);
      process.stdout.write(`${json === true ? text : showRun(run)}\n`);
      finish(rows.every(({ score }) => score > 0) ? exitCode.ok : exitCode.errors);
    });
}

function readRun(file: string): EvaluationRun {
  const parsed = evaluationRun.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new AppError('bad-input', `${file} is not a run that was saved with --save`);
  return parsed.data;
}

function table(figures: Figures): string {
  const rows: [string, string][] = [
    ['questions', String(figures.questions)],
    ['recall@1', figures.recallAt1.toFixed(3)],
    ['recall@5', figures.recallAt5.toFixed(3)],
    ['recall@10', figures.recallAt10.toFixed(3)],
    ['mean reciprocal rank', figures.meanReciprocalRank.toFixed(3)],
    ['recall within 2,000 tokens', figures.recallWithin2000Tokens.toFixed(3)],
    ['tokens shown', figures.tokensShown.toFixed(0)],
    ['results shown', figures.resultsShown.toFixed(1)],
    ['ms per query', figures.millisecondsPerQuery.toFixed(1)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(28)}${value}`).join('\n');
}
