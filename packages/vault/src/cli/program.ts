import type { Command } from 'commander';
import { findNearestVault, tryReadConfiguredVault } from '../app/index.ts';
import type { Cli } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { printText } from './print-outcome.ts';
import { buildProgram as build, runProgram } from './run-program.ts';
import type { LazyCommand, ProgramDefinition } from './run-program.ts';

/** In the order of the help output. */
const commands: LazyCommand[] = [
  { names: ['setup'], load: async () => (await import('./setup.ts')).setupCommand },
  { names: ['init'], load: async () => (await import('./init.ts')).initCommand },
  { names: ['add'], load: async () => (await import('./add.ts')).addCommand },
  { names: ['import'], load: async () => (await import('./import.ts')).importCommand },
  { names: ['ask'], load: async () => (await import('./ask.ts')).askCommand },
  { names: ['inbox'], load: async () => (await import('./inbox.ts')).inboxCommand },
  { names: ['tidy'], load: async () => (await import('./tidy.ts')).tidyCommand },
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
  { names: ['forget'], load: async () => (await import('./forget.ts')).forgetCommand },
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
  { names: ['reconnect'], load: async () => (await import('./reconnect.ts')).reconnectCommand },
  { names: ['link'], load: async () => (await import('./link.ts')).linkCommand },
  { names: ['today'], load: async () => (await import('./today.ts')).todayCommand },
  { names: ['brief'], load: async () => (await import('./brief.ts')).briefCommand },
  { names: ['capture'], load: async () => (await import('./capture.ts')).captureCommand },
  { names: ['models'], load: async () => (await import('./models.ts')).modelsCommand },
  { names: ['demo'], load: async () => (await import('./demo.ts')).demoCommand },
  { names: ['completion'], load: async () => (await import('./completion.ts')).completionCommand },
];

const keepsake: ProgramDefinition = {
  name: 'keepsake',
  description: 'Your own memory: a vault of plain Markdown files, open to every AI tool.',
  commands,
  groups: {
    Start: ['setup', 'connect', 'serve', 'open', 'demo'],
    Remember: ['add', 'import', 'inbox'],
    Recall: ['ask', 'find', 'read', 'today'],
    Correct: ['write', 'edit', 'history', 'undo', 'forget'],
    Keep: ['sync', 'backup', 'config', 'doctor'],
  },
  introduce,
};

/** Says what Keepsake is and how to start if there is no vault yet. */
function introduce({ stdout, cwd, environment }: Cli): boolean {
  const known = environment.vault ?? findNearestVault(cwd()) ?? tryReadConfiguredVault(environment);
  if (known !== undefined) return false;
  const text = `Keepsake is a memory of your own: a folder of plain Markdown notes that every AI tool you connect can read and write.
You have no vault yet. This creates one, or uses a folder of notes that you have, and connects your AI tools:

  keepsake setup`;
  printText({ stdout }, text);
  return true;
}

/** Builds the program with only the called command, or with all commands if none matches. */
export function buildProgram(cli: Cli, called?: string): Promise<Command> {
  return build(keepsake, cli, called);
}

/** Runs one command line and returns the exit code. Everything that the command opened is closed by then. */
export function runKeepsake(args: string[], io: Io): Promise<ExitCode> {
  return runProgram(keepsake, args, io);
}
