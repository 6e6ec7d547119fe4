import { existsSync, readdirSync } from 'node:fs';
import { Command, Option } from 'commander';
import { AppError } from '../../../vault/src/app/index.ts';
import { examples, exitCode, wholeNumber } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { boundsOfUpdates, generatedLanguages, generateSet } from '../eval/index.ts';

type GenerateOptions = {
  seed: number;
  language?: (typeof generatedLanguages)[number];
  updates: number;
  singles: number;
  transcripts: number;
};

const { least, most } = boundsOfUpdates;

export function generateCommand(cli: Cli): Command {
  const command = new Command('generate')
    .summary('make filing scenarios that nobody has seen')
    .description(
      'Makes scenarios and sequences from a seed, for keepsake-benchmark filing. The same options make the same files; whoever publishes a run names them, and the hash that is printed.',
    )
    .argument('<folder>', 'where to write them: a new folder, or an empty one')
    .addOption(
      new Option('--seed <n>', 'what everything follows from').argParser(wholeNumber).makeOptionMandatory(),
    )
    .addOption(
      new Option('--language <language>', 'only in this one (default: all)').choices(generatedLanguages),
    )
    .addOption(
      new Option('--updates <n>', `inputs of the sequence in each language; ${least} to ${most}, 0 for none`)
        .argParser(wholeNumber)
        .default(60),
    )
    .addOption(
      new Option('--singles <n>', 'single scenarios in each language').argParser(wholeNumber).default(30),
    )
    .addOption(
      new Option('--transcripts <tokens>', 'how long the transcripts of a sequence are, together')
        .argParser(wholeNumber)
        .default(10_000),
    )
    .action((folder: string, { language, ...options }: GenerateOptions) => {
      if (options.updates !== 0 && (options.updates < least || options.updates > most))
        throw new AppError('bad-input', `a sequence has ${least} to ${most} updates`, {
          mend: `give --updates ${least}, or 0 for no sequence`,
        });
      const target = cli.environment.resolve(folder);
      if (existsSync(target) && readdirSync(target).length > 0)
        throw new AppError('bad-input', `${folder} is not empty`, { mend: 'name a new folder' });
      const languages = language === undefined ? generatedLanguages : [language];
      const { files, sha256 } = generateSet(target, { ...options, languages });
      cli.stdout.write(`seed    ${options.seed}\nfiles   ${files}\nsha256  ${sha256}\n`);
      cli.finish(exitCode.ok);
    });
  return examples(command, [
    'generate --seed 4711 hidden',
    'generate --seed 4711 --language de --updates 100 --transcripts 100000 hidden',
    'filing --data hidden',
  ]);
}
