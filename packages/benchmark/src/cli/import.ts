import { existsSync, readdirSync } from 'node:fs';
import { Argument, Command } from 'commander';
import { AppError } from '../../../vault/src/app/index.ts';
import { exitCode, withExamples } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { importedFormats, readDataset, writeImportedSet } from '../eval/index.ts';
import type { ImportedFormat } from '../eval/index.ts';

type ImportOptions = { audit?: string; ask: string; documents: string };

export function importCommand(cli: Cli): Command {
  const command = new Command('import')
    .summary('convert a public dataset that you have downloaded')
    .description(
      'Convert a dataset to vault/ and queries.jsonl, for keepsake-benchmark retrieval --data. Nothing is downloaded; the licence of each dataset applies.',
    )
    .addArgument(new Argument('<format>', 'the dataset').choices(importedFormats))
    .argument('<source>', 'its file or folder')
    .argument('<folder>', 'target folder; new or empty')
    .option('--audit <file>', 'LoCoMo: corrections of the evidence (errors.json)')
    .option('--ask <language>', 'XQuAD: language of the questions', 'de')
    .option('--documents <language>', 'XQuAD: language of the paragraphs', 'de')
    .action((format: ImportedFormat, source: string, folder: string, options: ImportOptions) => {
      const { environment } = cli;
      const target = environment.resolve(folder);
      if (existsSync(target) && readdirSync(target).length > 0)
        throw new AppError('bad-input', `${folder} is not empty`, { hint: 'choose a new folder' });
      const audit = options.audit === undefined ? undefined : environment.resolve(options.audit);
      const set = readDataset(format, { ...options, source: environment.resolve(source), audit });
      const { notes, questions, withoutEvidence } = writeImportedSet(target, set);
      cli.stdout.write(
        `notes      ${notes}\nquestions  ${questions}\nleft out   ${withoutEvidence} without evidence\n`,
      );
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'import longmemeval longmemeval_s.json longmemeval',
    'import locomo locomo10.json locomo --audit errors.json',
    'import beam BEAM/chats/500K beam-500k',
    'import xquad xquad xquad-de-en --ask de --documents en',
    'retrieval --data locomo',
  ]);
}
