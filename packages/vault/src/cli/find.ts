import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError, findOwnerForVault } from '../app/index.ts';
import { pluralize } from '../vault/index.ts';
import { formatAsOf } from './format-as-of.ts';
import { withExamples, vaultCommand, parseDay, parseInteger } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import type { SearchOutput } from './find-locally.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { resolvePathArguments } from './path-argument.ts';
import { escapeForTerminal, note } from './print-outcome.ts';

type FindOptions = VaultOptions & {
  deep?: boolean;
  scope?: string[];
  limit?: number;
  context?: number;
  paths?: boolean;
  all?: boolean;
  from?: string;
  to?: string;
  asOf?: string;
};

const defaultContextLines = 3;

export function findCommand(cli: Cli): Command {
  const command = vaultCommand('find')
    .alias('search')
    .summary('search the vault')
    .description('Find the passages that answer a query, and show them with the surrounding lines.')
    .argument('<query...>', 'search query; several quoted queries are searched separately and merged')
    .option('--deep', 'also search by meaning (requires an embedding model)')
    .option(
      '--scope <pattern...>',
      "search only these paths, for example 'projects/*/state.md' or projects/startup-x/",
    )
    .addOption(new Option('--limit <n>', 'maximum number of results').argParser(parseInteger))
    .addOption(
      new Option('--context <n>', 'lines to show above and below')
        .argParser(parseInteger)
        .default(defaultContextLines),
    )
    .option(
      '--all',
      'show every match (on a terminal, the default is the best passages and one line per further file)',
    )
    .option(
      '--paths',
      'print only the paths, each once; with --all those of all notes with the words, like grep -l',
    )
    .option(
      '--from <day>',
      'only results from this day on (2025-07-14), by changelog date or last modification',
      parseDay,
    )
    .option('--to <day>', 'only results up to this day', parseDay)
    .option('--as-of <day>', 'search the vault as it was at the end of this day, by history', parseDay)
    .action(async (queries: string[], { scope: patterns, ...options }: FindOptions) => {
      const scope = patterns && (await resolvePathArguments(cli, options, patterns, 'pattern'));
      cli.finish(await find(cli, queries, { ...options, ...(scope && { scope }) }));
    });
  return withExamples(command, [
    'find "why did we drop the external API"',
    "find décision --scope 'projects/*/changelog.md' --from 2025-07-01",
    'find "heating maintenance" --deep',
    'find invoice --paths',
    'find "external API" --as-of 2025-07-01',
  ]);
}

async function find(cli: Cli, queries: string[], options: FindOptions): Promise<ExitCode> {
  if ((options.from ?? '') > (options.to ?? '9999')) return printUsageError(cli, '--from is after --to');
  if (options.limit === 0) return printUsageError(cli, '--limit must be 1 or more');
  if (options.asOf !== undefined && options.deep === true)
    return printUsageError(cli, '--as-of searches by words only; leave out --deep');
  if ((options.limit ?? 0) > maxLimit)
    return printUsageError(cli, `--limit is at most ${maxLimit}; --all shows all results`);
  const input = toSearchInput(queries, options);
  const found = (await findRemotely(cli, input, options)) ?? (await searchLocally(cli, input, options));
  return typeof found === 'string' ? printUsageError(cli, found) : show(cli, found, queries, options);
}

/** The maximum of the search tool. */
const maxLimit = 50;

function toSearchInput(queries: string[], options: FindOptions) {
  const { deep, scope, limit, all, paths, context, from, to } = options;
  const mode = deep === true ? ('deep' as const) : ('fast' as const);
  const extent = all !== true ? undefined : paths === true ? ('paths' as const) : ('all' as const);
  return { queries, mode, scopes: scope, limit, extent, context, dateFrom: from, dateTo: to };
}

type SearchInput = ReturnType<typeof toSearchInput>;

/** Searches in the process that serves the vault; null when there is none, or when an earlier state is searched. */
async function findRemotely(
  { environment }: Cli,
  input: SearchInput,
  options: FindOptions,
): Promise<SearchOutput | string | null> {
  const owner = options.asOf === undefined ? await findOwnerForVault({ ...options, environment }) : null;
  if (owner === null) return null;
  const { searchRemotely } = await import('./search-remotely.ts');
  try {
    return await searchRemotely(owner, { ...input, text: true });
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-input') return error.message;
    throw error;
  }
}

async function searchLocally(
  cli: Cli,
  input: SearchInput,
  options: FindOptions,
): Promise<SearchOutput | string> {
  const { findLocally } = await import('./find-locally.ts');
  return findLocally(cli, input, options);
}

async function show(
  cli: Cli,
  found: SearchOutput,
  queries: string[],
  options: FindOptions,
): Promise<ExitCode> {
  const { stdout } = cli;
  const isFound = found.sections.length > 0 || (found.paths ?? []).length > 0;
  const more = formatMore(found, options);
  if (options.json === true) {
    stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  } else if (options.paths === true) {
    // The paths may be the input of another program.
    if (found.asOf !== undefined) note(cli, formatAsOf(found.asOf));
    showPaths(cli, found);
    const nothingFits =
      found.fits || found.sections.length === 0 ? [] : ['nothing fits; these are the nearest'];
    for (const line of [...nothingFits, ...found.notes, ...more]) note(cli, `note: ${line}`);
  } else if (stdout.isTTY === true) {
    const { showFound } = await import('./show-found.ts');
    const isComplete = options.all === true || options.limit !== undefined;
    showFound(stdout, found, { queries, isComplete, more });
    if (!isFound) suggestMore(cli, options);
  } else {
    const lines = more.map((line) => `note: ${line}\n`).join('');
    stdout.write(`${escapeForTerminal(found.text ?? '', stdout)}\n${lines}`);
  }
  return isFound ? exitCode.ok : exitCode.errors;
}

/** What is not shown, and how to see it. */
function formatMore(found: SearchOutput, { all, paths }: FindOptions): string[] {
  const { matched, shown, nextLimit, unreadDocuments } = found;
  const documents =
    unreadDocuments === 0
      ? []
      : [`the text of ${pluralize(unreadDocuments, 'document')} is not indexed yet: keepsake index`];
  if (all === true) return documents;
  const notes = `${shown.notes} of ${pluralize(matched.notes, 'matching note')}`;
  if (paths === true && shown.notes < matched.notes) return [...documents, `${notes}; all: --all`];
  if (shown.notes < matched.notes || shown.lines < matched.lines) {
    const lines = `${shown.lines} of ${pluralize(matched.lines, 'line')}`;
    return [...documents, `${notes}, ${lines}; all: --all, their paths: --paths --all`];
  }
  return nextLimit === null
    ? documents
    : [...documents, `there are more results with lower scores: --limit ${nextLimit}`];
}

function showPaths({ stdout }: Cli, { sections, paths }: SearchOutput): void {
  const shown = new Set(paths ?? sections.map(({ path }) => path));
  const lines = [...shown].map((path) => `${escapeForTerminal(path, stdout)}\n`);
  stdout.write(lines.join(''));
}

/** Says on a terminal what to do when nothing was found. */
function suggestMore({ stderr }: Cli, { deep, scope, from, to }: FindOptions): void {
  const isLimited = [scope, from, to].some((each) => each !== undefined);
  const suggestions = [
    ...(deep === true ? [] : ['--deep also searches by meaning']),
    ...(isLimited ? ['leave out --scope, --from and --to'] : []),
    'a prefix finds more forms of a word: heat*',
  ];
  note({ stderr }, `not searched: the inbox, hidden files, and files other than notes, images and documents`);
  note({ stderr }, `try: ${suggestions.join('; ')}`);
}

function printUsageError({ stderr }: Cli, message: string): ExitCode {
  stderr.write(`error: ${message}\n`);
  return exitCode.refused;
}
