import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Help } from 'commander';
import type { OutputConfiguration } from 'commander';
import { AppError, packageVersion, readEnvironment } from '../app/index.ts';
import { AdvisedError, describeError } from '../contract/index.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io, Output } from './io.ts';

/** Loaded when one of its names is called, with what it needs and nothing else. */
export type LazyCommand = { names: string[]; load: () => Promise<(cli: Cli) => Command | Command[]> };

export type ProgramDefinition = {
  name: string;
  description: string;
  commands: LazyCommand[];
  /** Names of the commands that `--help` lists, by heading; the others are behind `help all`. Without groups it lists all. */
  groups?: Record<string, string[]>;
};

/** The program with only the command that is called, or with all commands when it is none of them, as for help. */
export async function buildProgram(
  { name, description, commands, groups }: ProgramDefinition,
  cli: Cli,
  called?: string,
): Promise<Command> {
  const program = new Command(name)
    .description(description)
    .version(packageVersion())
    .commandsGroup(groups === undefined ? 'Commands:' : 'More commands:')
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 the output carries errors; 2 the command or its input is not valid.',
    );
  const wanted = commands.filter(({ names }) => called !== undefined && names.includes(called));
  for (const { load } of wanted.length === 0 || called === 'completion' ? commands : wanted)
    for (const command of [(await load())(cli)].flat()) program.addCommand(command);
  for (const [heading, names] of Object.entries(groups ?? {}))
    for (const command of program.commands)
      if (names.includes(command.name())) command.helpGroup(`${heading}:`);
  const first = Object.values(groups ?? {}).flat();
  program.configureHelp({ visibleCommands: (all) => groupedFirst(all, first) });
  for (const command of withAllBelow(program))
    command.exitOverride().showSuggestionAfterError().configureOutput(outputOf(cli));
  return program;
}

/** Makes `--help` fit one screen: the commands of the groups, one line each. */
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

/** The commands with these names in their order, then the others. */
function groupedFirst(program: Command, names: string[]): Command[] {
  const all = new Help().visibleCommands(program);
  const { grouped = [], others = [] } = Object.groupBy(all, (command) =>
    names.includes(command.name()) ? 'grouped' : 'others',
  );
  return [...grouped.toSorted((a, b) => names.indexOf(a.name()) - names.indexOf(b.name())), ...others];
}

function withAllBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}

function outputOf({ stdout, stderr }: Cli): OutputConfiguration {
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  };
}

const widthOf = ({ isTTY, columns = 80 }: Output): number => (isTTY === true ? columns : 80);

/** Runs one command line and gives the code to exit with. Everything that the command opened is closed by then. */
export async function runProgram(definition: ProgramDefinition, args: string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  // The reader of a pipe may have seen enough (`keepsake read … | head`): that is no error.
  io.stdout.on('error', (error: NodeJS.ErrnoException) =>
    io.exit(error.code === 'EPIPE' ? code : exitCode.errors),
  );
  try {
    checkEncoding(args);
    const environment = readEnvironment(io.variables, io.cwd);
    const cli = { ...io, environment, finish: (done: ExitCode) => (code = done) };
    const program = await buildProgram(definition, cli, args[0]);
    const isHelpOfAll = args[0] === 'help' && args[1] === 'all';
    if (!isHelpOfAll) showGroupsOnly(program, definition);
    await program.parseAsync(isHelpOfAll ? ['--help'] : args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.refused;
    if (error instanceof AdvisedError) {
      io.stderr.write(`error: ${describeError(error)}\n`);
      return exitCode.refused;
    }
    // A disk or a database that fails is not a bug of ours, and a stack would not help.
    const cause = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^(E[A-Z]+|SQLITE_\w+)$/.test(cause)) throw error;
    io.stderr.write(`error: ${(error as Error).message}; nothing more was done. See: keepsake doctor\n`);
    return exitCode.errors;
  }
}

/** Node.js puts U+FFFD in the place of bytes that are not UTF-8, so what the user typed would be lost. */
function checkEncoding(args: readonly string[]): void {
  if (!args.some((arg) => arg.includes('\ufffd')) || isUtf8(givenBytes())) return;
  throw new AppError('bad-input', 'an argument is not UTF-8', {
    mend: 'set the terminal to UTF-8, or send the text through standard input',
  });
}

/** The command line as the system has it; empty where it does not tell. */
function givenBytes(): Buffer {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return Buffer.alloc(0);
  }
}
