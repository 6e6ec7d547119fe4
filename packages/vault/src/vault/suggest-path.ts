import type { FolderEntry } from './file-record.ts';
import { walkFiles } from './walk-files.ts';
import { childPath, baseName } from './path.ts';
import type { VaultPath } from './path.ts';
import { stripExtension } from './portable-name.ts';

/** Suggests an existing file for a wrong path: one with the same name in another folder, or one with a similar name. */
export function suggestPath(contents: FolderEntry, target: VaultPath): VaultPath | null {
  // Most files have the same extension, so it is not compared.
  const name = stripExtension(baseName(target)).toLowerCase();
  const limit = Math.floor(name.length / 3);
  let best: Candidate | null = null;
  for (const { folder, name: other } of walkFiles(contents)) {
    const stem = stripExtension(other).toLowerCase();
    if (Math.abs(stem.length - name.length) > limit) continue;
    const distance = boundedLevenshtein(name, stem, best?.distance ?? limit);
    if (distance === null) continue;
    const path = childPath(folder, other);
    const candidate = { path, distance, shared: commonStart(path, target) };
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

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** Levenshtein distance, or null when it is over `limit`. */
function boundedLevenshtein(a: string, b: string, limit: number): number | null {
  if (a === b) return 0;
  const row = new Uint16Array(b.length + 1).map((_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    let diagonal = i - 1;
    let smallest = (row[0] = i);
    for (let j = 1; j <= b.length; j += 1) {
      const above = row[j] ?? 0;
      const substituted = diagonal + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      row[j] = Math.min(substituted, above + 1, (row[j - 1] ?? 0) + 1);
      diagonal = above;
      smallest = Math.min(smallest, row[j] ?? 0);
    }
    if (smallest > limit) return null;
  }
  const distance = row[b.length] ?? 0;
  return distance <= limit ? distance : null;
}
