import { originalFromName, formatPath } from '../vault/index.ts';
import type { ConflictCopy, Language, VaultPath } from '../vault/index.ts';
import { createInboxQuestion } from './inbox-question.ts';
import type { InboxQuestion } from './inbox-question.ts';
import { renderOrphanedCopyReview } from './render-copy-review.ts';
import { readCurrent } from './external-edits.ts';
import { inspectStampableFile } from './stamp-files.ts';

type Dependencies = Parameters<typeof createInboxQuestion>[0] & {
  language: Language;
  /** Whether a file is hidden from models. */
  isHidden: (path: VaultPath) => boolean;
};

/**
 * Asks about a conflict copy whose note was deleted or renamed. The copy counts as a note from then on, because its text
 * may exist nowhere else. Returns the path of the original note; null when there is nothing to ask.
 */
export async function askAboutOrphanedCopy(
  dependencies: Dependencies,
  path: VaultPath,
): Promise<VaultPath | null> {
  const original = originalFromName(path);
  // A file with changes in the journal already counts as a note.
  if (
    original === null ||
    dependencies.changesOf(path).length > 0 ||
    dependencies.changesOf(original).length === 0
  )
    return null;
  const [note, file] = [
    readCurrent(dependencies.root, original),
    await inspectStampableFile(dependencies.root, path),
  ];
  if (note === 'skipped' || note.bytes !== null || file === null) return null;
  const question = orphanedCopyQuestion({ path, original }, file.mtime, dependencies);
  return (await createInboxQuestion(dependencies, question)) ? original : null;
}

export function orphanedCopyQuestion(
  { path, original }: Pick<ConflictCopy, 'path' | 'original'>,
  writtenAt: number,
  { language, isHidden }: Pick<Dependencies, 'language' | 'isHidden'>,
): InboxQuestion {
  return {
    note: original,
    identity: [path, 'left'],
    writtenAt,
    isHidden: isHidden(original),
    text: renderOrphanedCopyReview(path, original, language),
    summary: `${formatPath(original)} was deleted or renamed: asked what to do with its conflict copy`,
  };
}
