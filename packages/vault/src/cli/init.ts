import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { assertNotGone } from '../app/index.ts';
import { initVault, defaultLayout, identityFolder } from '../vault/index.ts';
import type { InitResult, Language, LayoutNames } from '../vault/index.ts';
import { withExamples, withKeepsake } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import { quoteForUser, quoteIfNeeded } from './quote-for-shell.ts';
import { withProgressBar } from './show-progress.ts';

type Names = Partial<LayoutNames>;
type Options = {
  vault?: string;
  state?: string;
  language?: Language;
  map?: Names;
  force?: boolean;
  json?: boolean;
};

export function initCommand(cli: Cli): Command {
  const command = new Command('init')
    .summary('create a vault, or adopt a folder of Markdown files')
    .description(
      'Create a vault in a new or empty folder. A folder that already contains files is adopted: adds .keepsake/ and copies every file to the history; nothing else changes.',
    )
    .argument('[folder]', 'folder (default: --vault, $KEEPSAKE_VAULT or the current folder)')
    .option('--vault <folder>', 'same as [folder], for consistency with other commands')
    .option(
      '--state <folder>',
      'state folder of the vault: history, queue, index (default: in your XDG state folder)',
    )
    .addOption(
      new Option(
        '--language <language>',
        'language of the files of a new vault, and of what Keepsake says about the vault (default: system language)',
      ).choices(['en', 'fr']),
    )
    .option(
      '--map <role=name...>',
      'your names for overview, changelog, tasks, projects, people or inbox, for example changelog=Log.md; also changes an existing vault',
      parseName,
    )
    .option('--force', 'also where a vault was that is gone')
    .option('--json', 'print JSON')
    .action(async (folder: string | undefined, { vault, state, language, map, force, json }: Options) => {
      const made = await createVault(cli, folder ?? vault ?? cli.environment.vault ?? '.', {
        language,
        map,
        state,
        force,
      });
      cli.stdout.write(
        json === true
          ? `${JSON.stringify(toInitResult(made))}\n`
          : `${formatInit(cli, made, { map, language })}\n`,
      );
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'init ~/vault',
    'init ~/vault --language fr',
    'init ~/Documents/obsidian',
    "init ~/Documents/obsidian --map changelog=Log.md 'projects=1 Projects' 'inbox=00 Inbox'",
  ]);
}

/** Makes a folder a vault and adds its files to the history. Changes nothing in a folder that is a vault already, except names. */
export async function createVault(
  cli: Cli,
  folder: string,
  {
    language,
    map,
    state,
    force = false,
  }: {
    language?: Language | undefined;
    map?: Names | undefined;
    state?: string | undefined;
    force?: boolean | undefined;
  } = {},
): Promise<InitResult> {
  const { environment } = cli;
  const target = environment.resolve(folder);
  if (!force && !existsSync(join(target, identityFolder)))
    assertNotGone(target, environment, {
      hint: `for a new vault in its place: keepsake init ${quoteIfNeeded(target)} --force`,
    });
  const made = initVault(target, {
    language: environment.language,
    chosenLanguage: language,
    home: environment.home,
    clock: Date.now,
    ...(map && { names: map }),
  });
  await withKeepsake(cli, { vault: made.root, ...(state !== undefined && { state }) }, ({ externalEdits }) =>
    withProgressBar(cli, 'adding files to history', (onProgress) => externalEdits.takeBaseline(onProgress)),
  );
  return made;
}

function parseName(text: string, before: Names = {}): Names {
  const [role = '', ...name] = text.split('=');
  if (!(role in defaultLayout.names) || name.length === 0)
    throw new InvalidArgumentError(
      `Write ${Object.keys(defaultLayout.names).join(', ')}, then = and your name for it.`,
    );
  return { ...before, [role]: name.join('=') };
}

/** The result of init as JSON output. */
export function toInitResult({ root, outcome, names, suggestedNames }: InitResult): object {
  return {
    vault: root,
    outcome,
    ...(isNotEmpty(names) && { layout: names }),
    ...(isNotEmpty(suggestedNames) && { proposed: suggestedNames }),
  };
}

/** The result of init as text, with suggestions and the next steps. */
export function formatInit(
  { cwd }: Cli,
  { root, outcome, names, suggestedNames }: InitResult,
  { map = {}, language }: { map?: Names | undefined; language?: Language | undefined } = {},
): string {
  const changed = [
    ...(isNotEmpty(map) ? ['these names'] : []),
    ...(language === undefined ? [] : ['its language']),
  ];
  const summary = {
    created: `Created a vault in ${root}.`,
    adopted: `Adopted ${root}. Added .keepsake/; no other file was changed.`,
    already: `${root} is already a vault; ${changed.length > 0 ? `only ${changed.join(' and ')}` : 'nothing'} changed.`,
  }[outcome];
  const isHere = relative(cwd(), root) === '';
  const goThere = isHere ? '' : `  cd ${quoteForUser(root)}\n`;
  const readHint =
    outcome === 'adopted' ? '' : `\n  keepsake read ${quoteIfNeeded(names.overview ?? 'overview.md')}`;
  const parts = [
    summary,
    ...(isNotEmpty(names) ? [`Names:\n${table(names)}`] : []),
    ...(isNotEmpty(suggestedNames)
      ? [formatProposal(suggestedNames, isHere ? '' : ` ${quoteForUser(root)}`)]
      : []),
    `Next:\n${goThere}  keepsake tree${readHint}`,
  ];
  return parts.join('\n\n');
}

/** Files with similar names are only suggested: they are not used until the user confirms them. */
function formatProposal(proposed: Names, folder: string): string {
  const options = Object.entries(proposed).map(([role, name]) => quoteIfNeeded(`${role}=${name}`));
  return [
    `Found files that look like ${Object.keys(proposed).map(defaultFileName).join(', ')}:`,
    table(proposed),
    'To use them:',
    `  keepsake init${folder} --map ${options.join(' ')}`,
  ].join('\n');
}

function defaultFileName(role: string): string {
  return role === 'projects' || role === 'people' || role === 'inbox' ? `${role}/` : `${role}.md`;
}

function table(names: Names): string {
  return Object.entries(names)
    .map(([role, name]) => `  ${role.padEnd(11)}${name}`)
    .join('\n');
}

function isNotEmpty(names: Names): boolean {
  return Object.keys(names).length > 0;
}
