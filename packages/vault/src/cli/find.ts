import { InvalidArgumentError, Option } from 'commander';
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
import { printLines } from './print-lines.ts';
import { escapeForTerminal, note } from './print-outcome.ts';
import type { FoundForm } from './show-found.ts';

type FindOptions = VaultOptions & {
  deep?: boolean;
  scope?: string[];
  limit?: number;
  context?: number | true;
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
    .description(
      'Find the notes that answer a query. Prints the best matching line of each note, the best note first.',
    )
    .argument('<query...>', 'search query; several quoted queries are searched separately and merged')
    .option('--deep', 'also search by meaning (requires an embedding model)')
    .option(
      '--scope <pattern...>',
      "search only these paths, for example 'projects/*/state.md' or projects/startup-x/",
    )
    .addOption(new Option('--limit <n>', 'maximum number of results').argParser(parseInteger))
    .addOption(
      new Option(
        '--context [n]',
        `show whole passages with this many lines above and below (default: ${defaultContextLines}), not only the best line of each note`,
      ).argParser(parseContext),
    )
    .option('--all', 'show every matching line of every note')
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
    'find "boiler serviced" --context',
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

/** Programs get passages, because JSON is not read line by line. */
function formOf({ context, all, json }: FindOptions): FoundForm {
  return context !== undefined || json === true ? 'passages' : all === true ? 'lines' : 'notes';
}

function toSearchInput(queries: string[], options: FindOptions) {
  const { deep, scope, limit, context, from, to } = options;
  return {
    queries,
    mode: deep === true ? ('deep' as const) : ('fast' as const),
    scopes: scope,
    limit,
    extent: toExtent(options),
    context: formOf(options) !== 'passages' ? 0 : typeof context === 'number' ? context : defaultContextLines,
    dateFrom: from,
    dateTo: to,
  };
}

function toExtent(options: FindOptions): 'notes' | 'all' | 'paths' | undefined {
  if (options.all === true) return options.paths === true ? 'paths' : 'all';
  return formOf(options) === 'notes' ? 'notes' : undefined;
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
    return await searchRemotely(owner, input);
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
  } else {
    const { formatFound } = await import('./show-found.ts');
    const form = formOf(options);
    if (stdout.isTTY === true) {
      printLines(stdout, formatFound(found, { queries, form, more }));
      if (!isFound) suggestMore(cli, options);
    } else {
      // What is found may be the input of another program.
      printLines(stdout, formatFound({ ...found, notes: [] }, { queries, form, more: [] }));
      for (const line of [...found.notes, ...more]) note(cli, `note: ${line}`);
    }
  }
  return isFound ? exitCode.ok : exitCode.errors;
}

/** What is not shown, and how to see it. */
function formatMore(found: SearchOutput, options: FindOptions): string[] {
  const { unreadDocuments } = found;
  return [
    ...(unreadDocuments === 0
      ? []
      : [`the text of ${pluralize(unreadDocuments, 'document')} is not indexed yet: keepsake index`]),
    ...(options.all === true ? formatNoMatch(found) : formatRest(found, options)),
  ];
}

function formatNoMatch({ matched }: SearchOutput): string[] {
  return matched.notes > 0
    ? []
    : ['no note contains all words; without --all, notes with some are shown, too'];
}

function formatRest(found: SearchOutput, options: FindOptions): string[] {
  const { matched, shown, nextLimit } = found;
  const limit = nextLimit === null ? [] : [`more: --limit ${nextLimit}`];
  const others = countOthers(found);
  if (shown.notes < matched.notes) {
    const notes = `${formatCount(shown.notes)} of ${formatCount(matched.notes)} matching ${matched.notes === 1 ? 'note' : 'notes'}`;
    const ways =
      options.paths === true ? ['all: --all'] : [...limit, 'every line: --all', 'every path: --paths --all'];
    return [
      `${notes}; ${ways.join(', ')}`,
      ...(others === 0 ? [] : [`${formatOthers(others)} not contain all words`]),
    ];
  }
  const lower =
    others > 0
      ? [[formatAllWords(matched.notes, others), ...limit].join('; ')]
      : limit.map(() => `there are more results with lower scores: --limit ${nextLimit}`);
  const isNotes = formOf(options) === 'notes';
  const lines = isNotes ? shown.notes : shown.lines;
  if (options.paths === true || lines >= matched.lines) return lower;
  const counts = `${formatCount(lines)} of ${formatCount(matched.lines)} matching lines`;
  // A higher limit may show more lines of the matching notes only as passages.
  return isNotes || others > 0
    ? [...lower, `${counts}; every line: --all`]
    : [`${counts}; ${[...limit, 'every line: --all'].join(', ')}`];
}

/** The number of notes shown that are not among those that match. */
function countOthers({ sections, fits }: SearchOutput): number {
  return fits ? new Set(sections.flatMap(({ path, hasAllWords }) => (hasAllWords ? [] : [path]))).size : 0;
}

function formatOthers(count: number): string {
  return `${formatCount(count)} more ${count === 1 ? 'does' : 'do'}`;
}

function formatAllWords(matching: number, others: number): string {
  if (matching === 0) return 'no note contains all words';
  return `${formatCount(matching)} ${matching === 1 ? 'note contains' : 'notes contain'} all words, ${formatOthers(others)} not`;
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
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

function parseContext(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number; write the query before --context.');
}

function printUsageError({ stderr }: Cli, message: string): ExitCode {
  stderr.write(`error: ${message}\n`);
  return exitCode.refused;
}
