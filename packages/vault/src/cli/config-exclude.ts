import { Command, Option } from 'commander';
import {
  AppError,
  inspectPatterns,
  openKeepsake,
  parsePatterns,
  validatePatterns,
  readConfiguration,
  writeConfiguration,
} from '../app/index.ts';
import type { PatternMatchCount, Environment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { pluralize, walkFilePaths } from '../vault/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import { resolvePathArguments } from './path-argument.ts';

type Options = { add?: string[]; remove?: string[]; clear?: boolean; vault?: string; json?: boolean };

export function excludeCommand(cli: Cli): Command {
  const command = new Command('exclude')
    .summary('hide files from AI')
    .description(
      'Show or change which files are hidden from AI. Takes effect immediately, also for a running service. Patterns without an option are added.',
    )
    .argument('[patterns...]', 'patterns, for example private/**')
    .option('--add <patterns...>', 'hide these files')
    .option('--remove <patterns...>', 'stop hiding these files')
    .addOption(new Option('--clear', 'hide nothing').conflicts(['add', 'remove']))
    .option('--vault <folder>', 'vault in which to count matching files')
    .option('--json', 'print JSON')
    .action(async (patterns: string[]) => {
      // The parent command also defines --json and consumes it.
      const options = command.optsWithGlobals<Options>();
      await changeExclusions(cli, patterns, options);
      const exclusions = await listExclusions(cli, options.vault);
      cli.stdout.write(
        options.json === true ? `${JSON.stringify({ exclude: exclusions }, null, 2)}\n` : table(exclusions),
      );
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'config exclude',
    "config exclude --add 'private/**' projects/therapy/",
    "config exclude --remove 'private/**'",
    'config exclude --clear',
  ]);
}

async function changeExclusions(
  cli: Cli,
  patterns: readonly string[],
  { vault, add = [], remove: typed = [], clear = false }: Options,
): Promise<void> {
  const { environment } = cli;
  const resolve = (each: readonly string[]): Promise<string[]> =>
    resolvePathArguments(cli, { vault }, each, 'pattern');
  const added = parsePatterns(await resolve([...patterns, ...add]));
  // A pattern copied from the list is not relative to the current folder.
  const listed = new Set(configured(environment).map(normalizePattern));
  const remove = await Promise.all(
    typed.map(async (each) =>
      listed.has(normalizePattern(each)) ? each : ((await resolve([each]))[0] ?? each),
    ),
  );
  if (clear && added.length > 0) throw new AppError('bad-input', '--clear takes no patterns');
  if (!clear && added.length + remove.length === 0) return;
  // Existing invalid patterns must not prevent clearing the list or removing single patterns.
  const rest = clear ? [] : without(configured(environment), remove);
  const value = added.length === 0 ? rest : parsePatterns([...rest, ...added]);
  const problem = added.length === 0 ? null : validatePatterns(value);
  if (problem !== null) throw problem;
  writeConfiguration(environment, { place: ['agents', 'exclude'], value });
}

/** The patterns as written in the file. */
function configured(environment: Environment): string[] {
  return readConfiguration(environment).agents?.exclude ?? [];
}

function without(present: readonly string[], removed: readonly string[]): string[] {
  const unknown = removed.filter(
    (pattern) => !present.map(normalizePattern).includes(normalizePattern(pattern)),
  );
  if (unknown.length > 0)
    throw new AppError('bad-input', `not in the list: ${unknown.join(', ')}`, {
      hint: 'list the patterns with: keepsake config exclude',
    });
  return present.filter((pattern) => !removed.map(normalizePattern).includes(normalizePattern(pattern)));
}

/** Normalizes a pattern for comparison; an invalid one is compared as written. */
function normalizePattern(written: string): string {
  return validatePatterns([written]) === null ? parsePatterns([written]).join('') : written;
}

async function listExclusions(cli: Cli, vault: string | undefined): Promise<PatternMatchCount[]> {
  const written = configured(cli.environment);
  const problem = validatePatterns(written);
  if (problem !== null)
    cli.stderr.write(`warning: AI access is blocked until this is fixed: ${describeError(problem)}\n`);
  return countMatches(cli, written, vault);
}

async function countMatches(
  { environment, stderr }: Cli,
  written: readonly string[],
  vault: string | undefined,
): Promise<PatternMatchCount[]> {
  if (written.length === 0) return [];
  try {
    const keepsake = await openKeepsake({ vault, environment });
    try {
      return inspectPatterns(written, walkFilePaths(await keepsake.contents()));
    } finally {
      await keepsake.close();
    }
  } catch (error) {
    // The patterns apply to every vault, so they are listed even when there is no vault here.
    if (vault !== undefined || !(error instanceof AppError))
      stderr.write(`warning: could not count the files: ${describeError(error)}\n`);
    return inspectPatterns(written, []).map((each) => ({ ...each, files: null }));
  }
}

function table(exclusions: readonly PatternMatchCount[]): string {
  if (exclusions.length === 0) return 'no files are hidden from AI\n';
  const width = Math.max(...exclusions.map(({ pattern }) => pattern.length)) + 2;
  const lines = exclusions.map(({ pattern, files, problem }) =>
    `${pattern.padEnd(width)}${problem === undefined ? formatMatchCount(files) : `error: ${problem}`}`.trimEnd(),
  );
  return `hidden from AI:\n${lines.join('\n')}\n`;
}

function formatMatchCount(files: number | null): string {
  if (files === null) return '';
  return files === 0 ? 'warning: matches no file in this vault' : pluralize(files, 'file');
}
