import type { UpdateInput } from '../../contract/index.ts';
import { otherReason } from '../../contract/index.ts';
import { commit, createWritePolicy } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { bucketPath, childPath, findFolder, formatPath } from '../../vault/index.ts';
import type { VaultPath, VaultView } from '../../vault/index.ts';
import { retryConflicts } from './commit-answer.ts';
import type { AnswerOptions } from './commit-answer.ts';
import { finishUpdate } from './finish-update.ts';
import { createUpdatePolicy } from './policy.ts';
import { createReceipt } from './review-staged.ts';
import { inputExtensionsByRevision, stageInput } from './stage-input.ts';
import type { UpdateOutcome } from './update-job.ts';
import { toUpdateResult } from './update-job.ts';
import { createUpdateSecrets } from './update-secrets.ts';

/** Saves an input as it is, as a note in a bucket with its files next to it, without a model. */
export async function saveNote(
  { id, input }: { id: string; input: UpdateInput },
  parts: AnswerOptions,
): Promise<UpdateOutcome> {
  const { clock, language } = parts;
  const isUserAuthored = input.source.kind === 'person';
  return retryConflicts(async () => {
    const secrets = createUpdateSecrets(input.secretLabel, parts.secretStore);
    const run = createNoteRun(input, parts);
    const project = await findProjectOfNote(input, run.view);
    if ('problem' in project) return { kind: 'stopped', reason: otherReason(project.problem) };
    const incoming = await stageInput(input, run, clock());
    const { reviewItem, maskedTexts } = await finishUpdate({
      run,
      incoming,
      answered: null,
      inputText: input.text,
      isRecorded: () => false,
      bucket: project.bucket,
      entry: 'never',
      secrets,
      summary: '',
      now: clock(),
      language,
    });
    const { isInBucket } = run.view.layout();
    const saved = [...run.transaction.staged()].flatMap(([path, after]) =>
      after !== null && isInBucket(path) ? [path] : [],
    );
    const summary = `saved as a note: ${saved.map(formatPath).join(', ')}`;
    const receipt = createReceipt(run, {
      review: nothingReviewed,
      notFiled: [],
      // The summary says it.
      keptAsReceived: [],
      hide: secrets.hide,
      maskedTexts,
    });
    const paths = [...run.transaction.staged().keys()].map(formatPath);
    const committed = await commit(run, { id, origin: input.source.name, summary, isUserAuthored });
    const result = toUpdateResult(committed, { summary, paths, reviewItem, known: [], receipt });
    return { kind: 'finished', committed, result };
  });
}

/** The user may save a note where it is hidden from AI; a client that quotes the user writes under the rules of the update agent. */
function createNoteRun(input: UpdateInput, parts: AnswerOptions): WriteRun {
  const received = inputExtensionsByRevision(input);
  const isUserAuthored = input.source.kind === 'person';
  if (isUserAuthored && input.isFromClient !== true)
    return parts.createUserRun(createWritePolicy(null, { attachments: received }));
  const { hideInReason } = createUpdateSecrets(input.secretLabel, parts.secretStore);
  return parts.createWriteRun(
    createUpdatePolicy({
      received,
      isUserAuthored,
      statedText: input.text,
      answered: null,
      isExcluded: parts.isExcluded,
      reviewReason: () => null,
      hideInReason,
    }),
  );
}

/** The bucket for a note; `problem` if its project does not exist in this view. */
export async function findProjectOfNote(
  { project }: Pick<UpdateInput, 'project'>,
  view: VaultView,
): Promise<{ bucket: VaultPath } | { problem: string }> {
  if (project === undefined) return { bucket: bucketPath };
  const { projectsPath } = view.layout();
  const { folders } = findFolder(await view.contents(projectsPath), projectsPath) ?? {};
  const folder = folders?.get(project);
  if (folder !== undefined) return { bucket: childPath(folder.path, 'bucket') };
  const names = [...(folders?.keys() ?? [])].join(', ') || 'none';
  return { problem: `no project ${project}; the projects are: ${names}` };
}

const nothingReviewed = {
  uncovered: [],
  leftOut: [],
  unnamed: [],
  replaced: [],
  causedByOthers: [],
  unrequested: [],
  inventions: [],
  unread: [],
  failedCalls: [],
};
