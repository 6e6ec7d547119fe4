import { commit } from '../../tools/index.ts';
import type { CommitFailure, WriteRun } from '../../tools/index.ts';
import { childPath, reviewName, formatFolderPath, formatPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { finishUpdate } from './finish-update.ts';
import { toUpdateResult, firstLine, changeMetadata } from './update-job.ts';
import type { UpdateOutcome, UpdateJob } from './update-job.ts';
import { stageInput } from './stage-input.ts';
import { addOnTop, stageText, readText } from './staged-files.ts';
import type { FilingProgress } from './progress.ts';
import { formatConflictReview, formatFailureReview } from './review-text.ts';

/** After repeated conflicts the user decides: both versions go to the inbox with the input. */
export function createConflictReview(job: UpdateJob, { conflicts }: CommitFailure): Promise<UpdateOutcome> {
  const names = conflicts.map(({ path }) => formatPath(path)).join(', ');
  const question = job.secrets.hide(formatConflictReview(conflicts, job.language), true);
  return createReviewItem({ ...job, answered: null }, question, names);
}

/**
 * Moves input to the inbox unchanged after every attempt to file it has failed; an answer goes to the item that it
 * answers.
 */
export function moveToInbox(
  job: UpdateJob,
  reason: string,
  progress: FilingProgress | null,
): Promise<UpdateOutcome> {
  const question = formatFailureReview(reason, job.answered !== null, job.language);
  return createReviewItem(job, question, firstLine(reason), progress);
}

/**
 * Creates an inbox item from the input, or adds the input to the item that it answers. Parts that are already filed
 * stay filed.
 */
async function createReviewItem(
  job: UpdateJob,
  question: string,
  about: string,
  progress: FilingProgress | null = null,
): Promise<UpdateOutcome> {
  const { input, answered, createRun, clock } = job;
  const run = createRun();
  if (progress !== null) run.transaction.deserialize(progress.staged);
  const incoming = progress?.incoming ?? (await stageInput(input, run, clock()));
  const item = answered ?? incoming.folder;
  await prependReview(run, childPath(item, reviewName), question);
  const summary = `${formatFolderPath(item)}: ${about}`;
  const { reviewItem } = await finishUpdate({
    ...job,
    run,
    incoming,
    isRecorded: () => false,
    summary,
    entry: 'never',
    now: clock(),
  });
  const paths = [...run.transaction.staged().keys()].map(formatPath);
  const committed = await commit(run, changeMetadata(job, summary));
  if (committed.kind === 'failed' && committed.code === 'conflict')
    throw new Error('the files keep changing; retry when the other program has finished');
  return {
    kind: 'finished',
    result: toUpdateResult(committed, { summary, paths, reviewItem, known: [], receipt: null }),
  };
}

/** Inserts the question above earlier ones. */
async function prependReview(run: WriteRun, path: VaultPath, question: string): Promise<void> {
  const before = await readText(run, path);
  if (before === null) stageText(run, path, null, question);
  else addOnTop(run, path, before, question);
}
