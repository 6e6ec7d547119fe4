import { AppError } from '../app/index.ts';
import type { Changes, JournalEntry } from '../changes/index.ts';

/** How many recent changes are searched for one that can be undone. */
const maxScannedChanges = 1_000;

/**
 * The newest change of the vault if the user made it on the command line. Otherwise throws: the user means a change by its id rather
 * than one that happens to be before others.
 */
export function findOwnNewest(changes: Pick<Changes, 'list'>): JournalEntry {
  const applied = changes
    .list({ joinsStamps: true, limit: maxScannedChanges })
    .filter(({ state }) => state === 'applied');
  const [newest] = applied;
  if (newest === undefined) throw new AppError('bad-input', 'there is no change to undo');
  if (newest.origin.startsWith('keepsake ')) return newest;
  const { id, origin, summary } = newest;
  const command = `keepsake undo ${id.slice(0, 8)}`;
  const isUndo = origin === 'undo';
  const before = applied.find((entry) => !entry.isUndone && entry.origin !== 'undo');
  const next =
    !isUndo || before === undefined
      ? ''
      : `; the change before it, ${before.id.slice(0, 8)} (${before.origin}, ${before.summary}): keepsake undo ${before.id.slice(0, 8)}`;
  throw new AppError('bad-input', `the newest change is ${id.slice(0, 8)} (${origin}, ${summary})`, {
    hint: `to ${isUndo ? 'redo what it undid' : 'undo it'}: ${command}${next}`,
  });
}
