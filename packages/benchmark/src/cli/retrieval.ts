import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import type { Environment } from '../../../vault/src/app/index.ts';
import { exitCode, parseInteger, withExamples, withProgressBar } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { evaluateRetrieval } from '../eval/index.ts';
import type { RetrievalComparison, RetrievalMetrics, Split } from '../eval/index.ts';
import { bundledData } from './bundled-data.ts';

type RetrievalOptions = {
  data?: string;
  only?: string[];
  mode: 'fast' | 'deep';
  with?: string;
  limit?: number;
  part?: Split;
  state?: string;
  json?: boolean;
};

export function retrievalCommand(cli: Cli): Command {
  const command = new Command('retrieval')
    .summary('measure search recall')
    .description(
      'Search for every question of the datasets and compare the results with the lines that answer it, next to plain FTS5 on the same chunks. ' +
        'The datasets are the bundled one and those in the folder that KEEPSAKE_RETRIEVAL_DATA names.',
    )
    .option('--data <folder>', 'measure only this folder with vault/ and queries.jsonl')
    .option('--only <set...>', 'measure only these datasets')
    .addOption(new Option('--mode <mode>', 'search mode').choices(['fast', 'deep']).default('fast'))
    .addOption(
      new Option('--limit <n>', 'maximum number of questions per dataset, sampled evenly').argParser(
        parseInteger,
      ),
    )
    .addOption(
      new Option('--part <part>', 'use only the tuning or the held-out half of the questions').choices([
        'tuning',
        'held-out',
      ]),
    )
    .option('--with <folder>', 'add the vault of another data folder as distractors')
    .option('--state <folder>', 'folder for the index, with --data (default: a temporary one)')
    .option('--json', 'print JSON')
    .action(async ({ json, data, only, state, ...options }: RetrievalOptions) => {
      const { environment } = cli;
      const sets =
        data === undefined ? findSets(cli, only) : [{ name: data, folder: environment.resolve(data) }];
      if (json !== true) cli.stdout.write(header);
      for (const { name, folder } of sets) {
        const figures = await withProgressBar(cli, name, (onProgress) =>
          evaluateRetrieval({
            ...options,
            data: folder,
            state: data === undefined ? undefined : state,
            with: options.with && environment.resolve(options.with),
            environment,
            onProgress,
          }),
        );
        cli.stdout.write(
          json === true ? `${JSON.stringify({ set: name, ...figures })}\n` : formatRows(name, figures),
        );
      }
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['retrieval', 'retrieval --data my-questions --mode deep']);
}

type DataSet = { name: string; folder: string };

/** The bundled set and those in the folder that the variable names. */
function findSets({ environment, stderr }: Cli, only: readonly string[] | undefined): DataSet[] {
  const own = { name: 'own', folder: bundledData('own') };
  const sets = [own, ...findOtherSets(environment, (message) => void stderr.write(`${message}\n`))];
  return only === undefined ? sets : sets.filter(({ name }) => only.includes(name));
}

function findOtherSets({ variable, resolve }: Environment, skip: (message: string) => void): DataSet[] {
  const root = variable('KEEPSAKE_RETRIEVAL_DATA');
  if (root === undefined) {
    skip('skipped: the datasets of others, because KEEPSAKE_RETRIEVAL_DATA is not set');
    return [];
  }
  const folder = resolve(root);
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, folder: join(folder, name) }))
    .filter((set) => existsSync(join(set.folder, 'queries.jsonl')));
}

const columns = [
  ['recall@1', ({ recallAt1 }) => recallAt1.toFixed(3)],
  ['recall@5', ({ recallAt5 }) => recallAt5.toFixed(3)],
  ['recall@10', ({ recallAt10 }) => recallAt10.toFixed(3)],
  ['in 2,000 tokens', ({ recallWithin2000Tokens }) => recallWithin2000Tokens.toFixed(3)],
  ['forbidden', ({ forbiddenShown }) => forbiddenShown?.toFixed(3) ?? '-'],
  ['tokens', ({ tokensShown }) => tokensShown.toFixed(0)],
  ['p50 ms', ({ medianMilliseconds }) => medianMilliseconds.toFixed(1)],
  ['p50 CPU ms', ({ medianCpuMilliseconds }) => medianCpuMilliseconds.toFixed(2)],
] as const satisfies [string, (figures: RetrievalMetrics) => string][];

const nameWidth = 24;
const header = `${'set'.padEnd(nameWidth)}questions  system      ${columns.map(([title]) => title).join('  ')}\n`;

function formatRows(name: string, { keepsake, plain }: RetrievalComparison): string {
  const row = (system: string, figures: RetrievalMetrics): string => {
    const cells = columns.map(([title, format]) => format(figures).padStart(title.length));
    const questions = String(figures.questions).padStart('questions'.length);
    return `${name.padEnd(nameWidth)}${questions}  ${system.padEnd(10)}  ${cells.join('  ')}\n`;
  };
  return row('Keepsake', keepsake) + row('plain FTS5', plain);
}
