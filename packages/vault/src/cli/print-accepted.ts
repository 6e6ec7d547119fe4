import { AppError } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import type { Cli, VaultOptions } from './command.ts';
import { note } from './print-outcome.ts';

export type SubmitOptions = VaultOptions & {
  /** Whether to wait until the update is filed. */
  wait?: boolean;
  /** The idempotency key. */
  key?: string;
};

/** Text and images, which need no conversion. */
const plainFilePattern = /\.(?:md|markdown|txt|text|png|jpe?g|gif|webp)$/i;

export function printReadingNote(cli: Cli, name: string): void {
  if (!plainFilePattern.test(name)) note(cli, `reading ${name}`);
}

/**
 * Reports that an update was accepted: on standard output, or on standard error if standard output is reserved for the
 * result.
 */
export function printAccepted(
  cli: Cli,
  { id, warnings }: { id: string; warnings: string[] },
  { wait, json }: SubmitOptions,
): void {
  for (const warning of warnings) note(cli, `note: ${warning}`);
  if (wait === true) cli.stderr.write(`accepted ${id}\n`);
  else if (json === true) cli.stdout.write(`${JSON.stringify({ status: 'accepted', id, warnings })}\n`);
  else cli.stdout.write(`accepted ${id}\n`);
}

/** Whether the result is printed if the update is finished once it is accepted: an answer may need no model. */
export function isShownAtOnce({ inboxRef }: UpdateInput, { wait, json }: SubmitOptions): boolean {
  return wait === true || (inboxRef !== undefined && json !== true);
}

export function unknownItemError(item: string): AppError {
  return new AppError('bad-input', `inbox item not found: ${item}`, {
    hint: 'list the items with: keepsake inbox',
  });
}
