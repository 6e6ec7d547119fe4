import { z } from 'zod';
import type { SyncRepository } from './sync-repository.ts';

/**
 * The history of the remote that this machine was last synced with: its removal key, and if words were removed from
 * `base`, the commit of the remote that shows that `base` belongs to this history.
 */
export type Lineage = { removalKey: string; origin: string | null };

const schema = z.object({ removalKey: z.string(), origin: z.string().nullable() });

/** Null before the end of the first sync. */
export async function readLineage(repository: SyncRepository): Promise<Lineage | null> {
  const id = await repository.ref('lineage');
  if (id === null) return null;
  const bytes = (await repository.contents([id])).get(id);
  return schema.parse(JSON.parse(bytes?.toString() ?? ''));
}

/** Returns the value for the ref `lineage`. */
export function storeLineage(repository: SyncRepository, lineage: Lineage): Promise<string> {
  return repository.writeBlob(JSON.stringify(lineage));
}

/** Stores the removal key after a sync; returns it. */
export async function updateLineage(
  repository: SyncRepository,
  commit: string,
  isFirst: boolean,
): Promise<string> {
  const known = isFirst ? null : await readLineage(repository);
  if (known !== null && known.origin === null) return known.removalKey;
  const removalKey = known?.removalKey ?? (await repository.removalKeyOf(commit));
  await repository.setRefs({ lineage: await storeLineage(repository, { removalKey, origin: null }) });
  return removalKey;
}
