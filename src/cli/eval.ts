import { Command, Option } from 'commander';
import { readEnvironment } from '../app/index.ts';
import { evaluateRetrieval } from '../eval/index.ts';
import type { Figures } from '../eval/index.ts';
import { examples, wholeNumber } from './command.ts';
import type { Finish } from './command.ts';
import { exitCode } from './exit-code.ts';
import { showProgress } from './show-progress.ts';

type RetrievalOptions = {
  data: string;
  mode: 'fast' | 'deep';
  with?: string;
  limit?: number;
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
  return new Command('eval').summary('measure how well Keepsake does').addCommand(retrieval);
}

function table(figures: Figures): string {
  const rows: [string, string][] = [
    ['questions', String(figures.questions)],
    ['recall@1', figures.recallAt1.toFixed(3)],
    ['recall@5', figures.recallAt5.toFixed(3)],
    ['recall@10', figures.recallAt10.toFixed(3)],
    ['mean reciprocal rank', figures.meanReciprocalRank.toFixed(3)],
    ['recall within 2,000 tokens', figures.recallWithin2000Tokens.toFixed(3)],
    ['tokens of the first 5', figures.tokensAt5.toFixed(0)],
    ['ms per query', figures.millisecondsPerQuery.toFixed(1)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(28)}${value}`).join('\n');
}
