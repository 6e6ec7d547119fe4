import type { ToolOutcome } from '../app/index.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';

/** Prints what a tool answered: its text, or its structured value. A refused call goes to standard error. */
export function showOutcome(outcome: ToolOutcome, json: boolean | undefined): ExitCode {
  if (outcome.kind === 'refused') {
    process.stderr.write(`${outcome.message}\n`);
    return exitCode.refused;
  }
  const { text, value } = outcome.result;
  const output = json === true ? JSON.stringify(value, null, 2) : text;
  if (output !== '') process.stdout.write(`${output}\n`);
  return value.errors.length > 0 ? exitCode.errors : exitCode.ok;
}
