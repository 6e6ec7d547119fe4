import { styleText } from 'node:util';
import { Option } from 'commander';
import type { Command } from 'commander';
import { callerBeside, examples, vaultCommand, wholeNumber } from './command.ts';
import type { Finish, VaultOptions } from './command.ts';
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

export function findCommand(finish: Finish): Command {
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
      finish(await find(queries, options));
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

async function find(queries: string[], options: FindOptions): Promise<ExitCode> {
  for (const date of [options.from, options.to])
    if (date !== undefined && !isDay(date)) return refuse(`${date} is not a day; write it as 2025-07-14`);
  if ((options.from ?? '') > (options.to ?? '9999')) return refuse('--from is after --to');
  if (options.limit === 0) return refuse('--limit must be 1 or more');
  const there = await askBeside(queries, options);
  if (there !== null) return there;
  const { findHere } = await import('./find-here.ts');
  const input = {
    ...inputOf(queries, options),
    context: options.context,
    dateFrom: options.from,
    dateTo: options.to,
  };
  const found = await findHere(input, options);
  return typeof found === 'string' ? refuse(found) : show(found, options);
}

/** What the tool can be asked for is asked in the process that serves the vault; null when there is none, or it is more. */
async function askBeside(queries: string[], options: FindOptions): Promise<ExitCode | null> {
  if (options.from !== undefined || options.to !== undefined || options.context !== usualContext) return null;
  const call = await callerBeside(options);
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
    ? showOutcome(outcome, options.json)
    : show(outcome.result as Found, options);
}

function inputOf(queries: string[], { deep, scope, limit }: FindOptions) {
  return { queries, mode: deep === true ? ('deep' as const) : ('fast' as const), scopes: scope, limit };
}

function show(found: Found, { paths, json }: FindOptions): ExitCode {
  const { sections } = found.value;
  if (paths === true) showPaths(sections);
  else if (json !== true && process.stdout.isTTY) showOnTerminal(found);
  else showOutcome({ kind: 'result', result: found }, json);
  return sections.length === 0 ? exitCode.errors : exitCode.ok;
}

function showPaths(sections: Found['value']['sections']): void {
  const paths = new Set(sections.map(({ path }) => path));
  for (const path of paths) process.stdout.write(`${safeForTerminal(path, process.stdout)}\n`);
}

/** The same text; headers and the best line of each passage stand out. */
function showOnTerminal({ text, value }: Found): void {
  const { sections } = value;
  let block = -1;
  for (const line of safeForTerminal(text, process.stdout).split('\n')) {
    const isHeader = /^(?:```|~~~)\S/.test(line);
    if (isHeader) block += 1;
    const isBest = Number(/^(\d+) *\|/.exec(line)?.[1]) === sections[block]?.best;
    const style = isHeader ? 'cyan' : isBest ? 'bold' : /^(?:```|~~~)$|^note: /.test(line) ? 'dim' : null;
    process.stdout.write(`${style === null ? line : styleText(style, line)}\n`);
  }
}

function refuse(message: string): ExitCode {
  process.stderr.write(`error: ${message}\n`);
  return exitCode.refused;
}
