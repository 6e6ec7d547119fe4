import { formatSearchResult } from '../tools/index.ts';
import type { ReadRun } from '../tools/index.ts';
import { withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { withProgressBar } from './show-progress.ts';

export type SearchOutput = ReturnType<typeof formatSearchResult>;

/** Searches in this process. Returns a message when the input is invalid. */
export function findLocally(
  cli: Cli,
  input: Parameters<ReadRun['search']>[0],
  options: VaultOptions,
): Promise<SearchOutput | string> {
  return withKeepsake(cli, options, async (keepsake) => {
    await withProgressBar(cli, 'indexing', (onProgress) => keepsake.search.prepare('fast', onProgress));
    const outcome = await keepsake.readRun('person').search(input);
    return outcome.kind === 'bad-scope'
      ? `scope ${outcome.pattern}: ${outcome.reason}`
      : formatSearchResult(outcome);
  });
}
