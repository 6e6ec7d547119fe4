import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunGit } from './run-git.ts';
import { removeUnfinishedObjects } from './unfinished-git-files.ts';

/** Above these numbers, objects are packed: git looks into every pack for each object that it reads. */
const maxPacks = 20;
const maxLooseObjects = 2_000;

/**
 * Packs the repository if it has many packs or loose objects. Small packs are combined first, so that large ones are
 * rarely rewritten. Objects that no commit refers to are kept.
 */
export async function packHistory(folder: string, git: RunGit): Promise<void> {
  const packs = listNames(join(folder, 'objects/pack')).filter((name) => name.endsWith('.pack'));
  if (packs.length <= maxPacks && countLooseObjects(folder) <= maxLooseObjects) return;
  removeUnfinishedObjects(folder);
  await git(['repack', '--geometric=2', '-d', '--quiet']);
}

/** Loose objects are counted with this size: the smallest unit of most file systems. */
const looseObjectBytes = 4_096;

/**
 * Packs the whole repository into one pack if that saves much: objects are compressed against all others, not only against
 * those of their pack. Objects that no commit refers to are kept.
 */
export async function compactHistory(folder: string, git: RunGit): Promise<void> {
  const packFolder = join(folder, 'objects/pack');
  const sizes = listNames(packFolder)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => statSync(join(packFolder, name)).size);
  const largest = Math.max(0, ...sizes);
  const rest = sizes.reduce((sum, size) => sum + size, 0) - largest;
  const loose = countLooseObjects(folder) * looseObjectBytes;
  if (rest + loose <= minSavedBytes || rest + loose <= largest / 2) return;
  removeUnfinishedObjects(folder);
  await git(['repack', '-a', '-d', '--keep-unreachable', '--quiet', '--no-write-bitmap-index']);
}

/** Below this size, packing is not worth a git process that reads all of history. */
const minSavedBytes = 1_000_000;

/** The hashes are distributed evenly, so one of the 256 folders is enough for an estimate. */
function countLooseObjects(folder: string): number {
  return listNames(join(folder, 'objects/17')).length * 256;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
