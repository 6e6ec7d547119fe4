import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';

/** Searches for a word; every line shown must be in its file now. Gives the number of hits. */
export async function searchesNothingGone(keepsake: Keepsake, folder: string, word: string): Promise<number> {
  const outcome = await keepsake.writeRun('model').search({ queries: [word], mode: 'fast' });
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  for (const { path, shownLines } of outcome.passages) {
    const text = readFileSync(join(folder, path.slice('vault/'.length)), 'utf8');
    if (!text.includes(shownLines.join('\n')))
      throw new Error(`${path} does not say: ${shownLines.join('\n')}`);
  }
  return outcome.passages.length;
}
