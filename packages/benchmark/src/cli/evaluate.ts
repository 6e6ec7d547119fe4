import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { AppError, resolveAgentModel } from '../../../vault/src/app/index.ts';
import type { Environment } from '../../../vault/src/app/index.ts';
import { describeError, formatLocalTime } from '../../../vault/src/contract/index.ts';
import {
  demoVault,
  withExamples,
  exitCode,
  parseJson,
  withProgressBar,
  parseInteger,
} from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { startCard } from './write-card.ts';
import { addSystemOptions, systemFactory } from './system-options.ts';
import type { SystemOptions } from './system-options.ts';
import {
  baselineNames,
  compareRuns,
  evaluateAnswers,
  evaluateFiling,
  evaluateSystemAnswers,
  evaluateSystemFiling,
  parseRun,
  scenarioSets,
  formatRun,
} from '../eval/index.ts';
import type {
  BaselineName,
  EvaluationRow,
  EvaluationRun,
  ScenarioSet,
  SystemDescription,
  SystemName,
} from '../eval/index.ts';
import { bundledData } from './bundled-data.ts';

export function evaluationCommands(cli: Cli): Command[] {
  return [filingCommand(cli), answersCommand(cli), compareCommand(cli)];
}

type AgentOptions = {
  data?: string;
  only?: string;
  runs?: number;
  save?: string;
  json?: boolean;
};
type FilingOptions = AgentOptions &
  SystemOptions & { set?: ScenarioSet; baseline?: BaselineName; solutions?: boolean };
type AnswersOptions = AgentOptions & SystemOptions & { vault?: string };

function filingCommand(cli: Cli): Command {
  const command = addSystemOptions(agentEvaluation('filing'))
    .summary('measure how well the update agent files')
    .description(
      'File the inputs of every scenario with the configured model and compare the vault with the expected one. See docs/benchmark.md for what is measured.',
    )
    .option(
      '--data <folder>',
      'folder with scenarios/, sequences/, vaults/, inputs/ and solutions/ (default: the bundled data)',
    )
    .addOption(
      new Option('--set <set>', 'run only single scenarios, or only long sequences').choices([
        ...scenarioSets,
      ]),
    )
    .addOption(
      new Option('--baseline <name>', 'run a simple baseline instead of a model')
        .choices([...baselineNames])
        .conflicts(['solutions', 'system']),
    )
    .option('--solutions', 'replay the reference solutions instead of a model (all must pass)')
    .action(
      async ({
        save,
        json,
        baseline,
        solutions,
        data = bundledData('filing'),
        ...options
      }: FilingOptions) => {
        assertWritable(cli, save);
        const who: SystemName = baseline ?? (solutions === true ? 'solutions' : 'model');
        const { environment } = cli;
        const folder = environment.resolve(data);
        const { system } = options;
        const finishCard = startCard(cli, 'filing', { ...options, who: system ?? who, data: folder });
        const { model, hasPrices } =
          system !== undefined || who !== 'model'
            ? { model: system ?? who, hasPrices: false }
            : chosenModel(environment);
        let described: SystemDescription | undefined;
        const rows = await withProgressBar(cli, 'filing', (onProgress) =>
          system === undefined
            ? evaluateFiling({ ...options, data: folder, who, environment, hasPrices, onProgress })
            : evaluateSystemFiling({
                ...options,
                start: systemFactory(cli, { ...options, system }, (each) => (described = each)),
                data: folder,
                environment,
                onProgress,
              }),
        );
        const run = { format: 2, kind: 'filing', model, at: formatLocalTime(Date.now()), rows } as const;
        printRun(cli, run, { save, json });
        finishCard(run, described);
        const usesModel = who === 'model' && system === undefined;
        const isBad = (row: EvaluationRow): boolean =>
          who === 'solutions' ? !row.strict : usesModel && row.failed.includes('settled');
        cli.finish(rows.some(isBad) ? exitCode.errors : exitCode.ok);
      },
    );
  return withExamples(command, [
    'filing --runs 3 --save one.json',
    'filing --set sequences',
    'filing --only inbox',
    'filing --baseline raw-log',
  ]);
}

function answersCommand(cli: Cli): Command {
  const command = addSystemOptions(agentEvaluation('answers'))
    .summary('measure how well the search agent answers')
    .description(
      'Ask the configured model every question and compare its source lines with the expected ones.',
    )
    .option('--data <folder>', 'folder with questions.jsonl (default: the bundled data)')
    .option('--vault <folder>', 'vault that the questions are about (default: the demo vault)')
    .action(
      async ({
        save,
        json,
        data = bundledData('answers'),
        vault = demoVault,
        ...options
      }: AnswersOptions) => {
        assertWritable(cli, save);
        const { environment } = cli;
        const folder = environment.resolve(data);
        const { system } = options;
        const finishCard = startCard(cli, 'answers', { ...options, who: system ?? 'model', data: folder });
        const { model, hasPrices } =
          system === undefined ? chosenModel(environment) : { model: system, hasPrices: false };
        const shared = { data: folder, vault: environment.resolve(vault), environment };
        let described: SystemDescription | undefined;
        const rows = await withProgressBar(cli, 'answers', (onProgress) =>
          system === undefined
            ? evaluateAnswers({ ...options, ...shared, hasPrices, onProgress })
            : evaluateSystemAnswers({
                ...options,
                ...shared,
                start: systemFactory(cli, { ...options, system }, (each) => (described = each)),
                onProgress,
              }),
        );
        const run = { format: 2, kind: 'answers', model, at: formatLocalTime(Date.now()), rows } as const;
        printRun(cli, run, { save, json });
        finishCard(run, described);
        const isBad = ({ failed }: EvaluationRow): boolean => failed.includes('settled');
        cli.finish(rows.some(isBad) ? exitCode.errors : exitCode.ok);
      },
    );
  return withExamples(command, ['answers --save one.json']);
}

function compareCommand(cli: Cli): Command {
  const command = new Command('compare')
    .summary('compare two saved runs')
    .argument('<first>', 'file written with --save')
    .argument('<second>', 'another such file')
    .action((...files: string[]) => {
      const [first, second] = files.slice(0, 2).map((file) => readRun(cli, file));
      if (first && second) cli.stdout.write(`${compareRuns(first, second)}\n`);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['compare one.json two.json']);
}

function agentEvaluation(kind: EvaluationRun['kind']): Command {
  return new Command(kind)
    .option('--only <part>', 'run only items whose id contains this text')
    .addOption(
      new Option('--runs <n>', 'number of repetitions, because model output varies').argParser(parseInteger),
    )
    .option('--save <file>', 'save the run, to compare it with: keepsake-benchmark compare')
    .option('--json', 'print JSON');
}

function chosenModel(environment: Environment): { model: string; hasPrices: boolean } {
  const chosen = resolveAgentModel(environment);
  if ('missing' in chosen) throw chosen.missing;
  return { model: chosen.model.name, hasPrices: chosen.prices !== null };
}

function printRun(
  { stdout, environment }: Cli,
  run: EvaluationRun,
  { save, json }: { save: string | undefined; json: boolean | undefined },
): void {
  if (run.rows.length === 0)
    throw new AppError('bad-input', 'nothing to measure', {
      hint: 'check --data, --set and --only, and that --runs is not 0',
    });
  const text = JSON.stringify(run, null, 2);
  // A run costs time and money, so it is printed before saving, which may fail.
  stdout.write(`${json === true ? text : formatRun(run)}\n`);
  if (save !== undefined) writeFileSync(environment.resolve(save), `${text}\n`);
}

/** Checks that the file can be written before the run costs anything. */
function assertWritable({ environment }: Cli, save: string | undefined): void {
  if (save === undefined) return;
  const file = environment.resolve(save);
  const isNew = !existsSync(file);
  try {
    appendFileSync(file, '');
  } catch (error) {
    throw new AppError('bad-input', `cannot save the run to ${save}: ${describeError(error)}`, {
      hint: 'pass a writable file to --save',
      cause: error,
    });
  }
  if (isNew) rmSync(file);
}

function readRun(cli: Cli, file: string): EvaluationRun {
  const run = parseRun(parseJson(readRunFile(cli, file)));
  if ('problem' in run) throw new AppError('bad-input', `${file} ${run.problem}`);
  return run;
}

function readRunFile({ environment }: Cli, file: string): string {
  try {
    return readFileSync(environment.resolve(file), 'utf8');
  } catch (error) {
    throw new AppError('bad-input', `cannot read ${file}: ${describeError(error)}`, {
      hint: 'pass two files that were written with --save',
      cause: error,
    });
  }
}
