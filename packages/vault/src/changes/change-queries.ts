import { addDays, createTimeZone } from '../contract/index.ts';
import type { Clock, TimeZone, Who } from '../contract/index.ts';
import { omittedDiff, showPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Approvals } from './approvals.ts';
import { afterOf, beforeOf } from './change.ts';
import type { FileChange } from './change.ts';
import type { Comparer } from './comparer.ts';
import type { ExternalEditStore, Loss } from './external-edit-store.ts';
import type { History } from './history.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { ListedEntry, Listing, Which } from './listing.ts';
import type { Provenance } from './provenance.ts';
import type { TransactionStore } from './transaction-store.ts';
import type { UndoLinks } from './undo-links.ts';

type FileDiff = { path: string; diff: string };

type FoundChange = {
  entry: JournalEntry;
  /** What the call asked for that it is of; null when it is of none. */
  call: string | null;
  /** The name of the connection that made it; null when it was the person. */
  connection: string | null;
  /** Whether all of it was taken back since. */
  isUndone: boolean;
  /** As they are shown. */
  paths: string[];
  changes: () => Promise<FileChange[]>;
  /** What it did to each file, or only to one, or would do if it is held; paths as they are shown. */
  diffs: (only?: VaultPath) => Promise<FileDiff[]>;
};

type ChangedDays = {
  today: string;
  days: { day: string; who: Who; changes: number }[];
  notes: { day: string; more: number }[];
};

/** What can be asked of changes that were made. */
export type ChangeQueries = {
  /** Newest first. */
  list(which: Which & { limit: number }): (ListedEntry & { isUndone: boolean })[];
  /** How many changes each of so many days had, up to today, by whom; and how many notes more there were after it. */
  days(count: number, zone?: TimeZone): ChangedDays;
  /** How many were made. */
  count(): number;
  find(id: string): FoundChange | null;
  /** The files of a change that were taken back since, and stayed so. */
  takenBack(id: string): ReadonlySet<VaultPath>;
  /** The last time lately that many files were gone at once, unless they were brought back. */
  loss(): Loss | null;
};

/** How long a loss is told of, in milliseconds; after that it is one change among others. */
const noticedFor = 7 * 24 * 60 * 60_000;

type Parts = {
  journal: TransactionStore & Listing & Approvals & Provenance & UndoLinks & ExternalEditStore;
  history: History;
  comparer: Comparer;
  clock: Clock;
};

export function createChangeQueries({ journal, history, comparer, clock }: Parts): ChangeQueries {
  return {
    list: (which) => journal.list(which).map((entry) => ({ ...entry, isUndone: isUndone(journal, entry) })),
    days: (count, zone) => changedDays(journal, clock(), count, zone),
    count: () => journal.count(),
    find(id) {
      const entry = journal.find(id);
      if (entry === undefined) return null;
      return {
        entry,
        call: journal.callOf(entry.id),
        connection: journal.connectionOf(entry.id),
        isUndone: isUndone(journal, entry),
        paths: journal.pathsOf(entry.id).map(showPath),
        changes: () => history.changesOf(entry.id),
        diffs: async (only) => diffsOf(await history.changesOf(entry.id, only), comparer),
      };
    },
    takenBack: (id) => journal.takenBack(id),
    loss: () => journal.losses({ from: clock() - noticedFor, to: clock() + noticedFor })[0] ?? null,
  };
}

function isUndone(journal: Approvals & UndoLinks, { id, state }: JournalEntry): boolean {
  const made = state === 'approved' ? journal.madeFor(id) : id;
  return made !== undefined && journal.undoneBy(made) !== undefined;
}

/** Of so many days, up to the one of `now`. */
export function changedDays(
  journal: Pick<Listing, 'counts' | 'growth'>,
  now: number,
  count: number,
  zone: TimeZone = createTimeZone(),
): ChangedDays {
  const spans = lastDays(now, count, zone);
  const dayOf = (span: number): string => spans[span]?.day ?? '';
  return {
    today: dayOf(count - 1),
    days: journal.counts(spans).map(({ span, ...counted }) => ({ day: dayOf(span), ...counted })),
    notes: journal.growth(spans).map(({ span, notes: more }) => ({ day: dayOf(span), more })),
  };
}

/** From midnight to midnight, where this runs. */
function lastDays(now: number, count: number, zone: TimeZone): { day: string; from: number; to: number }[] {
  const today = zone.dayOf(now);
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(today, index + 1 - count);
    return { day, ...zone.spanOf(day) };
  });
}

/** Together, in characters: of a change of thousands of files those that come first. */
const mostShown = 1_000_000;

async function diffsOf(changes: readonly FileChange[], comparer: Comparer): Promise<FileDiff[]> {
  const diffs: FileDiff[] = [];
  let shown = 0;
  for (const change of changes) {
    const path = showPath(change.path);
    const diff =
      shown > mostShown ? omittedDiff(path, beforeOf(change), afterOf(change)) : await comparer.diff(change);
    shown += diff.length;
    diffs.push({ path, diff });
  }
  return diffs;
}
