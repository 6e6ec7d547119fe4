import { closeSync } from 'node:fs';
import type { Clock } from '../contract/index.ts';
import { enter, largestText } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { readBytes } from './apply.ts';
import { blobIdOf } from './git.ts';
import type { Repository } from './repository.ts';
import type { WriterLock } from './writer-lock.ts';

type Parts = {
  root: VaultRoot;
  /** The historian's. */
  lock: WriterLock;
  repository: Repository;
  clock: Clock;
  /** Whether no transaction was begun since history had all of them: only then is what differs an edit from outside. */
  isUndisturbed: () => boolean;
};

/** Read and committed together. */
const batchSize = 100;

/**
 * Gives edits made outside a commit of their own, as far as these files differ from the newest one. Tells which paths
 * are done with; the others are to be tried again. To be called right after history took what the journal had.
 */
export async function recordOutsideEdits(
  { root, lock, repository, clock, isUndisturbed }: Parts,
  paths: readonly VaultPath[],
): Promise<{ done: VaultPath[]; committed: number }> {
  return lock.hold(async (grant) => {
    const recorded = await repository.use(grant, async (git) => {
      const done: VaultPath[] = [];
      let committed = 0;
      for (let from = 0; from < paths.length; from += batchSize) {
        const batch = paths.slice(from, from + batchSize);
        const known = await git.blobIds(batch);
        const files = batch.flatMap((path) => {
          const after = readText(root, path);
          const isKnown = known.get(path) === (after === null ? undefined : blobIdOf(after));
          return isKnown ? [] : [{ path, after }];
        });
        if (!isUndisturbed()) break;
        grant.check();
        if (files.length > 0) await git.add([{ at: clock(), message: 'Edited outside\n', files }]);
        done.push(...batch);
        committed += files.length;
      }
      return { done, committed };
    });
    return recorded ?? { done: [...paths], committed: 0 };
  });
}

/** Null for what is not there, or too large for history. */
function readText(root: VaultRoot, path: VaultPath): Buffer | null {
  const found = enter(root, path);
  if (found.kind === 'file' || found.kind === 'folder') closeSync(found.fd);
  return found.kind === 'file' && found.stats.size <= largestText ? readBytes(root, path) : null;
}
