import { randomUUID } from 'node:crypto';
import { findServing } from '../app/index.ts';
import type { UpdateInput } from '../contract/index.ts';
import type { Cli } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { handOverThere } from './hand-over-there.ts';
import type { HandOverOptions } from './show-accepted.ts';

/**
 * Hands an update to the process that serves the vault, without opening the vault, or accepts it here when there is none. It
 * is accepted once, also when that process ends before it has answered.
 */
export async function handOver(cli: Cli, input: UpdateInput, options: HandOverOptions): Promise<ExitCode> {
  // In lower case, as the HTTP interface compares them.
  const keyed = { ...options, key: (options.key ?? randomUUID()).toLowerCase() };
  const owner = await findServing({ ...options, environment: cli.environment });
  const there = owner && fitsRequest(input) ? await handOverThere(cli, owner, input, keyed) : null;
  if (there?.kind === 'over') return there.code;
  // Loaded only here: it brings everything that opens a vault.
  const { acceptHere } = await import('./accept-here.ts');
  return acceptHere(cli, input, keyed, there?.id ?? null);
}

/** What the service takes in one request: 100 files and 60 MB, of which some are for the form itself. */
function fitsRequest({ text, files }: UpdateInput): boolean {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, Buffer.byteLength(text));
  return files.length <= 100 && bytes < 50_000_000;
}
