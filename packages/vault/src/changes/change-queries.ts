import { addDays, createTimeZone } from '../contract/index.ts';
import type { Clock, TimeZone, Who } from '../contract/index.ts';
import { formatOmittedDiff, formatPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Approvals } from './approvals.ts';
import { contentAfter, contentBefore, createFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import type { Comparer } from './comparer.ts';
import type { ExpiredChange, ExpiredChanges } from './expired-changes.ts';
import type { ExternalEditStore, MassDeletion } from './external-edit-store.ts';
import type { History } from './history.ts';
import type { JoinedStamps } from './joined-stamps.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { ListedEntry, JournalQueries, JournalFilter, Move } from './journal-queries.ts';
import type { Provenance } from './provenance.ts';
import { readJoinedChanges } from './read-joined-changes.ts';
import type { RelocationQueries } from './relocations.ts';
import type { TransactionStore } from './transaction-store.ts';
import type { UndoLinks } from './undo-links.ts';

type FileDiff = { path: string; diff: string };

type ChangeDetails = {
  entry: JournalEntry;
  /** A digest of the tool call that made the change; null when no tool call made it. */
  callDigest: string | null;
  /** The name of the connection that made the change; null when the user made it. */
  connection: string | null;
  /** Whether the whole change has been undone. */
  isUndone: boolean;
  /** Whether words of the change were forgotten: no undo or restore brings them back. */
  wasForgotten: boolean;
  /** Formatted for display. */
  paths: string[];
  changes: () => Promise<FileChange[]>;
  /** The diff of each file, or of one file; for a held change, the diff it would make. Paths are formatted for display. */
  diffs: (only?: VaultPath) => Promise<FileDiff[]>;
};

type DailyActivity = {
  today: string;
  days: { day: string; who: Who; changes: number }[];
  notes: { day: string; more: number }[];
};

/** Queries about changes in the journal. */
export type ChangeQueries = RelocationQueries & {
  /** Newest first. */
  list(filter: JournalFilter & { limit: number }): (ListedEntry & { isUndone: boolean })[];
  /** The number of changes that `list` returns without a limit. */
  countListed(filter: JournalFilter): number;
  /** The number of changes per author on each of the last `count` days, and how the number of notes changed on each day. */
  days(count: number, zone?: TimeZone): DailyActivity;
  /** The number of applied changes. */
  count(): number;
  find(id: string): ChangeDetails | null;
  /** A change that retention has deleted; null for all others. */
  findExpired(id: string): ExpiredChange | null;
  /** The paths of a change's files, then and after later moves. */
  laterPaths(id: string): VaultPath[];
  /** The moves of files after a time, newest first. */
  movesAfter(at: number): Move[];
  /** The files in which a change was undone and not redone. */
  undonePaths(id: string): ReadonlySet<VaultPath>;
  /** The latest mass deletion of the last seven days that was not undone. */
  recentMassDeletion(): MassDeletion | null;
};

/** How long a mass deletion is reported, in milliseconds; after that it is listed like any other change. */
const massDeletionNoticeMs = 7 * 24 * 60 * 60_000;

type Dependencies = {
  journal: TransactionStore &
    JournalQueries &
    RelocationQueries &
    Approvals &
    Provenance &
    UndoLinks &
    ExternalEditStore &
    ExpiredChanges &
    JoinedStamps;
  history: History;
  comparer: Comparer;
  clock: Clock;
};

export function createChangeQueries({ journal, history, comparer, clock }: Dependencies): ChangeQueries {
  return {
    list: (filter) => journal.list(filter).map((entry) => ({ ...entry, isUndone: isUndone(journal, entry) })),
    countListed: (filter) => journal.countListed(filter),
    days: (count, zone) => computeDailyActivity(journal, clock(), count, zone),
    count: () => journal.count(),
    find(id) {
      const entry = journal.find(id);
      if (entry === undefined) return null;
      return {
        entry,
        callDigest: journal.callOf(entry.id),
        connection: journal.connectionOf(entry.id),
        isUndone: isUndone(journal, entry),
        wasForgotten: journal.wasForgotten(entry.id),
        paths: journal.pathsOf(entry.id).map(formatPath),
        changes: () => history.readChanges(entry.id),
        async diffs(only) {
          const moves = journal.movesOf(entry.id);
          const from = only === undefined ? undefined : moves.get(only);
          const changes = await readJoinedChanges({ journal, history }, entry.id, only);
          const old = from === undefined ? [] : await history.readChanges(entry.id, from);
          return renderDiffs([...changes, ...old], moves, comparer);
        },
      };
    },
    findExpired: (id) => journal.findExpired(id) ?? null,
    laterPaths: (id) => journal.laterPaths(id),
    movesAfter: (at) => journal.movesAfter(at),
    position: () => journal.position(),
    relocationsSince: (position) => journal.relocationsSince(position),
    undonePaths: (id) => journal.undonePaths(id),
    recentMassDeletion: () =>
      journal.massDeletions({
        from: clock() - massDeletionNoticeMs,
        to: clock() + massDeletionNoticeMs,
      })[0] ?? null,
  };
}

function isUndone(journal: Approvals & UndoLinks, { id, state }: JournalEntry): boolean {
  const made = state === 'approved' ? journal.appliedIdOf(id) : id;
  return made !== undefined && journal.undoOf(made) !== undefined;
}

/** Counts changes and notes for the last `count` days, up to the day of `now`. */
export function computeDailyActivity(
  journal: Pick<JournalQueries, 'countByAuthor' | 'noteCountDeltas'>,
  now: number,
  count: number,
  zone: TimeZone = createTimeZone(),
): DailyActivity {
  const spans = lastDays(now, count, zone);
  const dayOf = (span: number): string => spans[span]?.day ?? '';
  return {
    today: dayOf(count - 1),
    days: journal.countByAuthor(spans).map(({ span, ...counted }) => ({ day: dayOf(span), ...counted })),
    notes: journal.noteCountDeltas(spans).map(({ span, notes: more }) => ({ day: dayOf(span), more })),
  };
}

/** The last `count` days in the given time zone, each from midnight to midnight. */
function lastDays(now: number, count: number, zone: TimeZone): { day: string; from: number; to: number }[] {
  const today = zone.dayOf(now);
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(today, index + 1 - count);
    return { day, ...zone.spanOf(day) };
  });
}

/** Limit for all diffs of a change together, in characters; the remaining files of a large change get a placeholder. */
const maxTotalDiffCharacters = 1_000_000;

/** The diff of a moved file compares it with the file at its old path. */
async function renderDiffs(
  changes: readonly FileChange[],
  moves: ReadonlyMap<VaultPath, VaultPath>,
  comparer: Comparer,
): Promise<FileDiff[]> {
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const movedFrom = new Set([...moves].flatMap(([to, from]) => (byPath.has(to) ? [from] : [])));
  const diffs: FileDiff[] = [];
  let shown = 0;
  for (const change of changes) {
    if (movedFrom.has(change.path)) continue;
    const path = formatPath(change.path);
    const from = moves.get(change.path) ?? change.path;
    const [before, after] = [contentBefore(byPath.get(from) ?? change), contentAfter(change)];
    const compared = createFileChange(change.path, before, after) ?? change;
    const unified =
      shown > maxTotalDiffCharacters ? formatOmittedDiff(path, before, after) : await comparer.diff(compared);
    const diff = from === change.path ? unified : unified.replace(/^--- .*/, `--- ${formatPath(from)}`);
    shown += diff.length;
    diffs.push({ path, diff });
  }
  return diffs;
}
