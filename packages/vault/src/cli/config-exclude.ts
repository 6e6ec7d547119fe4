import { Command, Option } from 'commander';
import {
  AppError,
  lookAtPatterns,
  openKeepsake,
  parsePatterns,
  problemWith,
  readConfiguration,
  setConfigured,
} from '../app/index.ts';
import type { CountedPattern, Environment } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { count, filePathsBelow } from '../vault/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';

type Options = { add?: string[]; remove?: string[]; clear?: boolean; vault?: string; json?: boolean };

export function excludeCommand(cli: Cli): Command {
  const command = new Command('exclude')
    .summary('keep files from the agents and every other model')
    .description(
      'Shows which files are kept from models, and changes it. It counts at once, also for a service that runs. Patterns that are given without an option are added.',
    )
    .argument('[patterns...]', 'as private/**')
    .option('--add <patterns...>', 'keep these back as well')
    .option('--remove <patterns...>', 'keep these back no longer')
    .addOption(new Option('--clear', 'keep nothing back').conflicts(['add', 'remove']))
    .option('--vault <folder>', 'the vault in which files are counted')
    .option('--json', 'print it for programs')
    .action(async (patterns: string[]) => {
      // The command above has --json as well, and takes it.
      const options = command.optsWithGlobals<Options>();
      change(cli, patterns, options);
      const kept = await keptNow(cli, options.vault);
      cli.stdout.write(
        options.json === true ? `${JSON.stringify({ exclude: kept }, null, 2)}\n` : table(kept),
      );
      cli.finish(exitCode.ok);
    });
  return examples(command, [
    'config exclude',
    "config exclude --add 'private/**' projects/therapy/",
    "config exclude --remove 'private/**'",
    'config exclude --clear',
  ]);
}

function change(
  { environment }: Cli,
  patterns: readonly string[],
  { add = [], remove = [], clear = false }: Options,
): void {
  const added = parsePatterns([...patterns, ...add]);
  if (clear && added.length > 0) throw new AppError('bad-input', '--clear takes no patterns');
  if (!clear && added.length + remove.length === 0) return;
  // Whatever is wrong with what was there, it can be cleared, and taken off one by one.
  const rest = clear ? [] : without(configured(environment), remove);
  const value = added.length === 0 ? rest : parsePatterns([...rest, ...added]);
  const problem = added.length === 0 ? null : problemWith(value);
  if (problem !== null) throw problem;
  setConfigured(environment, { place: ['agents', 'exclude'], value });
}

/** As they stand in the file. */
function configured(environment: Environment): string[] {
  return readConfiguration(environment).agents?.exclude ?? [];
}

function without(present: readonly string[], removed: readonly string[]): string[] {
  const unknown = removed.filter((pattern) => !present.map(meaningOf).includes(meaningOf(pattern)));
  if (unknown.length > 0)
    throw new AppError('bad-input', `${unknown.join(', ')}: not among the patterns`, {
      mend: 'see them with: keepsake config exclude',
    });
  return present.filter((pattern) => !removed.map(meaningOf).includes(meaningOf(pattern)));
}

/** One that something is wrong with stands for itself, as it is written. */
function meaningOf(written: string): string {
  return problemWith([written]) === null ? parsePatterns([written]).join('') : written;
}

async function keptNow(cli: Cli, vault: string | undefined): Promise<CountedPattern[]> {
  const written = configured(cli.environment);
  const problem = problemWith(written);
  if (problem !== null)
    cli.stderr.write(`warning: models see nothing at all until this is mended: ${describeError(problem)}\n`);
  return counted(cli, written, vault);
}

async function counted(
  { environment, stderr }: Cli,
  written: readonly string[],
  vault: string | undefined,
): Promise<CountedPattern[]> {
  if (written.length === 0) return [];
  try {
    const keepsake = await openKeepsake({ vault, environment });
    try {
      return lookAtPatterns(written, filePathsBelow(await keepsake.contents()));
    } finally {
      await keepsake.close();
    }
  } catch (error) {
    // The patterns hold for every vault; that there is none here is no reason not to show them.
    if (vault !== undefined || !(error instanceof AppError))
      stderr.write(`warning: the files could not be counted: ${describeError(error)}\n`);
    return lookAtPatterns(written, []).map((each) => ({ ...each, files: null }));
  }
}

function table(kept: readonly CountedPattern[]): string {
  if (kept.length === 0) return 'nothing is kept from models\n';
  const width = Math.max(...kept.map(({ pattern }) => pattern.length)) + 2;
  const lines = kept.map(({ pattern, files, problem }) =>
    `${pattern.padEnd(width)}${problem === undefined ? said(files) : `error: ${problem}`}`.trimEnd(),
  );
  return `kept from models:\n${lines.join('\n')}\n`;
}

function said(files: number | null): string {
  if (files === null) return '';
  return files === 0 ? 'warning: no file of this vault matches at present' : count(files, 'file');
}
