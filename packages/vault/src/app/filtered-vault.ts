import { excludingView } from '../agents/index.ts';
import { createTransaction } from '../changes/index.ts';
import type { Changes, Policy } from '../changes/index.ts';
import { otherReason } from '../contract/index.ts';
import type { Clock, KeepsakeEvent } from '../contract/index.ts';
import type { SearchEngine } from '../search/index.ts';
import { createReadRun, createWriteRun } from '../tools/index.ts';
import type { Bounds, ReadRun, WriteRun } from '../tools/index.ts';
import { parseVaultPath, showPath } from '../vault/index.ts';
import type { VaultView } from '../vault/index.ts';
import type { Exclusion, ReadExclusion } from './exclusion.ts';
import type { Update } from './updates.ts';

/**
 * A vault without the files that are hidden from its reader. The exclusion is read before every access; where it cannot be
 * known, access throws and events are dropped.
 */
export type FilteredVault = {
  exclusion: ReadExclusion;
  /** Throws when it cannot be known. */
  isExcluded: Exclusion;
  view: VaultView;
  readRun: (bounds: Bounds) => ReadRun;
  writeRun: (bounds: Bounds, policy: Policy) => WriteRun;
  changes: FilteredChanges;
  /** Removes what an update tells about hidden files, as of the time of this call. */
  updateFilter: () => (update: Update) => Update;
  /** Null when no part of the event may be shown. */
  filterEvent: (event: KeepsakeEvent) => KeepsakeEvent | null;
};

/** The changes of the vault, and undoing or deciding them. */
export type FilteredChanges = Pick<
  Changes,
  'list' | 'days' | 'find' | 'undo' | 'takenBack' | 'restore' | 'approve' | 'reject' | 'loss'
>;

type Parts = {
  view: VaultView;
  search: Pick<SearchEngine, 'search'>;
  changes: Changes;
  clock: Clock;
  exclusion: ReadExclusion;
};

/** Whether a path, as it is shown, is one that is hidden. */
type IsHidden = (shown: string) => boolean;

export function createFilteredVault({
  view: whole,
  search,
  changes,
  clock,
  exclusion,
}: Parts): FilteredVault {
  const view = excludingView(whole, exclusion);
  const engine: Pick<SearchEngine, 'search'> = {
    async search(request, ...rest) {
      const isExcluded = exclusion();
      return search.search(isExcluded === null ? request : { ...request, isExcluded }, ...rest);
    },
  };
  const hidden = (): IsHidden => {
    const isExcluded = exclusion();
    if (isExcluded === null) return () => false;
    return (shown) => {
      const parsed = parseVaultPath(shown);
      return !parsed.ok || isExcluded(parsed.path);
    };
  };
  return {
    exclusion,
    isExcluded: (path) => exclusion()?.(path) ?? false,
    view,
    readRun: (bounds) => createReadRun(view, bounds, engine),
    writeRun: (bounds, policy) =>
      createWriteRun(createTransaction(view, changes, policy, clock), bounds, engine),
    changes: filterChanges(changes, hidden),
    updateFilter() {
      const isHidden = hidden();
      return (update) => filterUpdate(update, isHidden);
    },
    filterEvent: (event) => filterEvent(event, hidden),
  };
}

/** How many changes are read at most to find one that may be shown. */
const maxReadPerShown = 64;

/** Leaves out every change that touches a hidden file: its summary, its diff and whether it merges would tell of it. */
function filterChanges(changes: Changes, hidden: () => IsHidden): FilteredChanges {
  const find: Changes['find'] = (id) => {
    const found = changes.find(id);
    return found === null || found.paths.some(hidden()) ? null : found;
  };
  const isThere = (id: string): boolean => find(id) !== null;
  return {
    list({ limit, ...options }) {
      const isHidden = hidden();
      for (let read = limit; ; read *= 4) {
        const all = changes.list({ ...options, limit: read });
        const shown = all.filter(({ paths }) => !paths.map(showPath).some(isHidden)).slice(0, limit);
        const isAll = all.length < read || read >= limit * maxReadPerShown;
        if (isAll || shown.length === limit) return shown;
      }
    },
    // Counts would tell of hidden files, too.
    days: (_, zone) => ({ ...changes.days(1, zone), days: [], notes: [] }),
    find,
    undo: async (id, ...how) => (isThere(id) ? changes.undo(id, ...how) : { kind: 'unknown' }),
    takenBack: (id) => (isThere(id) ? changes.takenBack(id) : new Set()),
    restore: async (id, ...how) => (isThere(id) ? changes.restore(id, ...how) : { kind: 'unknown' }),
    approve: async (id, ...how) => (isThere(id) ? changes.approve(id, ...how) : { kind: 'unknown' }),
    reject: async (id) => isThere(id) && changes.reject(id),
    loss() {
      const loss = changes.loss();
      return loss !== null && isThere(loss.id) ? loss : null;
    },
  };
}

/** Replaces a summary when some of its files are hidden: it may name them, or say what is in them. */
const keptBack = 'it is about files that are kept from models';

function filterUpdate(update: Update, isHidden: IsHidden): Update {
  const { result } = update;
  if (result === null) return update;
  // Lines are named as vault/tasks.md:12-14.
  const paths = 'paths' in result ? result.paths : result.known.map((line) => line.replace(/:[\d-]*$/, ''));
  if (!paths.some(isHidden)) return update;
  const summary = keptBack;
  switch (result.kind) {
    case 'filed':
      return { ...update, result: { ...result, summary, paths: paths.filter((path) => !isHidden(path)) } };
    case 'held':
      return { ...update, result: { ...result, summary, paths: [], reason: otherReason(keptBack) } };
    case 'unchanged':
      return { ...update, result: { ...result, summary, known: [] } };
  }
}

/** Also null while the exclusion cannot be known. */
function filterEvent(event: KeepsakeEvent, hidden: () => IsHidden): KeepsakeEvent | null {
  if (event.type !== 'file-changed' && event.type !== 'update-committed') return event;
  try {
    const isHidden = hidden();
    const paths = event.paths.filter((path) => !isHidden(path));
    if (paths.length === event.paths.length) return event;
    if (event.type === 'update-committed') return { ...event, paths, summary: keptBack };
    return paths.length === 0 ? null : { ...event, paths };
  } catch {
    return null;
  }
}
