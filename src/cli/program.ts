import { Command, CommanderError } from 'commander';
import { packageVersion } from '../app/index.ts';
import { AdvisedError, describeError } from '../contract/index.ts';
import { addCommand } from './add.ts';
import { askCommand } from './ask.ts';
import { backupCommands } from './backup.ts';
import { callCommand } from './call.ts';
import { changeCommands } from './change.ts';
import { completionCommand } from './completion.ts';
import { concatCommand } from './concat.ts';
import { configCommand } from './config.ts';
import { connectCommand } from './connect.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { evalCommand } from './eval.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { findCommand } from './find.ts';
import { historyCommands } from './history.ts';
import { importCommand } from './import.ts';
import { inboxCommand } from './inbox.ts';
import { indexCommand } from './index-command.ts';
import { initCommand } from './init.ts';
import { modelsCommand } from './models.ts';
import { readCommand } from './read.ts';
import { mcpCommand, openCommand, serveCommand } from './serve.ts';
import { syncCommand } from './sync.ts';
import { tokenCommand } from './token.ts';
import { treeCommand } from './tree.ts';
import { updatesCommand } from './updates.ts';
import { verifyCommand } from './verify.ts';

/** The whole command line. Each action ends by telling `finish` its exit code. */
export function buildProgram(finish: (code: ExitCode) => void): Command {
  const program = new Command('keepsake')
    .description('A memory that belongs to you: a vault of plain markdown, open to every AI tool.')
    .version(packageVersion())
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 the output carries errors; 2 the command or its input is not valid.',
    );
  const single = [
    initCommand,
    addCommand,
    importCommand,
    askCommand,
    inboxCommand,
    updatesCommand,
    readCommand,
    concatCommand,
    treeCommand,
    findCommand,
    verifyCommand,
    indexCommand,
  ].map((command) => command(finish));
  const commands = [
    ...single,
    ...changeCommands(finish),
    ...historyCommands(finish),
    ...backupCommands(finish),
    syncCommand(finish),
    callCommand(finish),
    doctorCommand(finish),
    serveCommand(finish),
    openCommand(finish),
    mcpCommand(finish),
    tokenCommand(finish),
    configCommand(finish),
    connectCommand(finish),
    modelsCommand(finish),
    demoCommand(finish),
    evalCommand(finish),
    completionCommand(finish),
  ];
  for (const command of commands) program.addCommand(command);
  for (const command of withAllBelow(program)) command.exitOverride().showSuggestionAfterError();
  return program;
}

function withAllBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}

/** Runs one command line and gives the code to exit with. */
export async function run(args: string[]): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  // The reader of a pipe may have seen enough (`keepsake read … | head`): that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? code : exitCode.errors),
  );
  try {
    await buildProgram((finished) => (code = finished)).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.refused;
    if (error instanceof AdvisedError) {
      process.stderr.write(`error: ${describeError(error)}\n`);
      return exitCode.refused;
    }
    // A disk or a database that fails is not a bug of ours, and a stack would not help.
    const cause = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^(E[A-Z]+|SQLITE_\w+)$/.test(cause)) throw error;
    process.stderr.write(`error: ${(error as Error).message}; nothing more was done. See: keepsake doctor\n`);
    return exitCode.errors;
  }
}
