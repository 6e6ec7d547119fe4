import type { Clock } from '../contract/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { foundMessage } from './commit-message.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import type { HistoryCommit } from './git-import.ts';
import type { HistoryPosition } from './history-position.ts';
import { compareWithHistory, inGroups, lossOf, mostBytes, readEdits, readPresent } from './outside-edits.ts';
import type { OutsideEdit } from './outside-edits.ts';
import type { RecordJournal } from './record-journal.ts';
import type { HistorySession } from './repository.ts';

/** Which files are done with, and which of them were edited outside. */
export type RecordedEdits = { done: VaultPath[]; edited: VaultPath[] };

type Parts = {
  root: VaultRoot;
  clock: Clock;
  journal: ExternalEditStore & HistoryPosition;
  recordJournal: RecordJournal;
};

/** Compares what no transaction has touched that is still to come into history. */
export async function recordFiles(
  { root, clock, journal, recordJournal }: Parts,
  session: HistorySession,
  paths: readonly VaultPath[],
): Promise<RecordedEdits> {
  const { git, grant } = session;
  const { edits, same } = await compareWithHistory(git, root, paths, {
    now: clock(),
    check: () => grant.check(),
  });
  const isComplete = await git.isComplete();
  const isMissing = ({ before }: OutsideEdit): boolean => before === null && !isComplete;
  const missing = edits.filter(isMissing).map(({ path }) => path);
  const done = [...same, ...(await addFiles({ root, clock, journal }, session, missing))];
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
    if (!(await recordJournal(session, loose))) break;
    done.push(...group.map(({ path }) => path));
    edited.push(...files.map(({ path }) => path));
  }
  return { done, edited };
}

/** Takes those of these files into history that it has never had, as they are. Tells which are done with. */
export async function addFiles(
  { root, clock, journal }: Omit<Parts, 'recordJournal'>,
  { git, grant }: HistorySession,
  paths: readonly VaultPath[],
): Promise<VaultPath[]> {
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
}
