import { relative } from 'node:path';
import { Command, Option } from 'commander';
import { readEnvironment } from '../app/index.ts';
import { initVault } from '../vault/index.ts';
import type { Language } from '../vault/index.ts';
import { examples } from './command.ts';
import type { Finish } from './command.ts';
import { exitCode } from './exit-code.ts';

type Options = { vault?: string; language?: Language; json?: boolean };

export function initCommand(finish: Finish): Command {
  const command = new Command('init')
    .summary('create a vault, or adopt a folder of markdown')
    .description(
      'Creates a vault in a new or empty folder. A folder that holds files already is adopted: it gets .keepsake/ and nothing else changes.',
    )
    .argument('[folder]', 'the folder (default: --vault, else KEEPSAKE_VAULT, else the present one)')
    .option('--vault <folder>', 'the folder, as for other commands')
    .option('--state <folder>', 'accepted as for other commands; nothing is written there')
    .addOption(
      new Option(
        '--language <language>',
        'of the files in a new vault (default: that of your system)',
      ).choices(['en', 'fr']),
    )
    .option('--json', 'print the result for programs')
    .action((folder: string | undefined, { vault, language, json }: Options) => {
      const environment = readEnvironment();
      const { root, outcome } = initVault(folder ?? vault ?? environment.vault ?? '.', {
        language: language ?? environment.language,
        home: environment.home,
        clock: Date.now,
      });
      process.stdout.write(
        json === true ? `${JSON.stringify({ vault: root, outcome })}\n` : `${describeInit(outcome, root)}\n`,
      );
      finish(exitCode.ok);
    });
  return examples(command, ['init ~/vault', 'init ~/vault --language fr', 'init ~/Documents/obsidian']);
}

/** What was done, and what to do next. */
export function describeInit(outcome: 'created' | 'adopted' | 'already', root: string): string {
  const said = {
    created: `Created a vault in ${root}.`,
    adopted: `Adopted ${root}: only .keepsake/ was added, every file is as it was.`,
    already: `${root} is a vault already; nothing changed.`,
  }[outcome];
  const goThere =
    relative(process.cwd(), root) === '' ? '' : `  cd '${root.replaceAll("'", String.raw`'\''`)}'\n`;
  const look = outcome === 'adopted' ? '' : '\n  keepsake read overview.md';
  return `${said}\n\nNext:\n${goThere}  keepsake tree${look}`;
}
