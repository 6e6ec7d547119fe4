import { randomUUID } from 'node:crypto';
import { findOwnerForVault } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import type { Cli } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { submitRemotely } from './submit-remotely.ts';
import type { SubmitOptions } from './print-accepted.ts';

/**
 * Submits an update to the process that serves the vault, without opening the vault, or accepts it in this process when there is
 * none. The idempotency key ensures that it is accepted only once, even if that process exits before it responds.
 */
export async function submitUpdate(cli: Cli, input: UpdateInput, options: SubmitOptions): Promise<ExitCode> {
  // The HTTP API compares keys in lower case.
  const keyed = {
    ...options,
    key: (options.key ?? randomUUID()).toLowerCase(),
    // A note is saved at once, so its result is shown.
    ...(input.asNote === true && { wait: true }),
  };
  const owner = await findOwnerForVault({ ...options, environment: cli.environment });
  const remoteOutcome = owner && fitsRequest(input) ? await submitRemotely(cli, owner, input, keyed) : null;
  if (remoteOutcome?.kind === 'over') return remoteOutcome.code;
  // Loaded lazily, because it imports everything that opens a vault.
  const { acceptLocally } = await import('./accept-locally.ts');
  return acceptLocally(cli, input, keyed, remoteOutcome?.id ?? null);
}

/** The server accepts 100 files and 60 MB in one request, including the overhead of the form encoding. */
function fitsRequest({ text, files }: UpdateInput): boolean {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, Buffer.byteLength(text));
  return files.length <= 100 && bytes < 50_000_000;
}
