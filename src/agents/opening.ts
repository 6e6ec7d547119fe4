import { localTime } from '../contract/index.ts';
import type { ChatContent } from '../models/index.ts';
import { readToolNamed } from '../tools/index.ts';
import type { Run } from '../tools/index.ts';
import { joinBlocks, overviewPath, profilePath } from '../vault/index.ts';

/**
 * What every agent is shown first: the map, the tree and the profile. It changes less often than what comes after it,
 * so it comes first and providers can keep it in their cache.
 */
export async function vaultContext(run: Run): Promise<ChatContent> {
  const files = await readAsModel(run, [overviewPath, profilePath]);
  const tree = await readToolNamed('tree').call(
    { depth: null },
    { ...run, bounds: { ...run.bounds, tokens: treeTokens } },
  );
  const shown = tree.kind === 'result' ? tree.result.text : tree.message;
  return {
    text: joinBlocks(['The vault as it is now.', files.text, `Its tree:\n\n${shown}`]),
    images: files.images,
  };
}

const treeTokens = 4_000;

/** As the tool `read` shows it, which also counts as having read it: what is shown may be edited. */
export async function readAsModel(run: Run, paths: string[]): Promise<ChatContent> {
  const outcome = await readToolNamed('read').call({ paths }, run);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.result;
}

/** The moment, in a form that says the day of the week, too. */
export function today(now: number): string {
  const day = new Date(now).toLocaleDateString('en', { weekday: 'long' });
  return `${day} ${localTime(now)}`;
}
