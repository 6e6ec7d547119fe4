import { describeError } from '../contract/index.ts';
import type { ToolOutcome } from '../tools/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';

/** Prints what a tool answered: its text, or its structured value. A refused call goes to standard error. */
export function showOutcome(
  { stdout, stderr }: Io,
  outcome: ToolOutcome,
  json: boolean | undefined,
): ExitCode {
  if (outcome.kind === 'refused') {
    stderr.write(`${outcome.message}\n`);
    return exitCode.refused;
  }
  const { text, value } = outcome.result;
  const output = json === true ? JSON.stringify({ text, ...value }, null, 2) : safeForTerminal(text, stdout);
  if (output !== '') stdout.write(`${output}\n`);
  return value.errors.length > 0 ? exitCode.errors : exitCode.ok;
}

/** A note may hold escape sequences that move the cursor and repaint lines; on a terminal they are spelled out. */
export function safeForTerminal(text: string, stream: { isTTY?: boolean }): string {
  if (stream.isTTY !== true) return text;
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Prints a value for programs, or what a person reads. */
export function print({ stdout }: Io, text: string, value: unknown, { json }: { json?: boolean }): void {
  const shown = json === true ? JSON.stringify(value, null, 2) : safeForTerminal(text, stdout);
  stdout.write(`${shown}\n`);
}

/** A line on standard error beside the output. */
export function note({ stderr }: Pick<Io, 'stderr'>, line: string): void {
  stderr.write(`${safeForTerminal(line, stderr)}\n`);
}

export function reportError({ stderr }: Pick<Io, 'stderr'>, error: unknown): void {
  stderr.write(`error: ${describeError(error)}\n`);
}
