import { markedConflicts, showPath } from '../vault/index.ts';
import type { Language, VaultPath, VaultRoot } from '../vault/index.ts';
import { askOnce } from './ask-once.ts';
import { reviewOfMarkers } from './copy-review.ts';
import { readPresent } from './outside-edits.ts';
import { lookAtStamps } from './stamping.ts';

type Parts = Parameters<typeof askOnce>[0] & { root: VaultRoot; language: Language };

/** Asks about what git could not merge in a note, if it left anything there. */
export async function askAboutMarkers(
  parts: Parts,
  path: VaultPath,
): Promise<'asked' | 'left' | 'disturbed'> {
  const present = readPresent(parts.root, path);
  const text = present === 'passed over' ? '' : String(present.bytes ?? '');
  const conflicts = markedConflicts(text);
  if (conflicts.length === 0) return 'left';
  // Who has it open is asked of few: it takes long.
  const file = await lookAtStamps(parts.root, path);
  if (file === null || file.isBeingWritten === true || String(file.bytes) !== text) return 'disturbed';
  const isAsked = await askOnce(parts, {
    note: path,
    about: [path, JSON.stringify(conflicts)],
    at: file.mtime,
    text: reviewOfMarkers(path, conflicts, parts.language),
    summary: `git left both sides in ${showPath(path)}: asked which one is to stand`,
  });
  return isAsked ? 'asked' : 'left';
}
