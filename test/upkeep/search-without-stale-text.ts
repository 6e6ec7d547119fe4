import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';

/** Searches for a word and checks that every shown line is in its file now. Returns the number of hits. */
export async function searchWithoutStaleText(
  keepsake: Keepsake,
  folder: string,
  word: string,
): Promise<number> {
  const outcome = await keepsake.writeRun('model').search({ queries: [word], mode: 'fast' });
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  for (const { path, shownLines } of outcome.passages) {
    const text = readFileSync(join(folder, path.slice('vault/'.length)), 'utf8');
    if (!text.includes(shownLines.join('\n')))
      throw new Error(`${path} does not say: ${shownLines.join('\n')}`);
  }
  return outcome.passages.length;
}
