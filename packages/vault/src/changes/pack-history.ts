import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunGit } from './run-git.ts';

/** Above these numbers, objects are packed: git looks into every pack for each object that it reads. */
const maxPacks = 20;
const maxLooseObjects = 2_000;

/**
 * Packs the repository if it has many packs or loose objects. Small packs are combined first, so that large ones are
 * rarely rewritten. Objects that no commit refers to are kept.
 */
export async function packHistory(folder: string, git: RunGit): Promise<void> {
  const objects = join(folder, 'objects');
  const packs = listNames(join(objects, 'pack')).filter((name) => name.endsWith('.pack'));
  // The hashes are distributed evenly, so one of the 256 folders is enough for an estimate.
  const looseObjects = listNames(join(objects, '17')).length * 256;
  if (packs.length > maxPacks || looseObjects > maxLooseObjects)
    await git(['repack', '--geometric=2', '-d', '--quiet']);
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
