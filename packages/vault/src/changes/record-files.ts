import type { Clock } from '../contract/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { baselineMessage } from './commit-message.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import type { HistoryCommit } from './git-import.ts';
import type { HistoryPosition } from './history-position.ts';
import {
  compareWithHistory,
  groupEdits,
  countMassDeletion,
  maxChangeBytes,
  readEdits,
  readCurrent,
} from './external-edits.ts';
import type { ExternalEdit } from './external-edits.ts';
import type { RecordJournal } from './record-journal.ts';
import type { HistorySession } from './history-repository.ts';

/** `done`: files that need no further attempt. `edited`: those of them that were edited externally. */
export type RecordedEdits = { done: VaultPath[]; edited: VaultPath[] };

type Dependencies = {
  root: VaultRoot;
  clock: Clock;
  journal: ExternalEditStore & HistoryPosition;
  recordJournal: RecordJournal;
};

/** Records external edits of files that no uncommitted transaction has changed. */
export async function recordFiles(
  { root, clock, journal, recordJournal }: Dependencies,
  session: HistorySession,
  paths: readonly VaultPath[],
  awaited: ReadonlySet<VaultPath>,
): Promise<RecordedEdits> {
  const { git, lease } = session;
  const { edits, same } = await compareWithHistory(git, root, paths, {
    now: clock(),
    check: () => lease.assertHeld(),
  });
  const isComplete = await git.hasFullBaseline();
  const isMissing = ({ before }: ExternalEdit): boolean => before === null && !isComplete;
  const missing = edits.filter(isMissing).map(({ path }) => path);
  const done = [...same, ...(await addFiles({ root, clock, journal }, session, missing))];
  const isNewFile = edits.some((edit) => edit.before === null && !isMissing(edit));
  const isAwaited = ({ path, after }: ExternalEdit): boolean =>
    after === null && !isNewFile && awaited.has(path);
  const external = edits.filter((edit) => !isMissing(edit) && !isAwaited(edit));
  const lost = await countMassDeletion(external, async () => (await git.files()).size);
  const edited: VaultPath[] = [];
  for (const [index, group] of groupEdits(external).entries()) {
    const sequence = journal.latestSequence();
    const touched = journal.uncommittedPaths();
    const free = group.filter(({ path }) => !touched.has(path));
    // Recording the previous group also commits the transactions that are in the journal by then.
    const known = index === 0 ? null : await git.blobIds(free.map(({ path }) => path));
    const files = readEdits(
      root,
      known === null ? free : free.map(({ path }) => ({ path, before: known.get(path) ?? null })),
    );
    const unplaced = { files, sequence, lost: index === 0 ? lost : null };
    if (!(await recordJournal(session, unplaced))) break;
    done.push(...group.map(({ path }) => path));
    edited.push(...files.map(({ path }) => path));
  }
  return { done, edited };
}

/** Adds the files that history has never contained. Returns the files that need no further attempt. */
export async function addFiles(
  { root, clock, journal }: Omit<Dependencies, 'recordJournal'>,
  { git, lease }: HistorySession,
  paths: readonly VaultPath[],
): Promise<VaultPath[]> {
  const sequence = journal.latestSequence();
  const touched = journal.uncommittedPaths();
  const known = await git.blobIds(paths);
  const done: VaultPath[] = [];
  const files: HistoryCommit['files'][number][] = [];
  for (let [at, room] = [0, maxChangeBytes]; at < paths.length && room > 0; at += 1) {
    const path = paths[at] as VaultPath;
    if (touched.has(path)) continue;
    done.push(path);
    const current = known.has(path) ? 'skipped' : readCurrent(root, path);
    if (current === 'skipped' || current.bytes === null) continue;
    files.push({ path, after: current.bytes });
    room -= current.bytes.length;
  }
  // A transaction that began in the meantime may have written the content read here, which then belongs to it.
  if (!journal.isUnchangedSince(sequence)) return [];
  lease.assertHeld();
  if (files.length > 0) await git.add([{ at: clock(), message: baselineMessage, files }]);
  return done;
}
