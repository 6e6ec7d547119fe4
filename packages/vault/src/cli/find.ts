import { Option } from 'commander';
import type { Command } from 'commander';
import { formatAsOf } from './format-as-of.ts';
import { findRemoteToolCaller, withExamples, vaultCommand, parseInteger } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import type { SearchOutput } from './find-locally.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { resolvePathArguments } from './path-argument.ts';
import { escapeForTerminal, note, printOutcome } from './print-outcome.ts';

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
      'show all results (on a terminal, the default is the best passages and one line per further file)',
    )
    .option('--paths', 'print only the paths, each once')
    .option(
      '--from <day>',
      'only results from this day on (2025-07-14), by changelog date or last modification',
    )
    .option('--to <day>', 'only results up to this day')
    .option('--as-of <day>', 'search the vault as it was at the end of this day, by history')
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

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

async function find(cli: Cli, queries: string[], options: FindOptions): Promise<ExitCode> {
  for (const date of [options.from, options.to])
    if (date !== undefined && !isDay(date))
      return printUsageError(cli, `invalid date ${date}; use YYYY-MM-DD`);
  if ((options.from ?? '') > (options.to ?? '9999')) return printUsageError(cli, '--from is after --to');
  if (options.limit === 0) return printUsageError(cli, '--limit must be 1 or more');
  if (options.asOf !== undefined && options.deep === true)
    return printUsageError(cli, '--as-of searches by words only; leave out --deep');
  const remoteResult = await findRemotely(cli, queries, options);
  if (remoteResult !== null) return remoteResult;
  const { findLocally } = await import('./find-locally.ts');
  const input = {
    ...toSearchInput(queries, options),
    context: options.context,
    dateFrom: options.from,
    dateTo: options.to,
  };
  const found = await findLocally(cli, input, options);
  return typeof found === 'string' ? printUsageError(cli, found) : show(cli, found, queries, options);
}

/** Searches in the process that serves the vault; null when there is none, or when the search tool does not support the options. */
async function findRemotely(cli: Cli, queries: string[], options: FindOptions): Promise<ExitCode | null> {
  const { from, to, asOf, context } = options;
  if ([from, to, asOf].some((each) => each !== undefined) || context !== defaultContextLines) return null;
  const call = await findRemoteToolCaller(cli, options);
  if (call === null) return null;
  const input = toSearchInput(queries, options);
  const outcome = await call({
    tool: 'search',
    input,
    reader: 'person',
    door: 'command-line',
    origin: 'keepsake find',
  });
  return outcome.kind === 'refused'
    ? printOutcome(cli, outcome, options.json)
    : show(cli, outcome.result as SearchOutput, queries, options);
}

/** The maximum of the search tool. */
const maxLimit = 50;

function toSearchInput(queries: string[], { deep, scope, limit, all }: FindOptions) {
  const mode = deep === true ? ('deep' as const) : ('fast' as const);
  return { queries, mode, scopes: scope, limit: limit ?? (all === true ? maxLimit : undefined) };
}

async function show(
  cli: Cli,
  found: SearchOutput,
  queries: string[],
  options: FindOptions,
): Promise<ExitCode> {
  const { paths, json } = options;
  const { sections, asOf } = found.value;
  // The paths may be the input of another program.
  if (paths === true && asOf !== undefined) note(cli, formatAsOf(asOf));
  if (paths === true) showPaths(cli, sections);
  else if (json !== true && cli.stdout.isTTY === true) {
    const { showFound } = await import('./show-found.ts');
    const isComplete = options.all === true || options.limit !== undefined;
    showFound(cli.stdout, found, { queries, isComplete });
    if (sections.length === 0) suggestMore(cli, options);
  } else printOutcome(cli, { kind: 'result', result: found }, json);
  return sections.length === 0 ? exitCode.errors : exitCode.ok;
}

function showPaths({ stdout }: Cli, sections: SearchOutput['value']['sections']): void {
  const paths = new Set(sections.map(({ path }) => path));
  for (const path of paths) stdout.write(`${escapeForTerminal(path, stdout)}\n`);
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
