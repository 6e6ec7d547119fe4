import { secretItemLabel } from '../agents/index.ts';
import type { Changes } from '../changes/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import type { UpdateResult } from '../contract/index.ts';
import type { QueuedUpdate, UpdateQueue } from '../queue/index.ts';
import { hasMessageId } from '../intake/index.ts';
import { formatPath } from '../vault/index.ts';
import type { Language, VaultPath, VaultView } from '../vault/index.ts';

type Dependencies = {
  queue: Pick<UpdateQueue, 'findRepeated'>;
  changes: Pick<Changes, 'find' | 'laterPaths' | 'undonePaths'>;
  view: VaultView;
  language: Language;
  readResult: (stored: unknown) => UpdateResult;
};

/** After this time, a short text such as "Paid the rent" reports another event. */
const maxRepeatDelayMs = 24 * 3_600_000;
/** A text of this length in the same words is a copy, not another event. */
const minDistinctiveCharacters = 500;

/**
 * The result of an update whose content was filed before and is still in the vault: it needs no model. Null if the
 * earlier one was undone, is held or failed, if its question was answered, or if a file that it wrote is gone or hidden.
 * A short text counts only for a day, from one acceptance to the other, because both may have waited for a model.
 */
export async function findRepeatedUpdate(
  { id, acceptedAt, files }: Pick<QueuedUpdate, 'id' | 'acceptedAt' | 'files'>,
  text: string,
  { queue, changes, view, language, readResult }: Dependencies,
): Promise<UpdateResult | null> {
  const { inboxPath, isInInbox, listOpenItems } = view.layout();
  const isDistinctive =
    files.length > 0 || text.trim().length >= minDistinctiveCharacters || hasMessageId(text);
  for (const earlier of queue.findRepeated(id)) {
    if (!isDistinctive && acceptedAt - earlier.acceptedAt > maxRepeatDelayMs) continue;
    const result = readResult(earlier.result);
    const found = changes.find(earlier.id);
    const isFiled = found?.entry.state === 'applied' || found?.entry.state === 'approved';
    if (result.kind === 'unchanged' || !isFiled || found.isUndone) continue;
    if (changes.undonePaths(found.entry.id).size > 0) continue;
    const paths = changes.laterPaths(found.entry.id).filter((path) => !isInInbox(path));
    const asked = result.kind === 'filed' ? result.asked : null;
    const isOpen =
      asked === null ||
      secretItemLabel(asked) !== null ||
      listOpenItems(await view.contents(inboxPath)).some(([item]) => item === asked);
    if (!isOpen || !(await areFiles(paths, view))) continue;
    return {
      kind: 'unchanged',
      summary: summaries[language](formatLocalTime(earlier.acceptedAt).slice(0, 10), earlier.id.slice(0, 8)),
      known: paths.map(formatPath),
      earlier: { id: earlier.id, at: earlier.acceptedAt },
    };
  }
  return null;
}

async function areFiles(paths: readonly VaultPath[], view: VaultView): Promise<boolean> {
  for (const path of paths)
    if (!(await view.withEntry(path, async ({ kind }) => kind === 'file'))) return false;
  return true;
}

const summaries: Record<Language, (day: string, id: string) => string> = {
  en: (day, id) => `Already filed on ${day} (update ${id}).`,
  fr: (day, id) => `Déjà classé le ${day} (mise à jour ${id}).`,
};
