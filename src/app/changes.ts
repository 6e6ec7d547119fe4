import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import {
  createHistory,
  createJournal,
  createWriter,
  createWriterLock,
  openGitHistory,
  restore,
  stamp,
  undo,
} from '../changes/index.ts';
import type {
  CommitListener,
  FileChange,
  History,
  Journal,
  JournalEntry,
  Undone,
  Writer,
  Written,
} from '../changes/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { hasDurableDatabase, openDurableDatabase, openLockDatabase } from './databases.ts';
import { followState } from './state-folder.ts';

/** Everything that changes the vault, and everything that tells of it. */
export type Changes = {
  writer: Writer;
  /** Newest first. */
  list(options: {
    path?: VaultPath;
    isHeld?: boolean;
    limit: number;
  }): (JournalEntry & { paths: VaultPath[] })[];
  find(id: string): { entry: JournalEntry; changes: () => Promise<FileChange[]> } | null;
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
  close(): void;
};

type Parts = {
  root: VaultRoot;
  clock: Clock;
  listeners: readonly CommitListener[];
  stateFolder: () => string;
  /** Called before everything that is written. */
  adopt: () => string;
  /** Where git is looked for. */
  searchPath: string;
};

type Opened = { databases: Database[]; journal: Journal; writer: Writer; history: History };

/** The databases are opened when they are first needed: a folder that is only read gets none. */
export async function openChanges(parts: Parts): Promise<Changes> {
  const state = followState(
    parts.stateFolder,
    (folder) => openAll(folder, parts),
    ({ databases }) => {
      for (const database of databases) database.close();
    },
  );
  // Nothing was ever written when there is no journal, so there is nothing to complete or to tell.
  const existing = (): Opened | null => (hasDurableDatabase(parts.stateFolder()) ? state.open() : null);
  const writing = (): Writer => {
    parts.adopt();
    return state.open().writer;
  };
  await existing()?.writer.recover();
  return {
    writer: {
      write: async (wanted, why) => writing().write(wanted, why),
      hold: (wanted, why) => writing().hold(wanted, why),
      recover: () => state.open().writer.recover(),
      lookBack: async () => state.present()?.writer.lookBack(),
    },
    list: ({ path, isHeld, limit }) =>
      existing()?.journal.list({ path, state: isHeld === true ? 'held' : undefined, limit }) ?? [],
    find(id) {
      const all = existing();
      const entry = all?.journal.find(id);
      return all && entry ? { entry, changes: () => all.history.changesOf(entry.id) } : null;
    },
    async undo(id, only) {
      const all = existing();
      return all === null ? { kind: 'unknown' } : undo({ ...all, clock: parts.clock }, id, only);
    },
    takenBack: (id) => existing()?.journal.takenBack(id) ?? new Set(),
    async restore(id, path) {
      const all = existing();
      return all === null ? { kind: 'unknown' } : restore({ ...all, root: parts.root }, id, path);
    },
    async approve(id) {
      const all = existing();
      const entry = all?.journal.find(id);
      if (!all || !entry) return { kind: 'unknown' };
      if (entry.state !== 'held') return { kind: 'not-applied', state: entry.state };
      const written = await approveHeld(all, entry, parts.clock);
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
    async record() {
      await existing()?.history.record();
      // By now nobody is still writing into a file that was replaced.
      await state.present()?.writer.lookBack();
    },
    close: () => {
      const opened = state.present();
      try {
        opened?.journal.flush();
      } catch {
        // As if the process had ended a moment earlier: the next start looks at the files.
      }
      for (const database of opened?.databases ?? []) database.close();
    },
  };
}

function approveHeld(
  { journal, writer }: Opened,
  { id, origin, summary }: JournalEntry,
  clock: Clock,
): Promise<Written> {
  const wanted = (journal.changesOf(id) ?? []).map((change) => ({
    ...change,
    finish: (bytes: Buffer): Buffer => stamp(change.path, bytes, clock()),
  }));
  return writer.write(wanted, { origin, summary: `${summary} (approved)` });
}

function openAll(folder: string, { root, clock, listeners, searchPath }: Parts): Opened {
  const [durable, locks] = [openDurableDatabase(folder), openLockDatabase(folder)];
  const journal = createJournal(durable);
  const history = createHistory({
    journal,
    lock: createWriterLock(locks, clock, 'historian'),
    git: () => openGitHistory(join(folder, 'history.git'), searchPath),
  });
  const writer = createWriter({ root, lock: createWriterLock(locks, clock), journal, clock, listeners });
  return { databases: [durable, locks], journal, writer, history };
}
