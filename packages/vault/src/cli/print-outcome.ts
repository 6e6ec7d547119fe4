import { describeError } from '../contract/index.ts';
import { redactSecrets } from '../secrets/index.ts';
import type { ToolOutcome } from '../tools/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io, Output } from './io.ts';
import { terminalWidth, wrapText } from './wrap-line.ts';

/** Prints the result of a tool as text or JSON. A refused call is printed to standard error. */
export function printOutcome(
  { stdout, stderr }: Io,
  outcome: ToolOutcome,
  json: boolean | undefined,
): ExitCode {
  if (outcome.kind === 'refused') {
    stderr.write(`${outcome.message}\n`);
    return exitCode.refused;
  }
  const { text, value } = outcome.result;
  const output =
    json === true ? JSON.stringify({ text, ...value }, null, 2) : formatForTerminal(text, stdout);
  if (output !== '') stdout.write(`${output}\n`);
  return value.errors.length > 0 ? exitCode.errors : exitCode.ok;
}

/** Escapes control characters for a terminal, because a note may contain sequences that move the cursor or repaint lines. */
export function escapeForTerminal(text: string, stream: { isTTY?: boolean }): string {
  if (stream.isTTY !== true) return text;
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** In a terminal, text is wrapped between words. */
export function formatForTerminal(text: string, stream: Output): string {
  return stream.isTTY === true ? wrapText(escapeForTerminal(text, stream), terminalWidth(stream)) : text;
}

export function printText({ stdout }: Pick<Io, 'stdout'>, text: string): void {
  stdout.write(`${formatForTerminal(text, stdout)}\n`);
}

/** Prints a value as JSON, or as text. */
export function printResult(
  { stdout }: Io,
  text: string,
  value: unknown,
  { json }: { json?: boolean },
): void {
  const shown = json === true ? JSON.stringify(value, null, 2) : formatForTerminal(text, stdout);
  stdout.write(`${shown}\n`);
}

/** Prints a line to standard error. */
export function note({ stderr }: Pick<Io, 'stderr'>, line: string): void {
  stderr.write(`${formatForTerminal(line, stderr)}\n`);
}

/** Prints an error to standard error, without the secrets that its message may repeat, such as the password of a database. */
export function reportError({ stderr }: Pick<Io, 'stderr'>, error: unknown): void {
  stderr.write(`${formatForTerminal(`error: ${redactSecrets(describeError(error)).text}`, stderr)}\n`);
}
