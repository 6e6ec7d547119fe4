import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { addDays, createTimeZone } from '../contract/index.ts';
import type { Clock, TimeZone, Who } from '../contract/index.ts';
import { layoutReader, omittedDiff, showPath, VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { Approvals } from './approvals.ts';
import { afterOf, beforeOf, isFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import type { DatedVersion } from './common-base.ts';
import { createComparer } from './comparer.ts';
import type { Comparer } from './comparer.ts';
import type { Loss } from './external-edit-store.ts';
import { createHistory } from './history.ts';
import type { History, RecordedEdits } from './history.ts';
import { createJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { outsideOrigin, syncOrigin } from './journal-entry.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { ListedEntry, Which } from './listing.ts';
import { createReplacedFiles } from './look-back.ts';
import type { ConflictRule } from './merge.ts';
import { createRepository } from './repository.ts';
import type { HistoryLook, Repository } from './repository.ts';
import { createStamps } from './stamps.ts';
import type { Stamps } from './stamps.ts';
import { restore, undo } from './undo.ts';
import type { Undone, UndoOptions } from './undo.ts';
import type { UndoLinks } from './undo-links.ts';
import { createWriterLock } from './writer-lock.ts';
import type { WriterLock } from './writer-lock.ts';
import { createWriter } from './writer.ts';
import type { Admit, CommitListener, Writer } from './writer.ts';

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

/** Everything that changes the vault, and everything that tells of it. */
export type Changes = {
  writer: Writer;
  stamps: Stamps;
  /** Newest first. */
  list(which: Which & { limit: number }): (ListedEntry & { isUndone: boolean })[];
  /** How many changes each of so many days had, up to today, by whom; and how many notes more there were after it. */
  days(count: number, zone?: TimeZone): ChangedDays;
  /** How many were made. */
  count(): number;
  find(id: string): FoundChange | null;
  undo(id: string, options?: UndoOptions): Promise<Undone>;
  /** The files of a change that were taken back since, and stayed so. */
  takenBack(id: string): ReadonlySet<VaultPath>;
  /** Whether a file is, byte for byte, what a change made it that only the person's own words have led to. */
  isPersons(path: VaultPath, bytes: Buffer): Promise<boolean>;
  /** Whether a file is, byte for byte, what the newest change of it left, and that was one of ours. */
  isAsLeft(path: VaultPath, bytes: Buffer): Promise<boolean>;
  /** Makes a file what it was right after this change. */
  restore(id: string, path: VaultPath): Promise<Undone>;
  /** Makes a held change, merged over what changed since; what both added at one place both stands. */
  approve(id: string, onConflict?: ConflictRule): Promise<Undone>;
  /** False when it is not held any more. */
  reject(id: string): Promise<boolean>;
  /** What history has of a file, newest first; not every version of one that was changed very often. What was not recorded is not in it. */
  versionsOf: (path: VaultPath) => Promise<DatedVersion[]>;
  /** Looks once more at what was replaced, and brings history up to date. Nobody who writes waits for it. */
  record(): Promise<void>;
  /** The same, and makes changes of what was edited outside in these files; tells which are done with. */
  recordOutside: (paths: readonly VaultPath[]) => Promise<RecordedEdits>;
  /** See `History`. */
  files: History['files'];
  /** See `History`. */
  completeTip: History['completeTip'];
  /** So that a file can come back that goes before its first change: see `History`. */
  baseline: Pick<History, 'missing' | 'addMissing' | 'setComplete'>;
  /** The last time lately that many files were gone at once, unless they were brought back. */
  loss(): Loss | null;
  /** What history is like, read from end to end, and of how many changes it should know. */
  lookAtHistory(): Promise<HistoryLook & { recorded: number }>;
  /**
   * Works while nobody who goes through here changes files or history. `check` is to be called every now and then: it throws
   * when another process took over because this one was stopped for too long.
   */
  whileStill<Value>(work: (check: () => void) => Promise<Value>): Promise<Value>;
  /** Writes what was left for later. To be called before the databases are closed. */
  flush(): void;
};

type ChangesDatabases = {
  folder: string;
  durable: Database;
  locks: Database;
  /** Throws when they are no longer those in the folder: what is written into them would be lost. */
  confirm: () => void;
};

/** Where changes are written down. The databases are opened when they are first needed: who only reads needs none. */
type ChangesState = {
  /** Whether anything was ever written: if not, there is nothing to complete and nothing to tell. */
  hasDurable(): boolean;
  /** Makes the folder a vault if it was none. Called before everything that is written. */
  adopt(): string;
  /** What is made from the databases; made anew when the first write has moved them. */
  follow<Made>(make: (databases: ChangesDatabases) => Made): {
    open(): Made;
    /** Null while nothing is open. */
    present(): Made | null;
  };
};

type Parts = {
  root: VaultRoot;
  clock: Clock;
  listeners: readonly CommitListener[];
  state: ChangesState;
  /** Where git is looked for. */
  searchPath: string;
  /** What else has to have what the journal promises. */
  replicate?: ((local: Journal, durable: Database) => Journal) | undefined;
  admit?: Admit | undefined;
};

type Opened = {
  journal: Journal;
  writer: Writer;
  /** Held by whoever changes files. */
  lock: WriterLock;
  history: History;
  /** Held by whoever writes into history. */
  historian: WriterLock;
  repository: Repository;
  comparer: Comparer;
  confirm: () => void;
};

/** Completes first what a crash may have interrupted. */
export async function openChanges(parts: Parts): Promise<Changes> {
  const { root, clock, state } = parts;
  const stamps = createStamps(root);
  const opened = state.follow((databases) => openAll(databases, parts));
  const existing = (): Opened | null => (state.hasDurable() ? opened.open() : null);
  const writing = (): Writer => {
    state.adopt();
    return opened.open().writer;
  };
  const lookBack = async (): Promise<void> => opened.present()?.writer.lookBack();
  const recordJournal = async (): Promise<void> => void (await existing()?.history.record());
  await existing()?.writer.recover();
  return {
    writer: {
      write: async (wanted, why) => writing().write(wanted, why),
      hold: async (...given) => writing().hold(...given),
      lately: (connection) =>
        existing()?.writer.lately(connection) ?? { characters: 0, files: 0, isOwn: () => false },
      recover: () => opened.open().writer.recover(),
      lookBack,
    },
    stamps,
    list(which) {
      const journal = existing()?.journal;
      return (journal?.list(which) ?? []).map((entry) => ({
        ...entry,
        isUndone: journal !== undefined && isUndone(journal, entry),
      }));
    },
    days(count, zone = createTimeZone()) {
      const journal = existing()?.journal;
      const spans = lastDays(clock(), count, zone);
      const dayOf = (span: number): string => spans[span]?.day ?? '';
      return {
        today: dayOf(count - 1),
        days: (journal?.counts(spans) ?? []).map(({ span, ...counted }) => ({
          day: dayOf(span),
          ...counted,
        })),
        notes: (journal?.growth(spans) ?? []).map(({ span, notes: more }) => ({ day: dayOf(span), more })),
      };
    },
    count: () => existing()?.journal.count() ?? 0,
    find(id) {
      const all = existing();
      const entry = all?.journal.find(id);
      if (!all || !entry) return null;
      const changes = (): Promise<FileChange[]> => all.history.changesOf(entry.id);
      const { journal } = all;
      return {
        entry,
        call: journal.callOf(entry.id),
        connection: journal.connectionOf(entry.id),
        isUndone: isUndone(journal, entry),
        paths: journal.pathsOf(entry.id).map(showPath),
        changes,
        diffs: async (only) => diffsOf(await all.history.changesOf(entry.id, only), all.comparer),
      };
    },
    async undo(id, options) {
      const all = existing();
      return all === null ? { kind: 'unknown' } : undo({ ...all, stamps, clock }, id, options);
    },
    takenBack: (id) => existing()?.journal.takenBack(id) ?? new Set(),
    async isPersons(path, bytes) {
      const all = existing();
      for (const id of all?.journal.personsFor(path) ?? []) {
        const changes = await all?.history.changesOf(id, path).catch(nothingIfLost);
        if (changes?.some((change) => afterOf(change)?.equals(bytes)) === true) return true;
      }
      return false;
    },
    async isAsLeft(path, bytes) {
      const all = existing();
      const [newest] = all?.journal.list({ path, state: 'applied', limit: 1 }) ?? [];
      if (newest?.origin === outsideOrigin) return false;
      const changes = newest && (await all?.history.changesOf(newest.id, path).catch(nothingIfLost));
      return changes?.some((change) => afterOf(change)?.equals(bytes)) === true;
    },
    async restore(id, path) {
      const all = existing();
      return all === null ? { kind: 'unknown' } : restore({ ...all, root }, id, path);
    },
    async approve(id, onConflict) {
      const all = existing();
      const entry = all?.journal.find(id);
      if (!all || !entry) return { kind: 'unknown' };
      if (entry.state !== 'held') return { kind: 'not-applied', state: entry.state };
      const made = all.journal.madeFor(entry.id);
      const written =
        made === undefined
          ? await approveHeld({ ...all, stamps, clock }, entry, onConflict)
          : // A crash came between the change and the note that it was made.
            { kind: 'written' as const, id: made, changes: [], warnings: [] };
      if (written.kind === 'written' || written.kind === 'nothing')
        await all.journal.decide(entry.id, 'approved');
      return written;
    },
    async reject(id) {
      const all = existing();
      const entry = all?.journal.find(id);
      return all && entry ? all.journal.decide(entry.id, 'rejected') : false;
    },
    async versionsOf(path) {
      const all = existing();
      const git = await all?.repository.open();
      const entries = all?.journal.list({ path, state: 'applied', limit: 2 * mostVersions }) ?? [];
      const ours = new Set(
        entries
          .filter(({ origin }) => origin !== outsideOrigin && origin !== syncOrigin)
          .map(({ id }) => all?.journal.commitOf(id)),
      );
      const versions = (await git?.versions(path, mostVersions)) ?? [];
      // Of one that follows versions that are left out nobody knows what it brought in.
      const isCut = (index: number): boolean => index === mostVersions - 2;
      return versions.map(({ commit, at, bytes }, index) => ({
        text: String(bytes),
        at,
        isOurs: ours.has(commit) && !isCut(index),
      }));
    },
    async record() {
      try {
        await lookBack();
      } finally {
        await recordJournal();
      }
    },
    async recordOutside(paths) {
      // A change of its own, which is to be in history before anything else is; what fails at it is tried again.
      await lookBack().catch(() => undefined);
      if (paths.length > 0) state.adopt();
      return (
        (paths.length > 0 ? opened.open() : existing())?.history.record(paths) ?? { done: [], edited: [] }
      );
    },
    files: async () => (await existing()?.history.files()) ?? [],
    completeTip: async () => (await existing()?.history.completeTip()) ?? null,
    baseline: {
      async missing(paths) {
        const all = existing();
        return all === null ? [...paths] : all.history.missing(paths);
      },
      async addMissing(paths) {
        state.adopt();
        return opened.open().history.addMissing(paths);
      },
      async setComplete() {
        state.adopt();
        await opened.open().history.setComplete();
      },
    },
    loss: () =>
      existing()?.journal.losses({ from: clock() - noticedFor, to: clock() + noticedFor })[0] ?? null,
    async lookAtHistory() {
      const all = existing();
      if (all === null)
        return { isThere: false, damage: null, problems: [], lost: 0, aside: [], recorded: 0 };
      const commits = all.journal.commits();
      return { ...(await all.repository.look(commits)), recorded: commits.length };
    },
    async whileStill(work) {
      const all = existing();
      if (all === null) return work(() => undefined);
      // In this order: while history is being written, nobody has to wait with a note.
      return all.historian.hold((history) =>
        all.lock.hold(async (files) => {
          all.journal.flush();
          return work(() => {
            history.check();
            files.check();
          });
        }),
      );
    },
    flush() {
      try {
        opened.present()?.journal.flush();
      } catch {
        // As if the process had ended a moment earlier: the next start looks at the files.
      }
    },
  };
}

async function approveHeld(
  { journal, writer, stamps, clock }: Opened & { stamps: Stamps; clock: Clock },
  { id, origin, summary }: JournalEntry,
  onConflict: ConflictRule = 'add',
): Promise<Undone> {
  const wanted = (journal.changesOf(id) ?? []).map((change) =>
    isFileChange(change)
      ? {
          ...change,
          finish: (bytes: Buffer, present: Buffer | null): Buffer =>
            stamps.set(change.path, present, bytes, clock()),
        }
      : change,
  );
  const why = {
    origin,
    summary: `${summary} (approved)`,
    approves: id,
    undoes: journal.undoneWith(id),
    onConflict,
  };
  const written = await writer.write(wanted, why).catch((error: unknown) => {
    if (error instanceof VaultError && error.code === 'made-already') return null;
    throw error;
  });
  // Somebody else has decided while this one waited for its turn.
  const state = journal.find(id)?.state ?? 'held';
  return written === null || (written.kind !== 'written' && state !== 'held')
    ? { kind: 'not-applied', state }
    : written;
}

/** What can no longer be read is nobody's words: that costs an approval, nothing else. */
function nothingIfLost(error: unknown): FileChange[] {
  if (error instanceof VaultError && (error.code === 'damaged-history' || error.code === 'io')) return [];
  throw error;
}

/** From midnight to midnight, where this runs. */
function lastDays(now: number, count: number, zone: TimeZone): { day: string; from: number; to: number }[] {
  const today = zone.dayOf(now);
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(today, index + 1 - count);
    return { day, ...zone.spanOf(day) };
  });
}

function isUndone(journal: Approvals & UndoLinks, { id, state }: JournalEntry): boolean {
  const made = state === 'approved' ? journal.madeFor(id) : id;
  return made !== undefined && journal.undoneBy(made) !== undefined;
}

/** How long a loss is told of, in milliseconds; after that it is one change among others. */
const noticedFor = 7 * 24 * 60 * 60_000;

const mostVersions = 100;

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

function openAll(
  { folder, durable, locks, confirm }: ChangesDatabases,
  { root, clock, listeners, searchPath, replicate = (local) => local, admit }: Parts,
): Opened {
  const journal = replicate(createJournal(durable, confirm), durable);
  const lock = createWriterLock({ database: locks, clock, confirm });
  const historian = createWriterLock({ database: locks, name: 'historian', clock, confirm });
  const repository = createRepository(join(folder, 'history.git'), searchPath, clock);
  const layout = layoutReader(root);
  const comparer = createComparer((path) => layout().isChangelog(path));
  return {
    comparer,
    journal,
    historian,
    confirm,
    repository,
    history: createHistory({ root, clock, journal, lock: historian, repository }),
    lock,
    writer: createWriter({
      root,
      lock,
      journal,
      replaced: createReplacedFiles(root, durable),
      clock,
      listeners,
      comparer,
      admit,
    }),
  };
}
