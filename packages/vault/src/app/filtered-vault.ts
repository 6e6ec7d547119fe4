import { createFilteredView } from '../agents/index.ts';
import { createTransaction } from '../changes/index.ts';
import type { Changes, WritePolicy } from '../changes/index.ts';
import { otherReason } from '../contract/index.ts';
import type { Clock, KeepsakeEvent } from '../contract/index.ts';
import type { SearchEngine } from '../search/index.ts';
import { createReadRun, createWriteRun } from '../tools/index.ts';
import type { ResultLimits, ReadRun, WriteRun } from '../tools/index.ts';
import { parseVaultPath, formatPath } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import type { IsExcluded, ExclusionReader } from './exclusion.ts';
import type { Update } from './updates.ts';

/**
 * A vault without the files that are hidden from its reader. The exclusion patterns are read before every access; if
 * they cannot be read, access throws and events are dropped.
 */
export type FilteredVault = {
  exclusion: ExclusionReader;
  /** Throws when the exclusion patterns cannot be read. */
  isExcluded: IsExcluded;
  view: VaultView;
  readRun: (bounds: ResultLimits) => ReadRun;
  writeRun: (bounds: ResultLimits, policy: WritePolicy) => WriteRun;
  changes: FilteredChanges;
  /** Returns a filter that removes details about hidden files from updates, as of the time of this call. */
  updateFilter: () => (update: Update) => Update;
  /** Null when no part of the event may be shown. */
  filterEvent: (event: KeepsakeEvent) => KeepsakeEvent | null;
};

/** Lists the changes of the vault, and undoes, restores, approves or rejects them. */
export type FilteredChanges = Pick<
  Changes,
  | 'list'
  | 'days'
  | 'find'
  | 'findExpired'
  | 'undo'
  | 'undonePaths'
  | 'restore'
  | 'approve'
  | 'reject'
  | 'recentMassDeletion'
  | 'fileVersions'
>;

type Dependencies = {
  view: VaultView;
  search: Pick<SearchEngine, 'search' | 'readDocument' | 'hasEmbedder'>;
  changes: Changes;
  clock: Clock;
  exclusion: ExclusionReader;
};

/** Whether a displayed path is hidden. */
type IsHidden = (shown: string) => boolean;

const neverHidden: IsHidden = () => false;

export function createFilteredVault({
  view: whole,
  search,
  changes,
  clock,
  exclusion,
}: Dependencies): FilteredVault {
  const view = createFilteredView(whole, exclusion);
  const engine: Dependencies['search'] = {
    readDocument: search.readDocument,
    hasEmbedder: search.hasEmbedder,
    async search(request, ...rest) {
      const isExcluded = exclusion();
      const isHiddenOr = (path: VaultPath): boolean =>
        isExcluded?.(path) === true || request.isExcluded?.(path) === true;
      return search.search(isExcluded === null ? request : { ...request, isExcluded: isHiddenOr }, ...rest);
    },
  };
  const getIsHidden = (): IsHidden => {
    const isExcluded = exclusion();
    if (isExcluded === null) return neverHidden;
    return (shown) => {
      const parsed = parseVaultPath(shown);
      return !parsed.ok || isExcluded(parsed.path);
    };
  };
  return {
    exclusion,
    isExcluded: (path) => exclusion()?.(path) ?? false,
    view,
    readRun: (bounds) => createReadRun(view, bounds, engine, clock),
    writeRun: (bounds, policy) =>
      createWriteRun(createTransaction(view, changes, policy, clock), bounds, engine, clock),
    changes: filterChanges(changes, getIsHidden),
    updateFilter() {
      const isHidden = getIsHidden();
      return (update) => filterUpdate(update, isHidden);
    },
    filterEvent: (event) => filterEvent(event, getIsHidden),
  };
}

/** How many changes are read at most for each change that is returned. */
const maxScanFactor = 64;

/**
 * Omits every change that touches a hidden file, because its summary, diff and merge result would reveal the content. A file
 * that was moved to a hidden path is hidden under its earlier paths, too.
 */
function filterChanges(changes: Changes, hidden: () => IsHidden): FilteredChanges {
  const touchesHidden = (id: string, isHidden: IsHidden): boolean =>
    isHidden !== neverHidden && changes.laterPaths(id).map(formatPath).some(isHidden);
  const find: Changes['find'] = (id) => {
    const found = changes.find(id);
    return found === null || touchesHidden(found.entry.id, hidden()) ? null : found;
  };
  const exists = (id: string): boolean => find(id) !== null;
  // What remains of a deleted change names no file.
  const isKnown = (id: string): boolean => exists(id) || changes.findExpired(id) !== null;
  return {
    list({ limit, ...options }) {
      const isHidden = hidden();
      for (let read = limit; ; read *= 4) {
        const all = changes.list({ ...options, limit: read });
        const shown = all.filter(({ id }) => !touchesHidden(id, isHidden)).slice(0, limit);
        const isAll = all.length < read || read >= limit * maxScanFactor;
        if (isAll || shown.length === limit) return shown;
      }
    },
    // Counts would reveal hidden files, too.
    days: (_, zone) => ({ ...changes.days(1, zone), days: [], notes: [] }),
    find,
    findExpired: (id) => changes.findExpired(id),
    undo: async (id, ...how) => (isKnown(id) ? changes.undo(id, ...how) : { kind: 'not-found' }),
    undonePaths: (id) => (exists(id) ? changes.undonePaths(id) : new Set()),
    restore: async (id, ...how) => (isKnown(id) ? changes.restore(id, ...how) : { kind: 'not-found' }),
    approve: async (id, ...how) => (isKnown(id) ? changes.approve(id, ...how) : { kind: 'not-found' }),
    reject: async (id) => exists(id) && changes.reject(id),
    fileVersions: async (path) => (hidden()(formatPath(path)) ? [] : changes.fileVersions(path)),
    recentMassDeletion() {
      const loss = changes.recentMassDeletion();
      return loss !== null && exists(loss.id) ? loss : null;
    },
  };
}

/** Replaces a summary when some of its files are hidden, because it may name them or quote them. */
const redactedSummary = 'details hidden: it concerns files that are hidden from AI';

function filterUpdate(update: Update, isHidden: IsHidden): Update {
  const { result } = update;
  if (result === null) return update;
  // The elements of `known` have the form vault/tasks.md:12-14.
  const paths = 'paths' in result ? result.paths : result.known.map((line) => line.replace(/:[\d-]*$/, ''));
  if (!paths.some(isHidden)) return update;
  const summary = redactedSummary;
  // The input of a note is its content.
  if (update.input.asNote === true) return redactNote(update);
  switch (result.kind) {
    case 'filed':
      return { ...update, result: { ...result, summary, paths: paths.filter((path) => !isHidden(path)) } };
    case 'held':
      return { ...update, result: { ...result, summary, paths: [], reason: otherReason(redactedSummary) } };
    case 'unchanged':
      return { ...update, result: { ...result, summary, known: [] } };
  }
}

function redactNote(update: Update): Update {
  const input = { ...update.input, text: '', files: [] };
  const result = { kind: 'unchanged' as const, summary: redactedSummary, known: [] };
  return { ...update, input, result };
}

/** Also returns null while it is unknown which files are hidden. */
function filterEvent(event: KeepsakeEvent, hidden: () => IsHidden): KeepsakeEvent | null {
  if (event.type !== 'file-changed' && event.type !== 'update-committed') return event;
  try {
    const isHidden = hidden();
    const paths = event.paths.filter((path) => !isHidden(path));
    if (paths.length === event.paths.length) return event;
    if (event.type === 'update-committed') return { ...event, paths, summary: redactedSummary };
    return paths.length === 0 ? null : { ...event, paths };
  } catch {
    return null;
  }
}
