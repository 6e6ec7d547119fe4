import { styleText } from 'node:util';
import { Option } from 'commander';
import type { Command } from 'commander';
import { formatAsOf } from './format-as-of.ts';
import { findRemoteToolCaller, withExamples, vaultCommand, parseInteger } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import type { SearchOutput } from './find-locally.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { escapeForTerminal, note, printOutcome } from './print-outcome.ts';

type FindOptions = VaultOptions & {
  deep?: boolean;
  scope?: string[];
  limit?: number;
  context?: number;
  paths?: boolean;
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
    .option('--paths', 'print only the paths, each once')
    .option(
      '--from <day>',
      'only results from this day on (2025-07-14), by changelog date or last modification',
    )
    .option('--to <day>', 'only results up to this day')
    .option('--as-of <day>', 'search the vault as it was at the end of this day, by history')
    .action(async (queries: string[], options: FindOptions) => {
      cli.finish(await find(cli, queries, options));
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
  return typeof found === 'string' ? printUsageError(cli, found) : show(cli, found, options);
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
    : show(cli, outcome.result as SearchOutput, options);
}

function toSearchInput(queries: string[], { deep, scope, limit }: FindOptions) {
  return { queries, mode: deep === true ? ('deep' as const) : ('fast' as const), scopes: scope, limit };
}

function show(cli: Cli, found: SearchOutput, { paths, json }: FindOptions): ExitCode {
  const { sections, asOf } = found.value;
  // The paths may be the input of another program.
  if (paths === true && asOf !== undefined) note(cli, formatAsOf(asOf));
  if (paths === true) showPaths(cli, sections);
  else if (json !== true && cli.stdout.isTTY === true) showOnTerminal(cli, found);
  else printOutcome(cli, { kind: 'result', result: found }, json);
  return sections.length === 0 ? exitCode.errors : exitCode.ok;
}

function showPaths({ stdout }: Cli, sections: SearchOutput['value']['sections']): void {
  const paths = new Set(sections.map(({ path }) => path));
  for (const path of paths) stdout.write(`${escapeForTerminal(path, stdout)}\n`);
}

/** Prints the text with highlighted headers and the best line of each passage in bold. */
function showOnTerminal({ stdout }: Cli, { text, value }: SearchOutput): void {
  const { sections } = value;
  let block = -1;
  for (const line of escapeForTerminal(text, stdout).split('\n')) {
    const isHeader = /^(?:```|~~~)\S/.test(line);
    if (isHeader) block += 1;
    const isBest = Number(/^(\d+) *\|/.exec(line)?.[1]) === sections[block]?.best;
    const style = isHeader ? 'cyan' : isBest ? 'bold' : /^(?:```|~~~)$|^note: /.test(line) ? 'dim' : null;
    stdout.write(`${style === null ? line : styleText(style, line, { stream: stdout })}\n`);
  }
}

function printUsageError({ stderr }: Cli, message: string): ExitCode {
  stderr.write(`error: ${message}\n`);
  return exitCode.refused;
}
