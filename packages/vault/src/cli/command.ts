import { Command, InvalidArgumentError } from 'commander';
import { findServing } from '../app/index.ts';
import type { Environment, Keepsake } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import type { ToolCaller } from '../tools/index.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { showOutcome } from './show-outcome.ts';

export type VaultOptions = { vault?: string; state?: string; json?: boolean };

/** What a command works with: the process around it, and how its action ends. */
export type Cli = Io & {
  environment: Environment;
  /** Sets the exit code. Every action ends with it. */
  finish: (code: ExitCode) => void;
};

/** A command that works on a vault, with the options all of them share. */
export function vaultCommand(name: string): Command {
  return new Command(name)
    .option(
      '--vault <folder>',
      'the vault (default: KEEPSAKE_VAULT, else the nearest parent with .keepsake/, else the configured one)',
    )
    .option('--state <folder>', "Keepsake's own data about the vault (default: in your state folder)")
    .option('--json', 'print the result for programs');
}

/** Examples under the options of `--help`. */
export function examples(command: Command, lines: string[]): Command {
  return command.addHelpText('after', () => {
    const program = rootOf(command).name();
    return `\nExamples:\n${lines.map((line) => `  $ ${program} ${line}`).join('\n')}`;
  });
}

/** The program that a command belongs to. */
export function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

export async function withKeepsake<Value>(
  { environment, stderr }: Pick<Cli, 'environment' | 'stderr'>,
  { vault, state }: VaultOptions,
  work: (keepsake: Keepsake) => Promise<Value>,
): Promise<Value> {
  // Loaded only here: beside a process that serves the vault, a command needs hardly anything.
  const { openKeepsake } = await import('./open-keepsake.ts');
  const keepsake = await openKeepsake({ vault, state, environment });
  try {
    return await work(keepsake);
  } finally {
    // Last, so that the answer does not wait for it.
    await orWarn(stderr, keepsake.outside.recordOutsideEdits({ ifDue: true }));
    const { notRecorded } = await keepsake.close();
    if (notRecorded !== null) stderr.write(`warning: history will be completed later (${notRecorded})\n`);
  }
}

/** The same for what reads or changes history, which is to know first what other programs have done to files. */
export function withHistory<Value>(
  cli: Cli,
  options: VaultOptions,
  work: (keepsake: Keepsake) => Promise<Value>,
): Promise<Value> {
  return withKeepsake(cli, options, async (keepsake) => {
    await orWarn(cli.stderr, keepsake.outside.recordOutsideEdits());
    return work(keepsake);
  });
}

async function orWarn(stderr: Cli['stderr'], recording: Promise<void>): Promise<void> {
  try {
    await recording;
  } catch (error) {
    stderr.write(
      `warning: history does not have the edits of other programs yet (${describeError(error)}); see: keepsake doctor\n`,
    );
  }
}

/** Calls tools in the process that serves the vault, or here when there is none. */
export async function withToolCaller<Value>(
  cli: Cli,
  options: VaultOptions,
  work: (call: ToolCaller) => Promise<Value>,
): Promise<Value> {
  const there = await callerBeside(cli, options);
  return there === null ? withKeepsake(cli, options, (keepsake) => work(keepsake.callTool)) : work(there);
}

/** Calls tools in the process that serves the vault; null when there is none. */
export async function callerBeside({ environment }: Cli, options: VaultOptions): Promise<ToolCaller | null> {
  const owner = await findServing({ ...options, environment });
  if (owner === null) return null;
  const { callToolThere } = await import('./call-there.ts');
  return (call) => callToolThere(owner, call);
}

/** A person's command over a tool: the same tool, without the bounds of a model, committed at once. */
export async function callForPerson(
  cli: Cli,
  tool: string,
  input: unknown,
  options: VaultOptions,
): Promise<ExitCode> {
  return withToolCaller(cli, options, async (call) =>
    showOutcome(
      cli,
      await call({ tool, input, reader: 'person', door: 'command-line', origin: `keepsake ${tool}` }),
      options.json,
    ),
  );
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
