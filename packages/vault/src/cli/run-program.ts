import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Help } from 'commander';
import type { OutputConfiguration } from 'commander';
import { AppError, readPackageVersion, readEnvironment } from '../app/index.ts';
import { KeepsakeError } from '../contract/index.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
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
};

/** Builds the program with only the called command, or with all commands if none matches, as for help. */
export async function buildProgram(
  { name, description, commands, groups }: ProgramDefinition,
  cli: Cli,
  called?: string,
): Promise<Command> {
  const program = new Command(name)
    .description(description)
    .version(readPackageVersion())
    .commandsGroup(groups === undefined ? 'Commands:' : 'More commands:')
    .addHelpText('after', '\nExit codes: 0 success; 1 errors in the output; 2 usage error.');
  const selected = commands.filter(({ names }) => called !== undefined && names.includes(called));
  for (const { load, isHidden } of selected.length === 0 || called === 'completion' ? commands : selected)
    for (const command of [(await load())(cli)].flat())
      program.addCommand(command, { hidden: isHidden === true });
  for (const [heading, names] of Object.entries(groups ?? {}))
    for (const command of program.commands)
      if (names.includes(command.name())) command.helpGroup(`${heading}:`);
  const first = Object.values(groups ?? {}).flat();
  program.configureHelp({ visibleCommands: (all) => groupedFirst(all, first) });
  for (const command of flattenCommands(program))
    command.exitOverride().showSuggestionAfterError().configureOutput(outputConfiguration(cli));
  return program;
}

/** Makes `--help` fit on one screen: only the grouped commands, one line each. */
function showGroupsOnly(program: Command, { name, groups }: ProgramDefinition): void {
  if (groups === undefined) return;
  const shown = Object.values(groups).flat();
  program
    .configureHelp({
      visibleCommands: (all) => groupedFirst(all, shown).slice(0, shown.length),
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText('after', `More: ${name} help <command>, ${name} help all`);
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

function outputConfiguration({ stdout, stderr }: Cli): OutputConfiguration {
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => helpWidth(stdout),
    getErrHelpWidth: () => helpWidth(stderr),
  };
}

const helpWidth = ({ isTTY, columns = 80 }: Output): number => (isTTY === true ? columns : 80);

/** Runs one command line and returns the exit code. Everything that the command opened is closed by then. */
export async function runProgram(definition: ProgramDefinition, args: string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  // The reader of a pipe may close it early (`keepsake read … | head`), which is not an error.
  io.stdout.on('error', (error: NodeJS.ErrnoException) =>
    io.exit(error.code === 'EPIPE' ? code : exitCode.errors),
  );
  try {
    checkEncoding(args);
    const environment = readEnvironment(io.variables, io.cwd);
    const cli = { ...io, environment, finish: (done: ExitCode) => (code = done) };
    const program = await buildProgram(definition, cli, args[0]);
    const isHelpOfAll = args[0] === 'help' && args[1] === 'all';
    if (!isHelpOfAll && args[0] !== 'completion') showGroupsOnly(program, definition);
    await program.parseAsync(isHelpOfAll ? ['--help'] : args, { from: 'user' });
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
    reportError(io, `${(error as Error).message.split('\n')[0]}; run: keepsake doctor`);
    return exitCode.errors;
  }
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
