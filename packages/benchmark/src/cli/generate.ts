import { existsSync, readdirSync } from 'node:fs';
import { Command, Option } from 'commander';
import { AppError } from '../../../vault/src/app/index.ts';
import { withExamples, exitCode, parseInteger } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { updateCountRange, generatedLanguages, generateSet } from '../eval/index.ts';

type GenerateOptions = {
  seed: number;
  language?: (typeof generatedLanguages)[number];
  updates: number;
  singles: number;
  transcripts: number;
  questions: number;
};

const { minUpdates, maxUpdates } = updateCountRange;

export function generateCommand(cli: Cli): Command {
  const command = new Command('generate')
    .summary('generate unseen filing scenarios')
    .description(
      'Generate scenarios and sequences from a seed, for keepsake-benchmark filing. The same options generate the same files; publish them and the printed hash with a run.',
    )
    .argument('<folder>', 'target folder; new or empty')
    .addOption(
      new Option('--seed <n>', 'seed of the random generator').argParser(parseInteger).makeOptionMandatory(),
    )
    .addOption(
      new Option('--language <language>', 'only this language (default: all)').choices(generatedLanguages),
    )
    .addOption(
      new Option(
        '--updates <n>',
        `number of inputs of the sequence in each language; ${minUpdates} to ${maxUpdates}, 0 for none`,
      )
        .argParser(parseInteger)
        .default(60),
    )
    .addOption(
      new Option('--singles <n>', 'number of single scenarios in each language')
        .argParser(parseInteger)
        .default(30),
    )
    .addOption(
      new Option('--transcripts <tokens>', 'total length of the transcripts of a sequence')
        .argParser(parseInteger)
        .default(10_000),
    )
    .addOption(
      new Option('--questions <n>', 'number of questions with known answers in each language')
        .argParser(parseInteger)
        .default(50),
    )
    .action((folder: string, { language, ...options }: GenerateOptions) => {
      if (options.updates !== 0 && (options.updates < minUpdates || options.updates > maxUpdates))
        throw new AppError('bad-input', `a sequence must have ${minUpdates} to ${maxUpdates} updates`, {
          hint: `pass --updates ${minUpdates}, or 0 for no sequence`,
        });
      const target = cli.environment.resolve(folder);
      if (existsSync(target) && readdirSync(target).length > 0)
        throw new AppError('bad-input', `${folder} is not empty`, { hint: 'choose a new folder' });
      const languages = language === undefined ? generatedLanguages : [language];
      const { files, sha256 } = generateSet(target, { ...options, languages });
      cli.stdout.write(`seed    ${options.seed}\nfiles   ${files}\nsha256  ${sha256}\n`);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'generate --seed 4711 hidden',
    'generate --seed 4711 --language de --updates 100 --transcripts 100000 hidden',
    'filing --data hidden',
    'answers --data hidden/answers',
  ]);
}
