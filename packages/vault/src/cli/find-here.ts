import { showFound } from '../tools/index.ts';
import type { ReadRun } from '../tools/index.ts';
import { withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { showProgress } from './show-progress.ts';

export type Found = ReturnType<typeof showFound>;

/** Searches in this process; or says what is wrong with what is asked. */
export function findHere(
  cli: Cli,
  input: Parameters<ReadRun['search']>[0],
  options: VaultOptions,
): Promise<Found | string> {
  return withKeepsake(cli, options, async (keepsake) => {
    await showProgress(cli, 'indexing', (tell) => keepsake.search.prepare('fast', tell));
    const outcome = await keepsake.readRun('person').search(input);
    return outcome.kind === 'bad-scope' ? `scope ${outcome.pattern}: ${outcome.reason}` : showFound(outcome);
  });
}
