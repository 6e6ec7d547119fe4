import { AppError } from '../app/index.ts';
import type { Cli, VaultOptions } from './command.ts';
import { note } from './show-outcome.ts';

export type HandOverOptions = VaultOptions & {
  /** Whether to wait until it is filed. */
  wait?: boolean;
  /** The idempotency key. */
  key?: string;
};

/** Text and images are taken as they are. */
const taken = /\.(?:md|markdown|txt|text|png|jpe?g|gif|webp)$/i;

export function showReading(cli: Cli, name: string): void {
  if (!taken.test(name)) note(cli, `reading ${name}`);
}

/** Says that an update is on disk: on standard output, where nothing follows it there. */
export function showAccepted(
  cli: Cli,
  { id, warnings }: { id: string; warnings: string[] },
  { wait, json }: HandOverOptions,
): void {
  for (const warning of warnings) note(cli, `note: ${warning}`);
  if (wait === true) cli.stderr.write(`accepted ${id}\n`);
  else if (json === true) cli.stdout.write(`${JSON.stringify({ status: 'accepted', id, warnings })}\n`);
  else cli.stdout.write(`accepted ${id}\n`);
}

export function unknownItem(item: string): AppError {
  return new AppError('bad-input', `there is no inbox item ${item}`, { mend: 'see: keepsake inbox' });
}
