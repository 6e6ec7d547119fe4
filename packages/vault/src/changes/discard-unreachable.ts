import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunGit } from './run-git.ts';
import { removeStaleLocks, removeUnfinishedObjects } from './unfinished-git-files.ts';

/**
 * Combines everything that a ref needs into one pack and deletes all other objects. This process deletes them itself: if it is killed, a
 * `git prune` that it had started would continue, and could delete objects that the next process adds.
 */
export async function discardUnreachable(folder: string, git: RunGit): Promise<void> {
  removeStaleLocks(folder);
  removeUnfinishedObjects(folder);
  const loose = listLooseObjects(join(folder, 'objects'));
  await git(['repack', '-a', '-d', '--quiet', '--no-write-bitmap-index']);
  for (const file of loose) rmSync(file, { force: true });
}

function listLooseObjects(objects: string): string[] {
  return readdirSync(objects)
    .filter((name) => /^[\da-f]{2}$/.test(name))
    .flatMap((name) => readdirSync(join(objects, name)).map((file) => join(objects, name, file)));
}
