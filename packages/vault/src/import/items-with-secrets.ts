import { listSecretKinds } from '../secrets/index.ts';
import { fileKindOf } from '../vault/index.ts';
import type { BuildResult } from './build-items.ts';
import type { LinkRewriter } from './candidate.ts';
import type { SkippedItem } from './source.ts';

/** Lists the items whose texts seem to contain a secret. A dry run has not converted documents, so their texts are not searched. */
export async function findItemsWithSecrets(
  items: BuildResult['items'],
  rewrite: LinkRewriter,
): Promise<SkippedItem[]> {
  const found: SkippedItem[] = [];
  for (const item of items) {
    const kinds = new Set<string>();
    for (const text of await readTexts(item, rewrite))
      for (const kind of await listSecretKinds(text)) kinds.add(kind);
    if (kinds.size > 0) found.push({ path: item.candidate.path, reason: [...kinds].join(', ') });
  }
  return found;
}

async function readTexts(
  { candidate, name, files }: BuildResult['items'][number],
  rewrite: LinkRewriter,
): Promise<string[]> {
  const written = files.flatMap(({ path, after }) => (after === null ? [] : [{ name: path, bytes: after }]));
  const isDryRun = files.length === 0;
  const built = isDryRun && !candidate.isConverted ? await candidate.build(name, rewrite) : null;
  const all = built?.kind === 'built' ? built.files : written;
  return all
    .filter((file) => fileKindOf(file.name) === 'markdown')
    .map(({ bytes }) => Buffer.from(bytes).toString());
}
