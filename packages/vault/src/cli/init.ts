import { relative } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { initVault, usualLayout } from '../vault/index.ts';
import type { Initialised, Language, LayoutNames } from '../vault/index.ts';
import { examples, withKeepsake } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import { inQuotes } from './in-quotes.ts';
import { showProgress } from './show-progress.ts';

type Names = Partial<LayoutNames>;
type Options = { vault?: string; state?: string; language?: Language; map?: Names; json?: boolean };

export function initCommand(cli: Cli): Command {
  const command = new Command('init')
    .summary('create a vault, or adopt a folder of markdown')
    .description(
      'Creates a vault in a new or empty folder. A folder that holds files already is adopted: it gets .keepsake/, history gets a copy of every file, and nothing else changes.',
    )
    .argument('[folder]', 'the folder (default: --vault, else KEEPSAKE_VAULT, else the present one)')
    .option('--vault <folder>', 'the folder, as for other commands')
    .option('--state <folder>', "Keepsake's own data about the vault (default: in your state folder)")
    .addOption(
      new Option(
        '--language <language>',
        'of the files in a new vault (default: that of your system)',
      ).choices(['en', 'fr']),
    )
    .option(
      '--map <role=name...>',
      'what your vault calls its overview, changelog, tasks or projects, as changelog=Log.md; also for a folder that is a vault already',
      parseName,
    )
    .option('--json', 'print the result for programs')
    .action(async (folder: string | undefined, { vault, state, language, map, json }: Options) => {
      const { environment } = cli;
      const made = initVault(environment.resolve(folder ?? vault ?? environment.vault ?? '.'), {
        language: language ?? environment.language,
        home: environment.home,
        clock: Date.now,
        ...(map && { names: map }),
      });
      await withKeepsake(cli, { vault: made.root, ...(state !== undefined && { state }) }, ({ outside }) =>
        showProgress(cli, 'taking files into history', (tell) => outside.takeBaseline(tell)),
      );
      cli.stdout.write(
        json === true ? `${JSON.stringify(shownInit(made))}\n` : `${describeInit(cli, made, map)}\n`,
      );
      cli.finish(exitCode.ok);
    });
  return examples(command, [
    'init ~/vault',
    'init ~/vault --language fr',
    'init ~/Documents/obsidian',
    "init ~/Documents/obsidian --map changelog=Log.md 'projects=1 Projects'",
  ]);
}

function parseName(text: string, before: Names = {}): Names {
  const [role = '', ...name] = text.split('=');
  if (!(role in usualLayout.names) || name.length === 0)
    throw new InvalidArgumentError(
      `Write ${Object.keys(usualLayout.names).join(', ')}, then = and the name.`,
    );
  return { ...before, [role]: name.join('=') };
}

/** The same for programs. */
export function shownInit({ root, outcome, names, proposed }: Initialised): object {
  return {
    vault: root,
    outcome,
    ...(isSome(names) && { layout: names }),
    ...(isSome(proposed) && { proposed }),
  };
}

/** What was done, what could be done, and what to do next. */
export function describeInit(
  { cwd }: Cli,
  { root, outcome, names, proposed }: Initialised,
  map: Names = {},
): string {
  const said = {
    created: `Created a vault in ${root}.`,
    adopted: `Adopted ${root}: only .keepsake/ was added, every file is as it was.`,
    already: `${root} is a vault already; ${isSome(map) ? 'only these names' : 'nothing'} changed.`,
  }[outcome];
  const isHere = relative(cwd(), root) === '';
  const goThere = isHere ? '' : `  cd ${inQuotes(root)}\n`;
  const look = outcome === 'adopted' ? '' : `\n  keepsake read ${quoted(names.overview ?? 'overview.md')}`;
  const parts = [
    said,
    ...(isSome(names) ? [`Its names:\n${table(names)}`] : []),
    ...(isSome(proposed) ? [proposal(proposed, isHere ? '' : ` ${inQuotes(root)}`)] : []),
    `Next:\n${goThere}  keepsake tree${look}`,
  ];
  return parts.join('\n\n');
}

/** Nothing is used under another name without the person's word. */
function proposal(proposed: Names, folder: string): string {
  const options = Object.entries(proposed).map(([role, name]) => quoted(`${role}=${name}`));
  return [
    `These look like what Keepsake would keep in ${Object.keys(proposed).map(usualName).join(', ')}:`,
    table(proposed),
    'To have them used for it:',
    `  keepsake init${folder} --map ${options.join(' ')}`,
  ].join('\n');
}

function usualName(role: string): string {
  return role === 'projects' ? 'projects/' : `${role}.md`;
}

function table(names: Names): string {
  return Object.entries(names)
    .map(([role, name]) => `  ${role.padEnd(11)}${name}`)
    .join('\n');
}

function isSome(names: Names): boolean {
  return Object.keys(names).length > 0;
}

/** As a shell takes it for one word. */
function quoted(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : inQuotes(text);
}
