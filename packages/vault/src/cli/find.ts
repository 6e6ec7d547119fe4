import { styleText } from 'node:util';
import { Option } from 'commander';
import type { Command } from 'commander';
import { callerBeside, examples, vaultCommand, wholeNumber } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import type { Found } from './find-here.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { safeForTerminal, showOutcome } from './show-outcome.ts';

type FindOptions = VaultOptions & {
  deep?: boolean;
  scope?: string[];
  limit?: number;
  context?: number;
  paths?: boolean;
  from?: string;
  to?: string;
};

const usualContext = 3;

export function findCommand(cli: Cli): Command {
  const command = vaultCommand('find')
    .alias('search')
    .summary('search the vault')
    .description(
      'Finds the passages of files that answer a query, and shows them with the lines around them.',
    )
    .argument('<query...>', 'what to look for; several quoted queries are searched one by one and merged')
    .option('--deep', 'compare meanings, too, where a model is set up')
    .option('--scope <pattern...>', "only in these paths, as 'projects/*/state.md' or projects/startup-x/")
    .addOption(new Option('--limit <n>', 'how many results at most').argParser(wholeNumber))
    .addOption(
      new Option('--context <n>', 'lines above and below').argParser(wholeNumber).default(usualContext),
    )
    .option('--paths', 'print only the paths, each once')
    .option(
      '--from <day>',
      'only from this day on (2025-07-14): of a changelog its days, of other files their last change',
    )
    .option('--to <day>', 'only up to this day')
    .action(async (queries: string[], options: FindOptions) => {
      cli.finish(await find(cli, queries, options));
    });
  return examples(command, [
    'find "why did we drop the external API"',
    "find décision --scope 'projects/*/changelog.md' --from 2025-07-01",
    'find "heating maintenance" --deep',
    'find invoice --paths',
  ]);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

async function find(cli: Cli, queries: string[], options: FindOptions): Promise<ExitCode> {
  for (const date of [options.from, options.to])
    if (date !== undefined && !isDay(date))
      return refuse(cli, `${date} is not a day; write it as 2025-07-14`);
  if ((options.from ?? '') > (options.to ?? '9999')) return refuse(cli, '--from is after --to');
  if (options.limit === 0) return refuse(cli, '--limit must be 1 or more');
  const there = await askBeside(cli, queries, options);
  if (there !== null) return there;
  const { findHere } = await import('./find-here.ts');
  const input = {
    ...inputOf(queries, options),
    context: options.context,
    dateFrom: options.from,
    dateTo: options.to,
  };
  const found = await findHere(cli, input, options);
  return typeof found === 'string' ? refuse(cli, found) : show(cli, found, options);
}

/** What the tool can be asked for is asked in the process that serves the vault; null when there is none, or it is more. */
async function askBeside(cli: Cli, queries: string[], options: FindOptions): Promise<ExitCode | null> {
  if (options.from !== undefined || options.to !== undefined || options.context !== usualContext) return null;
  const call = await callerBeside(cli, options);
  if (call === null) return null;
  const input = inputOf(queries, options);
  const outcome = await call({
    tool: 'search',
    input,
    reader: 'person',
    door: 'command-line',
    origin: 'keepsake find',
  });
  return outcome.kind === 'refused'
    ? showOutcome(cli, outcome, options.json)
    : show(cli, outcome.result as Found, options);
}

function inputOf(queries: string[], { deep, scope, limit }: FindOptions) {
  return { queries, mode: deep === true ? ('deep' as const) : ('fast' as const), scopes: scope, limit };
}

function show(cli: Cli, found: Found, { paths, json }: FindOptions): ExitCode {
  const { sections } = found.value;
  if (paths === true) showPaths(cli, sections);
  else if (json !== true && cli.stdout.isTTY === true) showOnTerminal(cli, found);
  else showOutcome(cli, { kind: 'result', result: found }, json);
  return sections.length === 0 ? exitCode.errors : exitCode.ok;
}

function showPaths({ stdout }: Cli, sections: Found['value']['sections']): void {
  const paths = new Set(sections.map(({ path }) => path));
  for (const path of paths) stdout.write(`${safeForTerminal(path, stdout)}\n`);
}

/** The same text; headers and the best line of each passage stand out. */
function showOnTerminal({ stdout }: Cli, { text, value }: Found): void {
  const { sections } = value;
  let block = -1;
  for (const line of safeForTerminal(text, stdout).split('\n')) {
    const isHeader = /^(?:```|~~~)\S/.test(line);
    if (isHeader) block += 1;
    const isBest = Number(/^(\d+) *\|/.exec(line)?.[1]) === sections[block]?.best;
    const style = isHeader ? 'cyan' : isBest ? 'bold' : /^(?:```|~~~)$|^note: /.test(line) ? 'dim' : null;
    stdout.write(`${style === null ? line : styleText(style, line, { stream: stdout })}\n`);
  }
}

function refuse({ stderr }: Cli, message: string): ExitCode {
  stderr.write(`error: ${message}\n`);
  return exitCode.refused;
}
