import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { AppError, chooseAgentModel } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import { describeError, localTime } from '../../../vault/src/contract/index.ts';
import {
  demoVault,
  examples,
  exitCode,
  parseJson,
  showProgress,
  wholeNumber,
} from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import {
  baselineNames,
  compareRuns,
  evaluateAnswers,
  evaluateFiling,
  evaluateRetrieval,
  parseRun,
  scenarioSets,
  showRun,
} from '../eval/index.ts';
import type {
  BaselineName,
  EvaluationRow,
  EvaluationRun,
  Figures,
  Part,
  ScenarioSet,
  Who,
} from '../eval/index.ts';

type RetrievalOptions = {
  data?: string;
  mode: 'fast' | 'deep';
  with?: string;
  limit?: number;
  part?: Part;
  state?: string;
  json?: boolean;
};

export function evaluationCommands(cli: Cli): Command[] {
  return [retrievalCommand(cli), filingCommand(cli), answersCommand(cli), compareCommand(cli)];
}

function retrievalCommand(cli: Cli): Command {
  const command = new Command('retrieval')
    .summary('how often a search finds the lines that answer a question')
    .description('Asks every question of a set and compares what is found with the lines that answer it.')
    .option(
      '--data <folder>',
      'a folder with vault/ and queries.jsonl (default: what comes with this program)',
    )
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
    .action(async ({ json, data = packed('own'), ...options }: RetrievalOptions) => {
      const figures = await showProgress(cli, 'asking', (onProgress) =>
        evaluateRetrieval({
          ...options,
          data: cli.environment.resolve(data),
          with: options.with && cli.environment.resolve(options.with),
          environment: cli.environment,
          onProgress,
        }),
      );
      cli.stdout.write(json === true ? `${JSON.stringify(figures)}\n` : `${table(figures)}\n`);
      cli.finish(exitCode.ok);
    });
  return examples(command, ['retrieval', 'retrieval --data my-questions --mode deep']);
}

type AgentOptions = {
  data?: string;
  only?: string;
  runs?: number;
  save?: string;
  json?: boolean;
};
type FilingOptions = AgentOptions & { set?: ScenarioSet; baseline?: BaselineName; solutions?: boolean };
type AnswersOptions = AgentOptions & { vault?: string };

/** What comes with Keepsake to measure it with. */
const packed = (name: string): string => fileURLToPath(new URL(`../../data/${name}`, import.meta.url));

function filingCommand(cli: Cli): Command {
  const command = agentEvaluation('filing')
    .summary('how well the update agent files')
    .description(
      'Files the inputs of every scenario with the configured model and compares the vault with what is expected. See docs/benchmark.md for what is measured.',
    )
    .option(
      '--data <folder>',
      'a folder with scenarios/, sequences/, vaults/, inputs/ and solutions/ (default: what comes with this program)',
    )
    .addOption(
      new Option('--set <set>', 'only single scenarios, or only long sequences').choices([...scenarioSets]),
    )
    .addOption(
      new Option('--baseline <name>', 'without a model: what simple ways of filing are worth')
        .choices([...baselineNames])
        .conflicts('solutions'),
    )
    .option('--solutions', 'without a model: follow the solution of every scenario, which must pass')
    .action(
      async ({ save, json, baseline, solutions, data = packed('filing'), ...options }: FilingOptions) => {
        trySaving(cli, save);
        const who: Who = baseline ?? (solutions === true ? 'solutions' : 'model');
        const { environment } = cli;
        const { model, hasPrices } =
          who === 'model' ? chosenModel(environment) : { model: who, hasPrices: false };
        const rows = await showProgress(cli, 'filing', (onProgress) =>
          evaluateFiling({
            ...options,
            data: environment.resolve(data),
            who,
            environment,
            hasPrices,
            onProgress,
          }),
        );
        report(cli, { format: 2, kind: 'filing', model, at: localTime(Date.now()), rows }, { save, json });
        const isBad = (row: EvaluationRow): boolean =>
          who === 'solutions' ? !row.strict : who === 'model' && row.failed.includes('settled');
        cli.finish(rows.some(isBad) ? exitCode.errors : exitCode.ok);
      },
    );
  return examples(command, [
    'filing --runs 3 --save one.json',
    'filing --set sequences',
    'filing --only inbox',
    'filing --baseline raw-log',
  ]);
}

function answersCommand(cli: Cli): Command {
  const command = agentEvaluation('answers')
    .summary('how well the search agent answers')
    .description('Asks the configured model every question and compares its lines with those that answer it.')
    .option('--data <folder>', 'a folder with questions.jsonl (default: what comes with this program)')
    .option('--vault <folder>', 'the vault that the questions are about (default: that of keepsake demo)')
    .action(
      async ({ save, json, data = packed('answers'), vault = demoVault, ...options }: AnswersOptions) => {
        trySaving(cli, save);
        const { environment } = cli;
        const { model, hasPrices } = chosenModel(environment);
        const rows = await showProgress(cli, 'answers', (onProgress) =>
          evaluateAnswers({
            ...options,
            questions: join(environment.resolve(data), 'questions.jsonl'),
            vault: environment.resolve(vault),
            environment,
            hasPrices,
            onProgress,
          }),
        );
        report(cli, { format: 2, kind: 'answers', model, at: localTime(Date.now()), rows }, { save, json });
        cli.finish(rows.some(({ failed }) => failed.length > 0) ? exitCode.errors : exitCode.ok);
      },
    );
  return examples(command, ['answers --save one.json']);
}

function compareCommand(cli: Cli): Command {
  const command = new Command('compare')
    .summary('compare two runs that were saved')
    .argument('<first>', 'a file written with --save')
    .argument('<second>', 'another')
    .action((...files: string[]) => {
      const [first, second] = files.slice(0, 2).map((file) => readRun(cli, file));
      if (first && second) cli.stdout.write(`${compareRuns(first, second)}\n`);
      cli.finish(exitCode.ok);
    });
  return examples(command, ['compare one.json two.json']);
}

function agentEvaluation(kind: EvaluationRun['kind']): Command {
  return new Command(kind)
    .option('--only <part>', 'only those whose id has this in it')
    .addOption(
      new Option('--runs <n>', 'do everything so many times: models answer differently each time').argParser(
        wholeNumber,
      ),
    )
    .option('--save <file>', 'keep the run, to compare it with another: keepsake-benchmark compare')
    .option('--json', 'print the run for programs');
}

function chosenModel(environment: Environment): { model: string; hasPrices: boolean } {
  const chosen = chooseAgentModel(environment);
  if ('missing' in chosen) throw chosen.missing;
  return { model: chosen.model.name, hasPrices: chosen.prices !== null };
}

function report(
  { stdout, environment }: Cli,
  run: EvaluationRun,
  { save, json }: { save: string | undefined; json: boolean | undefined },
): void {
  if (run.rows.length === 0)
    throw new AppError('bad-input', 'there is nothing to measure', {
      mend: 'check what --data, --set and --only leave, and that --runs is not 0',
    });
  const text = JSON.stringify(run, null, 2);
  // A run costs time and money: it is seen also when it cannot be kept.
  stdout.write(`${json === true ? text : showRun(run)}\n`);
  if (save !== undefined) writeFileSync(environment.resolve(save), `${text}\n`);
}

/** That a run can be kept is tried before it is paid for. */
function trySaving({ environment }: Cli, save: string | undefined): void {
  if (save === undefined) return;
  const file = environment.resolve(save);
  const isNew = !existsSync(file);
  try {
    appendFileSync(file, '');
  } catch (error) {
    throw new AppError('bad-input', `the run cannot be kept in ${save}: ${describeError(error)}`, {
      mend: 'name a file with --save that can be written',
      cause: error,
    });
  }
  if (isNew) rmSync(file);
}

function readRun(cli: Cli, file: string): EvaluationRun {
  const run = parseRun(parseJson(readSaved(cli, file)));
  if ('problem' in run) throw new AppError('bad-input', `${file} ${run.problem}`);
  return run;
}

function readSaved({ environment }: Cli, file: string): string {
  try {
    return readFileSync(environment.resolve(file), 'utf8');
  } catch (error) {
    throw new AppError('bad-input', `${file} cannot be read: ${describeError(error)}`, {
      mend: 'name two files that were written with --save',
      cause: error,
    });
  }
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
