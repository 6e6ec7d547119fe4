import { randomUUID } from 'node:crypto';
import type { Clock } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { afterOf, beforeOf, fileChange, isFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import type { ExternalEditStore, FoundEdits } from './external-edit-store.ts';
import { isOfHistory } from './git-errors.ts';
import type { GitHistory } from './git-history.ts';
import { deletionsFirst } from './git-import.ts';
import type { HistoryCommit } from './git-import.ts';
import { blobIdOf } from './git-objects.ts';
import type { HistoryPosition, Located } from './history-position.ts';
import { outsideOrigin, syncOrigin } from './journal-entry.ts';
import type { FoundFile, JournalEntry } from './journal-entry.ts';
import {
  compareWithHistory,
  describeEdits,
  inGroups,
  lossOf,
  mostBytes,
  readEdits,
  readPresent,
} from './outside-edits.ts';
import type { OutsideEdit } from './outside-edits.ts';
import { placeOutsideEdits } from './place-outside-edits.ts';
import type { Recordable } from './place-outside-edits.ts';
import type { Repository } from './repository.ts';
import type { TransactionStore } from './transaction-store.ts';
import type { Grant, WriterLock } from './writer-lock.ts';

/** What became of the vault, transaction by transaction. Lives in git once it got there, until then in the journal. */
export type History = {
  /**
   * Moves into git what the journal has. Edits made outside are found on the way, and in these files as they are now: they become
   * transactions of their own. Tells which of the files are done with; the others are to be tried again.
   */
  record(paths?: readonly VaultPath[]): Promise<RecordedEdits>;
  /** What a transaction did to files, or only to one, byte for byte; throws when history has lost it. */
  changesOf(id: string, only?: VaultPath): Promise<FileChange[]>;
  /** The files that are there by what it has and the journal has; none where there is no git, or it is damaged. */
  files(): Promise<VaultPath[]>;
  /** Those of these files that history has never had; null once it has had all of them, and where there is no git. */
  missing(paths: readonly VaultPath[]): Promise<VaultPath[] | null>;
  /** Takes in those of these files that it has never had, as they are. Tells which are done with. */
  addMissing(paths: readonly VaultPath[]): Promise<VaultPath[]>;
  /**
   * The newest commit, empty when that can only be told by starting git. Null while it has not had every file.
   */
  completeTip(): Promise<string | null>;
  /** It has had every file: what it does not have from now on is new. */
  setComplete(): Promise<void>;
};

export type RecordedEdits = { done: VaultPath[]; edited: VaultPath[] };

/** What history needs of the journal. */
type Journal = TransactionStore & ExternalEditStore & HistoryPosition;

const batch = 100;
/** What one batch can add: each may have met an edit made outside. */
const mostLeft = 2 * batch + 1;
const mostTogether = 100_000;

type Parts = {
  root: VaultRoot;
  clock: Clock;
  journal: Journal;
  lock: WriterLock;
  repository: Repository;
};

export function createHistory({ root, clock, journal, lock, repository }: Parts): History {
  const readRecorded = async (id: string, only?: VaultPath): Promise<FileChange[]> => {
    const git = await openOrExplain(repository);
    if (journal.commitOf(id) === null)
      await lock.hold((grant) => repository.use(grant, (each) => locate(journal, each)));
    const commit = journal.commitOf(id);
    if (commit === null) throw new VaultError('damaged-history', 'no commit of history is of this change');
    return git.changesOf(commit, only);
  };
  /** What was edited outside and is not in git yet: what stood there before is. */
  const readFound = async (found: readonly FoundFile[]): Promise<FileChange[]> => {
    const ids = found.flatMap(({ before }) => before ?? []);
    const contents = ids.length === 0 ? null : await (await openOrExplain(repository)).contents(ids);
    return found.flatMap(
      ({ path, before, after }) => fileChange(path, contents?.get(before ?? '') ?? null, after) ?? [],
    );
  };
  /** Sets history aside if it is damaged: its objects may be whole. */
  const look = async (git: GitHistory): Promise<void> => {
    const damage = await git.damage();
    if (damage !== null) throw new VaultError('damaged-history', damage);
  };
  const using = <Value>(work: (git: GitHistory, grant: Grant) => Promise<Value>): Promise<Value | null> =>
    lock.hold((grant) => repository.use(grant, (git) => work(git, grant)));

  /** The newest commit, when the journal knows of it and of all before it. */
  let knownTip: string | null = null;
  /** Not until nothing is left: others may go on writing for as long as somebody waits for this. */
  const recordJournal = async (
    git: GitHistory,
    grant: Grant,
    loose: Loose | null = null,
  ): Promise<boolean> => {
    await locate(journal, git);
    if (knownTip === null || git.tip() !== knownTip) await takeLeft({ journal, git, grant });
    let [left, first] = [journal.unrecorded(mostTogether).length, loose];
    let isPlaced = true;
    do {
      isPlaced &&= await addAll({ journal, git, grant, clock }, journal.unrecorded(batch), first);
      first = null;
      left -= batch;
    } while (left > 0);
    knownTip = git.tip();
    return isPlaced;
  };
  /** Compares what no transaction has touched that is still to come into history. */
  const recordFiles = async (
    paths: readonly VaultPath[],
    git: GitHistory,
    grant: Grant,
  ): Promise<RecordedEdits> => {
    const { edits, same } = await compareWithHistory(git, root, paths, {
      now: clock(),
      check: () => grant.check(),
    });
    const isComplete = await git.isComplete();
    const isMissing = ({ before }: OutsideEdit): boolean => before === null && !isComplete;
    const done = [
      ...same,
      ...(await addFiles(
        edits.filter(isMissing).map(({ path }) => path),
        git,
        grant,
      )),
    ];
    const outside = edits.filter((edit) => !isMissing(edit));
    const lost = await lossOf(outside, async () => (await git.files()).size);
    const edited: VaultPath[] = [];
    for (const [index, group] of inGroups(outside).entries()) {
      const newest = journal.newest();
      const touched = journal.unrecordedPaths();
      const free = group.filter(({ path }) => !touched.has(path));
      // With the group before, history may have got what others wrote meanwhile.
      const known = index === 0 ? null : await git.blobIds(free.map(({ path }) => path));
      const files = readEdits(
        root,
        known === null ? free : free.map(({ path }) => ({ path, before: known.get(path) ?? null })),
      );
      const loose = { files, newest, lost: index === 0 ? lost : null };
      if (!(await recordJournal(git, grant, loose))) break;
      done.push(...group.map(({ path }) => path));
      edited.push(...files.map(({ path }) => path));
    }
    return { done, edited };
  };
  const addFiles = async (
    paths: readonly VaultPath[],
    git: GitHistory,
    grant: Grant,
  ): Promise<VaultPath[]> => {
    const newest = journal.newest();
    const touched = journal.unrecordedPaths();
    const known = await git.blobIds(paths);
    const done: VaultPath[] = [];
    const files: HistoryCommit['files'][number][] = [];
    for (let [at, room] = [0, mostBytes]; at < paths.length && room > 0; at += 1) {
      const path = paths[at] as VaultPath;
      if (touched.has(path)) continue;
      done.push(path);
      const present = known.has(path) ? 'passed over' : readPresent(root, path);
      if (present === 'passed over' || present.bytes === null) continue;
      files.push({ path, after: present.bytes });
      room -= present.bytes.length;
    }
    // A transaction that has begun meanwhile may have written what was read here; then it is its own.
    if (!journal.isStillAt(newest)) return [];
    grant.check();
    if (files.length > 0) await git.add([{ at: clock(), message: foundMessage, files }]);
    return done;
  };

  return {
    async record(paths = []) {
      const isNothing = (): boolean =>
        paths.length === 0 && journal.unrecorded(1).length === 0 && journal.unlocated().length === 0;
      const nothing = { done: [], edited: [] };
      if (isNothing()) return nothing;
      const recorded = await using(async (git, grant) => {
        if (isNothing()) return nothing;
        const touched = journal.unrecordedPaths();
        // What others have written comes into history first, so that all that is edited since is one change; where they have
        // written nothing, it is one with what they met.
        if (paths.some((path) => touched.has(path))) await recordJournal(git, grant);
        const edits = paths.length > 0 ? await recordFiles(paths, git, grant) : nothing;
        await recordJournal(git, grant);
        return edits;
      });
      // Without git there is nothing to compare with.
      return recorded ?? { done: [...paths], edited: [] };
    },
    async changesOf(id, only) {
      const kept = journal.changesOf(id, only);
      if (kept !== null)
        return [...kept.filter(isFileChange), ...(await readFound(journal.foundOf(id, only)))];
      const recorded = await readRecorded(id, only).catch(async (error: unknown) => {
        if (!isOfHistory(error)) throw error;
        await using(look);
        return readRecorded(id, only).catch((cause: unknown) => {
          if (!isOfHistory(cause)) throw cause;
          throw new VaultError('damaged-history', `history has lost what ${id.slice(0, 8)} changed`, {
            mend: 'see: keepsake doctor',
            cause,
          });
        });
      });
      const modes = journal.modesOf(id);
      return recorded.map((change) => ({ ...change, mode: modes.get(change.path) ?? null }));
    },
    async files() {
      const written = journal.unrecordedPaths();
      try {
        const known = await (await repository.open())?.files();
        return [...new Set([...(known?.keys() ?? []), ...written])];
      } catch (error) {
        if (isOfHistory(error)) return [...written];
        throw error;
      }
    },
    missing: (paths) =>
      using(async (git) => {
        if (await git.isComplete()) return null;
        const known = await git.files();
        return paths.filter((path) => !known.has(path));
      }),
    async addMissing(paths) {
      const done = await using(async (git, grant) => {
        await recordJournal(git, grant);
        return addFiles(paths, git, grant);
      });
      return done ?? [...paths];
    },
    async completeTip() {
      const git = repository.isThere() ? await repository.open() : null;
      return git !== null && (await git.isComplete()) ? (git.tip() ?? '') : null;
    },
    async setComplete() {
      await using(async (git) => {
        // Of a vault without files there is no commit yet.
        if (!(await git.hasCommits())) await git.add([{ at: clock(), message: foundMessage, files: [] }]);
        await git.setComplete();
      });
    },
  };
}

/** The message of what has no id: nobody has changed it. */
const foundMessage = 'As it was found\n';

async function openOrExplain(repository: Repository): Promise<GitHistory> {
  const git = await repository.open();
  if (git !== null) return git;
  throw new VaultError('io', 'what this change did is kept in history, which needs git', {
    mend: 'install git and make sure that it is in PATH',
  });
}

/** Edits that no transaction has met, read when the journal was at this number. */
type Loose = { files: readonly FoundFile[]; newest: number; lost: number | null };

type Adding = { journal: Journal; git: GitHistory; grant: Grant; clock: Clock };

/** Gives the entries their commits, in their order, and edits made outside theirs. False when what is loose came too late. */
async function addAll(
  { journal, git, grant, clock }: Adding,
  entries: readonly JournalEntry[],
  loose: Loose | null,
): Promise<boolean> {
  if (entries.length === 0 && (loose === null || loose.files.length === 0)) return true;
  const transactions = entries.map((entry) => ({ entry, files: filesOf(entry, journal) }));
  const paths = new Set(transactions.flatMap(({ files }) => files.map(({ path }) => path)));
  const known = await git.blobIds([...paths]);
  const isUnknown = ({ path, before }: FoundFile): boolean => before !== null && !known.has(path);
  const isComplete = transactions.some(({ files }) => files.some(isUnknown)) && (await git.isComplete());
  const place = (files: readonly FoundFile[]) => placeOutsideEdits(transactions, files, known, isComplete);
  let placed = place(loose?.files ?? []);
  const foundFrom = (each: typeof placed, lost: number | null): Promise<FoundEdits[]> =>
    Promise.all(
      each.found.map(async ({ precedes, at, files }, index) => ({
        entry: outsideEntry(at ?? clock(), files),
        precedes,
        lost: index === 0 ? lost : null,
        files: await withStood(git, files),
      })),
    );
  let found = await foundFrom(placed, loose?.lost ?? null);
  grant.check();
  const isPlaced = journal.addFound(found, loose?.newest ?? null);
  if (!isPlaced) {
    placed = place([]);
    found = await foundFrom(placed, null);
    journal.addFound(found, null);
  }
  const contents = await readLeft(
    git,
    placed.missing.flatMap(({ before, bytes }) => (bytes === undefined ? (before ?? []) : [])),
  );
  const commitsBefore = (id: string | null): Commit[] => {
    const missing = placed.missing.filter(({ ahead }) => ahead === id);
    const files = missing.map(({ path, before, bytes }) => ({
      path,
      after: bytes ?? contents.get(before ?? '') ?? null,
    }));
    return [
      ...(files.length > 0 ? [{ id: null, at: clock(), message: foundMessage, files }] : []),
      ...found.filter(({ precedes }) => precedes === id).map((each) => commitOf(each.entry, each.files)),
    ];
  };
  const commits = [
    ...transactions.flatMap(({ entry, files }) => [...commitsBefore(entry.id), commitOf(entry, files)]),
    ...commitsBefore(null),
  ];
  if (commits.length === 0) return isPlaced;
  const hashes = await git.add(commits);
  const located = commits.map(({ id }, index) => ({ id, commit: hashes[index] ?? null }));
  const files = [...transactions, ...found].flatMap((each): readonly Recordable[] => each.files);
  await forgetRead({ journal, git, grant }, located, files);
  return isPlaced;
}

/** Once history has given all of it back the journal forgets it. */
async function forgetRead(
  { journal, git, grant }: Omit<Adding, 'clock'>,
  commits: readonly { id: string | null; commit: string | null }[],
  files: readonly Recordable[],
): Promise<void> {
  const sides = files.flatMap(({ bytes, after }) => [bytes, after]);
  await git.readBack(
    commits.flatMap(({ commit }) => commit ?? []),
    sides.filter((bytes) => bytes != null),
  );
  grant.check();
  journal.setRecorded(commits.flatMap(({ id, commit }): Located[] => (id === null ? [] : [{ id, commit }])));
}

/**
 * A process that ended before the journal knew has left commits of these entries, all of what it added or nothing: they must not
 * come into history twice, nor be taken for what somebody else has made of the files.
 */
async function takeLeft({ journal, git, grant }: Omit<Adding, 'clock'>): Promise<void> {
  const entries = new Map(journal.unrecorded(mostLeft).map((entry) => [messageOf(entry).trimEnd(), entry]));
  if (entries.size === 0) return;
  const left: { entry: JournalEntry; commit: string }[] = [];
  // At most one that is nobody's goes ahead of each.
  for (const { commit, message } of await git.newest(2 * entries.size)) {
    const entry = entries.get(message.trimEnd());
    if (entry !== undefined) left.push({ entry, commit });
    else if (message.trimEnd() !== foundMessage.trimEnd()) break;
  }
  if (left.length === 0) return;
  await forgetRead(
    { journal, git, grant },
    left.map(({ entry: { id }, commit }) => ({ id, commit })),
    left.flatMap(({ entry }) => filesOf(entry, journal)),
  );
}

type Commit = HistoryCommit & { id: string | null };

function commitOf(entry: JournalEntry, files: HistoryCommit['files']): Commit {
  return { id: entry.id, at: entry.at, message: messageOf(entry), files: deletionsFirst(files) };
}

function filesOf({ id }: JournalEntry, journal: Journal): Recordable[] {
  const changed = (journal.changesOf(id) ?? []).filter(isFileChange).map((change) => {
    const bytes = beforeOf(change);
    return {
      path: change.path,
      before: bytes === null ? null : blobIdOf(bytes),
      bytes,
      after: afterOf(change),
    };
  });
  return [...changed, ...journal.foundOf(id)];
}

/** With what stood in those that were edited; what is gone may be as much as all of a vault. */
async function withStood(git: GitHistory, files: readonly FoundFile[]): Promise<FoundFile[]> {
  const ids = files.flatMap(({ before, after }) => (before === null || after === null ? [] : [before]));
  if (ids.length === 0) return [...files];
  const contents = await readLeft(git, ids);
  return files.map((file) => ({ ...file, stood: contents.get(file.before ?? '') ?? null }));
}

/** What can be read of these; the rest was lost with a repository. */
async function readLeft(git: GitHistory, ids: readonly string[]): Promise<Map<string, Buffer>> {
  try {
    return await git.contents(ids);
  } catch (error) {
    if (!isOfHistory(error)) throw error;
    if (ids.length === 1) return new Map();
    const half = Math.floor(ids.length / 2);
    return new Map([...(await readLeft(git, ids.slice(0, half))), ...(await readLeft(git, ids.slice(half)))]);
  }
}

function outsideEntry(at: number, files: readonly FoundFile[]): JournalEntry {
  const origin = files.every(({ isBrought }) => isBrought === true) ? syncOrigin : outsideOrigin;
  return { id: randomUUID(), at, origin, summary: describeEdits(files), state: 'applied' };
}

/**
 * Finds the commits of what was recorded before hashes were kept. The words of a change may contain what looks like the
 * line of another; only a message that is what was written for this entry, from the first word to the last, is its own.
 */
async function locate(journal: Journal, git: GitHistory): Promise<void> {
  const entries = journal.unlocated();
  if (entries.length === 0) return;
  const commits = new Map<string, string>();
  for (const { commit, message } of await git.messages()) commits.set(message.trimEnd(), commit);
  journal.setLocated(
    entries.map((entry) => ({ id: entry.id, commit: commits.get(messageOf(entry).trimEnd()) ?? null })),
  );
}

/** For whoever reads it with git. Which commit belongs to which change, only the journal says. */
function messageOf({ id, origin, summary }: JournalEntry): string {
  return `${summary.replaceAll(/\s+/g, ' ')}\n\nKeepsake-Update: ${id}\nKeepsake-Origin: ${origin}\n`;
}
