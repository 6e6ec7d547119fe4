import { originalByName, showPath } from '../vault/index.ts';
import type { ConflictCopy, Language, VaultPath, VaultRoot } from '../vault/index.ts';
import { askOnce } from './ask-once.ts';
import type { Question } from './ask-once.ts';
import { reviewOfLeftCopy } from './copy-review.ts';
import { readPresent } from './outside-edits.ts';
import { lookAtStamps } from './stamping.ts';

type Parts = Parameters<typeof askOnce>[0] & { root: VaultRoot; language: Language };

/**
 * Asks about a conflict copy whose note was deleted or renamed: it is a note from then on, because its words may be nowhere else. Gives
 * the note that it was a copy of, null when there is nothing to ask.
 */
export async function askAboutLeftCopy(parts: Parts, path: VaultPath): Promise<VaultPath | null> {
  const original = originalByName(path);
  // What has changes of its own has been a note for a while.
  if (original === null || parts.changesOf(path).length > 0 || parts.changesOf(original).length === 0)
    return null;
  const [note, file] = [readPresent(parts.root, original), await lookAtStamps(parts.root, path)];
  if (note === 'passed over' || note.bytes !== null || file === null) return null;
  const question = questionAboutLeft({ path, original }, file.mtime, parts.language);
  return (await askOnce(parts, question)) ? original : null;
}

export function questionAboutLeft(
  { path, original }: Pick<ConflictCopy, 'path' | 'original'>,
  at: number,
  language: Language,
): Question {
  return {
    note: original,
    about: [path, 'left'],
    at,
    text: reviewOfLeftCopy(path, original, language),
    summary: `${showPath(original)} is gone: asked what its second version is to be`,
  };
}
