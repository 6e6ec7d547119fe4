import { z } from 'zod';
import { childPath, rootPath } from '../vault/index.ts';
import { SyncError } from './sync-error.ts';
import { createRemovalKey, seal, unseal } from './removal-seal.ts';
import type { SyncRepository } from './sync-repository.ts';
import type { GitTree } from './read-tree.ts';
import { removalsGitPath } from './syncable-files.ts';

/** What was forgotten on a machine: JSON that the module `forget` reads and writes. */
export type Removal = { id: string; rules: unknown };

/** A removal that only a machine with the forgotten words can read. */
export type SealedRemoval = { id: string; sealed: string };

/** The path of the list in a commit; no file of a vault can have this path. */
export const removalsPath = childPath(rootPath, removalsGitPath);

const maxListBytes = 20_000_000;

const listSchema = z.object({
  version: z.literal(1),
  removals: z.array(z.object({ id: z.string(), sealed: z.string() })),
});
const contentSchema = z.object({ rules: z.unknown(), nextKey: z.string() });

/** The removals of a commit, oldest first. */
export async function readRemovalList(
  repository: Pick<SyncRepository, 'sizes' | 'contents'>,
  tree: GitTree,
): Promise<SealedRemoval[]> {
  const entry = tree.get(removalsGitPath);
  if (entry === undefined) return [];
  const [size = 0] = await repository.sizes([entry.id]);
  const bytes = size > maxListBytes ? undefined : (await repository.contents([entry.id])).get(entry.id);
  try {
    return parseRemovalList(bytes);
  } catch (cause) {
    throw new SyncError('rewritten', 'the list of forgotten words in the remote cannot be read', {
      hint: 'upgrade Keepsake on this machine',
      cause,
    });
  }
}

export function parseRemovalList(bytes: Buffer | undefined): SealedRemoval[] {
  return listSchema.parse(JSON.parse(bytes?.toString() ?? '')).removals;
}

export function formatRemovalList(removals: readonly SealedRemoval[]): Buffer {
  return Buffer.from(`${JSON.stringify({ version: 1, removals }, null, 1)}\n`);
}

/**
 * Seals removals as a chain that starts with the key of the current history and ends with the key of the next one, so
 * that a machine can follow it from any earlier history.
 */
export function sealRemovals(removals: readonly Removal[], from: string, to: string): SealedRemoval[] {
  let key = from;
  return removals.map(({ id, rules }, index) => {
    const nextKey = index === removals.length - 1 ? to : createRemovalKey();
    const sealed = seal(key, id, { rules, nextKey });
    key = nextKey;
    return { id, sealed };
  });
}

/** Opens the removals that are newer than the history with key `from`; null if they do not lead to the key `to`. */
export function openRemovals(list: readonly SealedRemoval[], from: string, to: string): Removal[] | null {
  let key = from;
  const opened: Removal[] = [];
  for (const { id, sealed } of list) {
    if (key === to) break;
    const content = contentSchema.safeParse(unseal(key, id, sealed));
    if (!content.success) continue;
    opened.push({ id, rules: content.data.rules });
    key = content.data.nextKey;
  }
  return key === to ? opened : null;
}
