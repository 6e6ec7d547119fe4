import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import { showPath, unifiedDiff } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { afterOf, beforeOf, isFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { openGitHistory } from './git.ts';
import type { GitHistory } from './git.ts';
import { createHistory } from './history.ts';
import type { History } from './history.ts';
import { createJournal } from './journal.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { recordOutsideEdits } from './outside-edits.ts';
import { stamp } from './transaction.ts';
import { restore, undo } from './undo.ts';
import type { Undone } from './undo.ts';
import { createWriterLock } from './writer-lock.ts';
import type { WriterLock } from './writer-lock.ts';
import { createWriter } from './writer.ts';
import type { CommitListener, Writer, Written } from './writer.ts';

type FoundChange = {
  entry: JournalEntry;
  changes: () => Promise<FileChange[]>;
  /** What it did to each file, or would do if it is held; paths as they are shown. */
  diffs: () => Promise<{ path: string; diff: string }[]>;
};

/** Everything that changes the vault, and everything that tells of it. */
export type Changes = {
  writer: Writer;
  /** Newest first. */
  list(options: {
    path?: VaultPath;
    isHeld?: boolean;
    limit: number;
  }): (JournalEntry & { paths: VaultPath[] })[];
  find(id: string): FoundChange | null;
  undo(id: string, only?: VaultPath): Promise<Undone>;
  /** The files of a change that were taken back since, and stayed so. */
  takenBack(id: string): ReadonlySet<VaultPath>;
  /** Makes a file what it was right after this change. */
  restore(id: string, path: VaultPath): Promise<Undone>;
  /** Makes a held change, merged over what changed since. */
  approve(id: string): Promise<Undone>;
  reject(id: string): boolean;
  /** Brings history up to date, and looks once more at what was replaced. Nobody who writes waits for it. */
  record(): Promise<void>;
  /** The same, then these files as they are, if they were edited outside; tells which are done with. */
  recordOutside: (paths: readonly VaultPath[]) => Promise<{ done: VaultPath[]; committed: number }>;
  /** Writes what was left for later. To be called before the databases are closed. */
  flush(): void;
};

/** Where changes are written down. The databases are opened when they are first needed: who only reads needs none. */
type ChangesState = {
  /** Whether anything was ever written: if not, there is nothing to complete and nothing to tell. */
  hasDurable(): boolean;
  /** Makes the folder a vault if it was none. Called before everything that is written. */
  adopt(): string;
  /** What is made from the databases; made anew when the first write has moved them. */
  follow<Made>(make: (databases: { folder: string; durable: Database; locks: Database }) => Made): {
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
};

type Opened = {
  journal: Journal;
  writer: Writer;
  history: History;
  /** Held by whoever writes into history. */
  historian: WriterLock;
  git: () => Promise<GitHistory | null>;
};

/** Completes first what a crash may have interrupted. */
export async function openChanges(parts: Parts): Promise<Changes> {
  const { root, clock, state } = parts;
  const opened = state.follow((databases) => openAll(databases, parts));
  const existing = (): Opened | null => (state.hasDurable() ? opened.open() : null);
  const writing = (): Writer => {
    state.adopt();
    return opened.open().writer;
  };
  const record = async (): Promise<void> => {
    await existing()?.history.record();
    // By now nobody is still writing into a file that was replaced.
    await opened.present()?.writer.lookBack();
  };
  await existing()?.writer.recover();
  return {
    writer: {
      write: async (wanted, why) => writing().write(wanted, why),
      hold: (wanted, why) => writing().hold(wanted, why),
      recover: () => opened.open().writer.recover(),
      lookBack: async () => opened.present()?.writer.lookBack(),
    },
    list: ({ path, isHeld, limit }) =>
      existing()?.journal.list({ path, state: isHeld === true ? 'held' : undefined, limit }) ?? [],
    find(id) {
      const all = existing();
      const entry = all?.journal.find(id);
      if (!all || !entry) return null;
      const changes = (): Promise<FileChange[]> => all.history.changesOf(entry.id);
      return { entry, changes, diffs: async () => (await changes()).map(diffOf) };
    },
    async undo(id, only) {
      const all = existing();
      return all === null ? { kind: 'unknown' } : undo({ ...all, clock }, id, only);
    },
    takenBack: (id) => existing()?.journal.takenBack(id) ?? new Set(),
    async restore(id, path) {
      const all = existing();
      return all === null ? { kind: 'unknown' } : restore({ ...all, root }, id, path);
    },
    async approve(id) {
      const all = existing();
      const entry = all?.journal.find(id);
      if (!all || !entry) return { kind: 'unknown' };
      if (entry.state !== 'held') return { kind: 'not-applied', state: entry.state };
      const written = await approveHeld(all, entry, clock);
      if (written.kind === 'written' || written.kind === 'nothing') all.journal.mark(entry.id, 'approved');
      return written;
    },
    reject(id) {
      const all = existing();
      const entry = all?.journal.find(id);
      if (entry?.state !== 'held') return false;
      all?.journal.mark(entry.id, 'rejected');
      return true;
    },
    record,
    async recordOutside(paths) {
      const latest = () => existing()?.journal.list({ limit: 10 }) ?? [];
      const [newest] = latest();
      // First what the journal has; what still differs then, and no transaction has begun since, was edited outside.
      await record();
      if (paths.length === 0) return { done: [], committed: 0 };
      state.adopt();
      const { historian: lock, git } = opened.open();
      const isUndisturbed = (): boolean =>
        latest()[0]?.id === newest?.id && latest().every((entry) => entry.state !== 'applying');
      return recordOutsideEdits({ root, clock, lock, git, isUndisturbed }, paths);
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

function approveHeld(
  { journal, writer }: Opened,
  { id, origin, summary }: JournalEntry,
  clock: Clock,
): Promise<Written> {
  const wanted = (journal.changesOf(id) ?? []).map((change) =>
    isFileChange(change)
      ? { ...change, finish: (bytes: Buffer): Buffer => stamp(change.path, bytes, clock()) }
      : change,
  );
  return writer.write(wanted, { origin, summary: `${summary} (approved)` });
}

function diffOf(change: FileChange): { path: string; diff: string } {
  const path = showPath(change.path);
  return { path, diff: unifiedDiff(path, beforeOf(change), afterOf(change)) };
}

function openAll(
  { folder, durable, locks }: { folder: string; durable: Database; locks: Database },
  { root, clock, listeners, searchPath }: Parts,
): Opened {
  const journal = createJournal(durable);
  const historian = createWriterLock(locks, clock, 'historian');
  const git = () => openGitHistory(join(folder, 'history.git'), searchPath);
  return {
    journal,
    historian,
    git,
    history: createHistory({ journal, lock: historian, git }),
    writer: createWriter({ root, lock: createWriterLock(locks, clock), journal, clock, listeners }),
  };
}
