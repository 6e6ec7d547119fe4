import type { Keepsake } from '../app/index.ts';
import type { Cli } from './command.ts';
import { withProgressBar } from './show-progress.ts';

/** Documents that are not read by then are left to the next command or to the service. */
const maxDocumentWaitMs = 10_000;

/** Brings the index up to date, and reads documents for a while. Stops when the signal is aborted. */
export async function prepareSearch(
  cli: Cli,
  { search }: Pick<Keepsake, 'search'>,
  signal = new AbortController().signal,
): Promise<void> {
  await withProgressBar(cli, 'indexing', (onProgress) =>
    search.prepare('fast', (done, total) => {
      signal.throwIfAborted();
      onProgress(done, total);
    }),
  );
  await withProgressBar(cli, 'reading documents', (onProgress) =>
    search.indexDocuments({ signal, maxMs: maxDocumentWaitMs, onProgress }),
  );
}
