import { commit } from '../../tools/index.ts';
import type { CommitFailure, WriteRun } from '../../tools/index.ts';
import { childPath, reviewName, showFolder, showPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { completeUpdate } from './complete.ts';
import { resultOf, titleOf, whyOf } from './filing.ts';
import type { Filing, Job } from './filing.ts';
import { stageIncoming } from './incoming.ts';
import { addOnTop, putText, textAt } from './place.ts';
import type { Progress } from './progress.ts';
import { reviewOfConflict, reviewOfFailure } from './review.ts';

/** After so many conflicts a person decides: both versions go to the inbox, with what came in. */
export function askAboutConflict(job: Job, { conflicts }: CommitFailure): Promise<Filing> {
  const names = conflicts.map(({ path }) => showPath(path)).join(', ');
  return askPerson({ ...job, answered: null }, reviewOfConflict(conflicts, job.language), names);
}

/** What no attempt could file is kept as it came, where the person looks; an answer, with the item it belongs to. */
export function keepInInbox(job: Job, reason: string, progress: Progress | null): Promise<Filing> {
  const question = reviewOfFailure(reason, job.answered !== null, job.language);
  return askPerson(job, question, titleOf(reason), progress);
}

/** Makes an inbox item of what came in, or adds it to the one it answers. What was filed of it by then stays filed. */
async function askPerson(
  job: Job,
  question: string,
  about: string,
  progress: Progress | null = null,
): Promise<Filing> {
  const { input, answered, newRun, clock } = job;
  const run = newRun();
  if (progress !== null) run.transaction.restore(progress.staged);
  const incoming = progress?.incoming ?? (await stageIncoming(input, run, clock()));
  const item = answered ?? incoming.folder;
  await addReview(run, childPath(item, reviewName), question);
  const summary = `${showFolder(item)}: ${about}`;
  const asked = await completeUpdate({
    ...job,
    run,
    incoming,
    isWritten: () => false,
    summary,
    now: clock(),
  });
  const paths = [...run.transaction.staged().keys()].map(showPath);
  const committed = await commit(run, whyOf(job, summary));
  if (committed.kind === 'failed' && committed.code === 'conflict')
    throw new Error('the files it needs are changed all the time; try again later');
  return { kind: 'over', result: resultOf(committed, { summary, paths, asked, known: [] }) };
}

/** Above what was asked before. */
async function addReview(run: WriteRun, path: VaultPath, question: string): Promise<void> {
  const before = await textAt(run, path);
  if (before === null) putText(run, path, null, question);
  else addOnTop(run, path, before, question);
}
