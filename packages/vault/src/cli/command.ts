import { Command, InvalidArgumentError } from 'commander';
import { findOwnerForVault } from '../app/index.ts';
import type { Environment, Keepsake } from '../app/index.ts';
import { describeError, explainInvalidDay, isDay } from '../contract/index.ts';
import type { ToolCaller } from '../tools/index.ts';
import type { ExitCode } from './exit-code.ts';
import { storeExamples } from './explain-usage-error.ts';
import type { Io } from './io.ts';
import { printOutcome } from './print-outcome.ts';

export type VaultOptions = { vault?: string; state?: string; json?: boolean };

/** The context of a command: the input and output of its process, its environment, and a way to set the exit code. */
export type Cli = Io & {
  environment: Environment;
  /** Sets the exit code. Every action calls it last. */
  finish: (code: ExitCode) => void;
  /** From now on the command completes its work even if what it prints is no longer read, as in `keepsake forget … --yes | head`. */
  ignoreClosedOutput: () => void;
};

/** Creates a command that works on a vault, with the shared options. */
export function vaultCommand(name: string): Command {
  return new Command(name)
    .option(
      '--vault <folder>',
      'vault folder (default: $KEEPSAKE_VAULT, the nearest parent with .keepsake/, or the configured vault)',
    )
    .option(
      '--state <folder>',
      'state folder of the vault: history, queue, index (default: in your XDG state folder)',
    )
    .option('--json', 'print JSON');
}

/** Adds examples below the options of `--help`. */
export function withExamples(command: Command, lines: string[]): Command {
  storeExamples(command, lines);
  return command.addHelpText('after', () => {
    const program = rootCommand(command).name();
    return `\nExamples:\n${lines.map((line) => `  $ ${program} ${line}`).join('\n')}`;
  });
}

/** The program that a command belongs to. */
export function rootCommand(command: Command): Command {
  return command.parent === null ? command : rootCommand(command.parent);
}

export async function withKeepsake<Value>(
  { environment, stderr }: Pick<Cli, 'environment' | 'stderr'>,
  { vault, state, isJoining = false }: VaultOptions & { isJoining?: boolean },
  work: (keepsake: Keepsake) => Promise<Value>,
): Promise<Value> {
  // Loaded lazily: when another process serves the vault, a command needs almost none of this code.
  const { openKeepsake } = await import('./lazy-open-keepsake.ts');
  const keepsake = await openKeepsake({ vault, state, environment, isJoining });
  try {
    return await work(keepsake);
  } finally {
    // Last, so that the output does not wait for it.
    await warnOnError(stderr, keepsake.externalEdits.recordOutsideEdits({ ifDue: true }));
    const { recordError } = await keepsake.close();
    if (recordError !== null)
      stderr.write(`warning: history is incomplete and will be completed on the next run (${recordError})\n`);
  }
}

/** Like `withKeepsake`, but first records edits by other programs. For commands that read or change history. */
export function withHistory<Value>(
  cli: Cli,
  options: VaultOptions,
  work: (keepsake: Keepsake) => Promise<Value>,
): Promise<Value> {
  return withKeepsake(cli, options, async (keepsake) => {
    await warnOnError(cli.stderr, keepsake.externalEdits.recordOutsideEdits());
    return work(keepsake);
  });
}

async function warnOnError(stderr: Cli['stderr'], recording: Promise<void>): Promise<void> {
  try {
    await recording;
  } catch (error) {
    stderr.write(
      `warning: could not record the edits of other programs (${describeError(error)}); run: keepsake doctor\n`,
    );
  }
}

/** Calls tools in the process that serves the vault, or in this process when there is none. */
export async function withToolCaller<Value>(
  cli: Cli,
  options: VaultOptions,
  work: (call: ToolCaller) => Promise<Value>,
): Promise<Value> {
  const remoteCaller = await findRemoteToolCaller(cli, options);
  return remoteCaller === null
    ? withKeepsake(cli, options, (keepsake) => work(keepsake.callTool))
    : work(remoteCaller);
}

/** Returns a caller for tools in the process that serves the vault; null when there is none. */
async function findRemoteToolCaller({ environment }: Cli, options: VaultOptions): Promise<ToolCaller | null> {
  const owner = await findOwnerForVault({ ...options, environment });
  if (owner === null) return null;
  const { callRemoteTool } = await import('./call-remote-tool.ts');
  return (call) => callRemoteTool(owner, call);
}

/** Runs a tool for the user: without the limits for models, and with an immediate commit. */
export async function runToolCommand(
  cli: Cli,
  tool: string,
  input: unknown,
  options: VaultOptions,
): Promise<ExitCode> {
  return withToolCaller(cli, options, async (call) =>
    printOutcome(
      cli,
      await call({ tool, input, reader: 'person', door: 'command-line', origin: `keepsake ${tool}` }),
      options.json,
    ),
  );
}

export function parseDay(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError(`${capitalize(explainInvalidDay(text))}.`);
  return text;
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function parseInteger(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected an integer.');
  return Number(text);
}
