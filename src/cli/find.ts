import { styleText } from 'node:util';
import { Option } from 'commander';
import type { Command } from 'commander';
import { showFound } from '../tools/index.ts';
import { examples, vaultCommand, wholeNumber, withKeepsake } from './command.ts';
import type { Finish, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { safeForTerminal, showOutcome } from './show-outcome.ts';
import { showProgress } from './show-progress.ts';

type FindOptions = VaultOptions & {
  deep?: boolean;
  scope?: string[];
  limit?: number;
  context?: number;
  paths?: boolean;
  from?: string;
  to?: string;
};

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
    .addOption(new Option('--context <n>', 'lines above and below').argParser(wholeNumber).default(3))
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
  return withKeepsake(options, async (keepsake) => {
    await showProgress('indexing', (tell) => keepsake.search.prepare('fast', tell));
    const outcome = await keepsake.readRun('person').search({
      queries,
      mode: options.deep === true ? 'deep' : 'fast',
      scopes: options.scope,
      limit: options.limit,
      context: options.context,
      dateFrom: options.from,
      dateTo: options.to,
    });
    if (outcome.kind === 'bad-scope') return refuse(`scope ${outcome.pattern}: ${outcome.reason}`);
    const found = showFound(outcome);
    if (options.paths === true) showPaths(found.value.sections);
    else if (options.json !== true && process.stdout.isTTY) showOnTerminal(found);
    else showOutcome({ kind: 'result', result: found }, options.json);
    return outcome.passages.length === 0 ? exitCode.errors : exitCode.ok;
  });
}

type Found = ReturnType<typeof showFound>;

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
