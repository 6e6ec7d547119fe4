import { parseConflictMarkers, formatPath } from '../vault/index.ts';
import type { Language, VaultPath } from '../vault/index.ts';
import { createInboxQuestion } from './inbox-question.ts';
import { renderMarkersReview } from './render-copy-review.ts';
import { readCurrent } from './external-edits.ts';
import { inspectStampableFile } from './stamp-files.ts';

type Dependencies = Parameters<typeof createInboxQuestion>[0] & {
  language: Language;
  /** Whether a file is hidden from models. */
  isHidden: (path: VaultPath) => boolean;
};

/** Asks about the conflict markers that git left in a note, if there are any. */
export async function askAboutConflictMarkers(
  dependencies: Dependencies,
  path: VaultPath,
): Promise<'asked' | 'unchanged' | 'busy'> {
  const present = readCurrent(dependencies.root, path);
  const text = present === 'skipped' ? '' : String(present.bytes ?? '');
  const conflicts = parseConflictMarkers(text);
  if (conflicts.length === 0) return 'unchanged';
  // Checks only now whether a program has the file open, because that check is slow.
  const file = await inspectStampableFile(dependencies.root, path);
  if (file === null || file.isBeingWritten === true || String(file.bytes) !== text) return 'busy';
  const isAsked = await createInboxQuestion(dependencies, {
    note: path,
    identity: [path, JSON.stringify(conflicts)],
    writtenAt: file.mtime,
    isHidden: dependencies.isHidden(path),
    text: renderMarkersReview(path, conflicts, dependencies.language),
    summary: `git left conflict markers in ${formatPath(path)}: asked which side to keep`,
  });
  return isAsked ? 'asked' : 'unchanged';
}
