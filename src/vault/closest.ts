import type { FolderEntry } from './entry.ts';
import { childPath, nameOf } from './path.ts';
import type { VaultPath } from './path.ts';

/** The file somebody probably meant: one of the same name elsewhere, else one of almost the same name. */
export function closestPath(contents: FolderEntry, wanted: VaultPath): VaultPath | null {
  const name = nameOf(wanted).toLowerCase();
  let best: Candidate | null = null;
  for (const { path, name: other } of filesIn(contents)) {
    const distance = distanceUpTo(name, other.toLowerCase(), Math.floor(name.length / 3));
    if (distance === null) continue;
    const candidate = { path, distance, shared: commonStart(path, wanted) };
    if (best === null || isCloser(candidate, best)) best = candidate;
  }
  return best?.path ?? null;
}

type Candidate = { path: VaultPath; distance: number; shared: number };

function isCloser(a: Candidate, b: Candidate): boolean {
  if (a.distance !== b.distance) return a.distance < b.distance;
  if (a.shared !== b.shared) return a.shared > b.shared;
  return a.path < b.path;
}

function* filesIn(folder: FolderEntry): Generator<{ path: VaultPath; name: string }> {
  for (const name of folder.files.keys()) yield { path: childPath(folder.path, name), name };
  for (const child of folder.folders.values()) yield* filesIn(child);
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** Levenshtein distance, or null when it is over `limit`. */
function distanceUpTo(a: string, b: string, limit: number): number | null {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > limit) return null;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > limit) return null;
    row = next;
  }
  const distance = row[b.length] ?? 0;
  return distance <= limit ? distance : null;
}
