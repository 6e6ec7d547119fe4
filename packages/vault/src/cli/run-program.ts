import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Help } from 'commander';
import type { OutputConfiguration } from 'commander';
import {
  AppError,
  findVaultFolder,
  outputLanguage,
  readPackageVersion,
  readEnvironment,
} from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { KeepsakeError } from '../contract/index.ts';
import type { Language, VaultRoot } from '../vault/index.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { explainUsageError } from './explain-usage-error.ts';
import type { Io, Output } from './io.ts';
import { reportError } from './print-outcome.ts';

/** A command that is imported only when one of its names is called. */
export type LazyCommand = {
  names: string[];
  load: () => Promise<(cli: Cli) => Command | Command[]>;
  /** Not listed in any help, because only programs call it. */
  isHidden?: boolean;
};

export type ProgramDefinition = {
  name: string;
  description: string;
  commands: LazyCommand[];
  /** The commands that `--help` lists, by heading; `help all` lists the others. Without groups, `--help` lists all. */
  groups?: Record<string, string[]>;
  /** Called without a command; prints an introduction and returns true if help would come too early. */
  introduce?: (cli: Cli) => boolean;
};

/** Builds the program with only the called command, or with all commands if none matches, as for help. A short help has no exit codes. */
export async function buildProgram(
  { name, description, commands, groups }: ProgramDefinition,
  cli: Cli,
  called?: string,
  isShort = false,
): Promise<Command> {
  const program = new Command(name)
    .description(description)
    .version(readPackageVersion())
    .commandsGroup(groups === undefined ? 'Commands:' : 'More commands:')
    .addHelpText('after', isShort ? `\nMore: ${name} help <command>, ${name} help all` : exitCodes);
  const selected = commands.filter(({ names }) => called !== undefined && names.includes(called));
  const first = Object.values(groups ?? {}).flat();
  const built: { command: Command; hidden: boolean }[] = [];
  for (const { load, isHidden } of selected.length === 0 || called === 'completion' ? commands : selected)
    for (const command of [(await load())(cli)].flat()) built.push({ command, hidden: isHidden === true });
  // Help prints headings in the order in which their first commands were added.
  const rank = ({ command }: { command: Command }): number => first.indexOf(command.name()) + 1 || Infinity;
  for (const { command, hidden } of built.toSorted((a, b) => Math.sign(rank(a) - rank(b)) || 0))
    program.addCommand(command, { hidden });
  for (const [heading, names] of Object.entries(groups ?? {}))
    for (const command of program.commands)
      if (names.includes(command.name())) command.helpGroup(`${heading}:`);
  program.configureHelp({ visibleCommands: (all) => groupedFirst(all, first) });
  for (const command of flattenCommands(program))
    command.exitOverride().showSuggestionAfterError().configureOutput(outputConfiguration(cli, command));
  return program;
}

const exitCodes = '\nExit codes: 0 success; 1 errors in the output; 2 usage error.';

/** Makes `--help` fit on one screen: only the grouped commands, one line each. */
function showGroupsOnly(program: Command, groups: Record<string, string[]>): void {
  const shown = Object.values(groups).flat();
  program.configureHelp({
    visibleCommands: (all) => groupedFirst(all, shown).slice(0, shown.length),
    subcommandTerm: (command) => command.name(),
  });
}

/** The commands with these names, in this order, then the others. */
function groupedFirst(program: Command, names: string[]): Command[] {
  const all = new Help().visibleCommands(program);
  const { grouped = [], others = [] } = Object.groupBy(all, (command) =>
    names.includes(command.name()) ? 'grouped' : 'others',
  );
  return [...grouped.toSorted((a, b) => names.indexOf(a.name()) - names.indexOf(b.name())), ...others];
}

function flattenCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(flattenCommands)];
}

function outputConfiguration({ stdout, stderr }: Cli, command: Command): OutputConfiguration {
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    outputError: (text, write) => write(explainUsageError(command, text)),
    getOutHelpWidth: () => helpWidth(stdout),
    getErrHelpWidth: () => helpWidth(stderr),
  };
}

const helpWidth = ({ isTTY, columns = 80 }: Output): number => (isTTY === true ? columns : 80);

/** Runs one command line and returns the exit code. Everything that the command opened is closed by then. */
export async function runProgram(definition: ProgramDefinition, args: string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  // The reader of a pipe may close it early (`keepsake read … | head`), which is not an error.
  let mustComplete = false;
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!mustComplete) io.exit(error.code === 'EPIPE' ? code : exitCode.errors);
  });
  const ignoreClosedOutput = (): void => {
    mustComplete = true;
    io.stderr.on('error', () => undefined);
  };
  try {
    checkEncoding(args);
    const { vault, rest } = takeLeadingVault(args);
    const variables = vault === undefined ? io.variables : { ...io.variables, KEEPSAKE_VAULT: vault };
    const environment = readEnvironment(variables, io.cwd);
    const finish = (done: ExitCode) => (code = done);
    const cli = { ...io, variables, environment, finish, ignoreClosedOutput };
    if (rest.length === 0 && definition.introduce?.(cli) === true) return code;
    const [first, about] = rest;
    const isHelpOfAll = first === 'help' && about === 'all';
    const groups = isHelpOfAll || first === 'completion' ? undefined : definition.groups;
    const program = await buildProgram(definition, cli, first, groups !== undefined);
    if (groups !== undefined) showGroupsOnly(program, groups);
    program.hook('preAction', async (_, called) => {
      cli.environment = { ...environment, language: await chooseLanguage(called, environment) };
    });
    const isUnknown =
      first === 'help' &&
      about !== undefined &&
      !definition.commands.some(({ names }) => names.includes(about));
    const parsed = isHelpOfAll ? ['--help'] : isUnknown && about !== 'help' ? rest.slice(1) : rest;
    await program.parseAsync(parsed, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.refused;
    if (error instanceof KeepsakeError) {
      reportError(io, error);
      return error.code === 'lost-lock' ? exitCode.errors : exitCode.refused;
    }
    // A failure of the disk, a database or git, which has an exit code, is not a bug in Keepsake, so a stack trace would not help.
    const cause = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^(E[A-Z]+|SQLITE_\w+|\d+)$/.test(cause)) throw error;
    reportError(io, describeSystemError(error as NodeJS.ErrnoException));
    return exitCode.errors;
  }
}

/** The language of a command: that of the vault that it works on, if it works on one. */
async function chooseLanguage(called: Command, environment: Environment): Promise<Language> {
  const isOnVault = called.options.some(({ long }) => long === '--vault') && called.name() !== 'init';
  if (!isOnVault) return environment.language;
  const { vault } = called.optsWithGlobals<{ vault?: string }>();
  const folder = await findVaultFolder(vault, environment).catch(() => undefined);
  return outputLanguage(folder === undefined ? null : (folder as VaultRoot), environment);
}

/** Splits off `--vault <folder>` in front of the command, where it means the same as behind it. */
function takeLeadingVault(args: readonly string[]): { vault: string | undefined; rest: string[] } {
  const [first = '', second, ...others] = args;
  if (first === '--vault' && second !== undefined) return { vault: second, rest: others };
  if (first.startsWith('--vault=')) return { vault: first.slice('--vault='.length), rest: args.slice(1) };
  return { vault: undefined, rest: [...args] };
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied; check who may read and write it',
  EPERM: 'the system does not permit this; check who may change it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full; free some space',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'too many symbolic links',
};

/** What happened in plain words; errors of the database and unusual ones as they are. */
function describeSystemError({ code = '', path, message }: NodeJS.ErrnoException): string {
  const problem = systemErrors[code];
  if (problem === undefined) return `${message.split('\n')[0]}; run: keepsake doctor`;
  return path === undefined ? problem : `${path}: ${problem}`;
}

/** Node.js replaces invalid UTF-8 in arguments with U+FFFD, so the original text would be lost. */
function checkEncoding(args: readonly string[]): void {
  if (!args.some((arg) => arg.includes('\ufffd')) || isUtf8(readRawArguments())) return;
  throw new AppError('bad-input', 'an argument is not valid UTF-8', {
    hint: 'set the terminal to UTF-8, or pipe the text to standard input',
  });
}

/** The raw bytes of the command line; empty on systems without /proc. */
function readRawArguments(): Buffer {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return Buffer.alloc(0);
  }
}
