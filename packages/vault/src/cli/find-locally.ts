import type { Keepsake } from '../app/index.ts';
import { formatSearchResult } from '../tools/index.ts';
import type { ReadRun } from '../tools/index.ts';
import { withVaultAsOf } from './as-of.ts';
import { withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { formatAsOf } from './format-as-of.ts';
import { withProgressBar } from './show-progress.ts';

/** Documents that are not read by then are left to the next search or to the service. */
const maxDocumentWaitMs = 10_000;

type SearchInput = Parameters<ReadRun['search']>[0];

export type SearchOutput = ReturnType<typeof formatSearchResult> & { value: { asOf?: string } };

/** Searches in this process, also in an earlier state of the vault. Returns a message when the input is invalid. */
export async function findLocally(
  cli: Cli,
  input: SearchInput,
  { asOf, ...options }: VaultOptions & { asOf?: string },
): Promise<SearchOutput | string> {
  if (asOf !== undefined)
    return withVaultAsOf(cli, { ...options, asOf, isForModel: false }, async ({ past }) => {
      const found = await search(past.keepsake, input);
      if (typeof found === 'string') return found;
      return {
        ...found,
        text: `${formatAsOf(asOf)}\n\n${found.text}`,
        value: { ...found.value, asOf },
      };
    });
  return withKeepsake(cli, options, async (keepsake) => {
    await withProgressBar(cli, 'indexing', (onProgress) => keepsake.search.prepare('fast', onProgress));
    await withProgressBar(cli, 'reading documents', (onProgress) =>
      keepsake.search.indexDocuments({
        signal: new AbortController().signal,
        maxMs: maxDocumentWaitMs,
        onProgress,
      }),
    );
    return search(keepsake, input);
  });
}

async function search(keepsake: Keepsake, input: SearchInput): Promise<SearchOutput | string> {
  const outcome = await keepsake.readRun('person').search(input);
  return outcome.kind === 'bad-scope'
    ? `scope ${outcome.pattern}: ${outcome.reason}`
    : formatSearchResult(outcome);
}
