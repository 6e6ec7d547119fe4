import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import type { OutputConfiguration } from 'commander';
import { AppError, packageVersion, readEnvironment } from '../app/index.ts';
import { AdvisedError, describeError } from '../contract/index.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io, Output } from './io.ts';

type Loaded = { names: string[]; load: () => Promise<(cli: Cli) => Command | Command[]> };

/** In the order of help. A command is loaded when its name is called, with what it needs and nothing else. */
const commands: Loaded[] = [
  { names: ['init'], load: async () => (await import('./init.ts')).initCommand },
  { names: ['add'], load: async () => (await import('./add.ts')).addCommand },
  { names: ['import'], load: async () => (await import('./import.ts')).importCommand },
  { names: ['ask'], load: async () => (await import('./ask.ts')).askCommand },
  { names: ['inbox'], load: async () => (await import('./inbox.ts')).inboxCommand },
  { names: ['updates'], load: async () => (await import('./updates.ts')).updatesCommand },
  { names: ['read'], load: async () => (await import('./read.ts')).readCommand },
  { names: ['concat'], load: async () => (await import('./concat.ts')).concatCommand },
  { names: ['tree', 'ls'], load: async () => (await import('./tree.ts')).treeCommand },
  { names: ['find', 'search'], load: async () => (await import('./find.ts')).findCommand },
  { names: ['verify'], load: async () => (await import('./verify.ts')).verifyCommand },
  { names: ['index'], load: async () => (await import('./index-command.ts')).indexCommand },
  {
    names: ['write', 'edit', 'append', 'mv', 'move', 'rm', 'delete'],
    load: async () => (await import('./change.ts')).changeCommands,
  },
  {
    names: ['history', 'show', 'undo', 'restore', 'approve', 'reject'],
    load: async () => (await import('./history.ts')).historyCommands,
  },
  { names: ['backup', 'restore-backup'], load: async () => (await import('./backup.ts')).backupCommands },
  { names: ['sync'], load: async () => (await import('./sync.ts')).syncCommand },
  { names: ['call'], load: async () => (await import('./call.ts')).callCommand },
  { names: ['doctor'], load: async () => (await import('./doctor.ts')).doctorCommand },
  { names: ['serve'], load: async () => (await import('./serve.ts')).serveCommand },
  { names: ['open'], load: async () => (await import('./open.ts')).openCommand },
  { names: ['mcp'], load: async () => (await import('./mcp.ts')).mcpCommand },
  { names: ['people'], load: async () => (await import('./people.ts')).peopleCommand },
  { names: ['token'], load: async () => (await import('./token.ts')).tokenCommand },
  { names: ['config'], load: async () => (await import('./config.ts')).configCommand },
  { names: ['connect'], load: async () => (await import('./connect.ts')).connectCommand },
  { names: ['disconnect'], load: async () => (await import('./disconnect.ts')).disconnectCommand },
  { names: ['uninstall'], load: async () => (await import('./uninstall.ts')).uninstallCommand },
  { names: ['link'], load: async () => (await import('./link.ts')).linkCommand },
  { names: ['brief'], load: async () => (await import('./brief.ts')).briefCommand },
  { names: ['capture'], load: async () => (await import('./capture.ts')).captureCommand },
  { names: ['node'], load: async () => (await import('../../../service/src/cli/node.ts')).nodeCommand },
  { names: ['cluster'], load: async () => (await import('../../../service/src/cli/cluster.ts')).clusterCommand },
  { names: ['models'], load: async () => (await import('./models.ts')).modelsCommand },
  { names: ['demo'], load: async () => (await import('./demo.ts')).demoCommand },
  { names: ['eval'], load: async () => (await import('../../../benchmark/src/cli/eval.ts')).evalCommand },
  { names: ['completion'], load: async () => (await import('./completion.ts')).completionCommand },
];

/** The command line, of which only the command that is called; all of it for anything else, as for help. */
export async function buildProgram(cli: Cli, called?: string): Promise<Command> {
  const program = new Command('keepsake')
    .description('A memory that belongs to you: a vault of plain markdown, open to every AI tool.')
    .version(packageVersion())
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 the output carries errors; 2 the command or its input is not valid.',
    );
  const wanted = commands.filter(({ names }) => called !== undefined && names.includes(called));
  for (const { load } of wanted.length === 0 || called === 'completion' ? commands : wanted)
    for (const command of [(await load())(cli)].flat()) program.addCommand(command);
  for (const command of withAllBelow(program))
    command.exitOverride().showSuggestionAfterError().configureOutput(outputOf(cli));
  return program;
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
export async function run(args: string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  // The reader of a pipe may have seen enough (`keepsake read … | head`): that is no error.
  io.stdout.on('error', (error: NodeJS.ErrnoException) =>
    io.exit(error.code === 'EPIPE' ? code : exitCode.errors),
  );
  try {
    checkEncoding(args);
    const environment = readEnvironment(io.variables, io.cwd);
    const program = await buildProgram({ ...io, environment, finish: (done) => (code = done) }, args[0]);
    await program.parseAsync(args, { from: 'user' });
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
