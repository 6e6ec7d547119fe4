import type { z } from 'zod';
import type { Keepsake } from '../app/index.ts';
import type { api } from '../contract/index.ts';
import { toSearchResponse } from '../tools/index.ts';
import type { ReadRun } from '../tools/index.ts';
import { withVaultAsOf } from './as-of.ts';
import { withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { noteWaitingUpdates } from './note-waiting-updates.ts';
import { prepareSearch } from './prepare-search.ts';

type SearchInput = Parameters<ReadRun['search']>[0];

/** A search result, with the day of an earlier state. */
export type SearchOutput = z.output<typeof api.searchResponse> & { asOf?: string };

/** Searches in this process, also in an earlier state of the vault. Returns a message when the input is invalid. */
export async function findLocally(
  cli: Cli,
  input: SearchInput,
  { asOf, ...options }: VaultOptions & { asOf?: string },
): Promise<SearchOutput | string> {
  if (asOf !== undefined)
    return withVaultAsOf(cli, { ...options, asOf, isForModel: false }, async ({ past }) => {
      const found = await search(past.keepsake, input);
      return typeof found === 'string' ? found : { ...found, asOf };
    });
  return withKeepsake(cli, options, async (keepsake) => {
    await prepareSearch(cli, keepsake);
    noteWaitingUpdates(cli, keepsake);
    return search(keepsake, input);
  });
}

async function search(keepsake: Keepsake, input: SearchInput): Promise<SearchOutput | string> {
  const outcome = await keepsake.readRun('person').search(input);
  return outcome.kind === 'bad-scope'
    ? `scope ${outcome.pattern}: ${outcome.reason}`
    : toSearchResponse(outcome);
}
