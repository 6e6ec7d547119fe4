import type { UpdateInput } from '../../contract/index.ts';
import { otherReason } from '../../contract/index.ts';
import { commit, createWritePolicy } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { bucketPath, childPath, findFolder, formatPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { AnswerOptions } from './commit-answer.ts';
import { finishUpdate } from './finish-update.ts';
import { createUpdatePolicy } from './policy.ts';
import { createReceipt } from './review-staged.ts';
import { inputExtensionsByRevision, stageInput } from './stage-input.ts';
import type { UpdateOutcome } from './update-job.ts';
import { toUpdateResult } from './update-job.ts';
import { createUpdateSecrets } from './update-secrets.ts';

const maxAttempts = 3;

/** Saves an input as it is, as a note in a bucket with its files next to it, without a model. */
export async function saveNote(
  { id, input }: { id: string; input: UpdateInput },
  parts: AnswerOptions,
): Promise<UpdateOutcome> {
  const { clock, language } = parts;
  const isUserAuthored = input.source.kind === 'person';
  for (let attempt = 1; ; attempt += 1) {
    const secrets = createUpdateSecrets(input.secretLabel, parts.secretStore);
    const run = createNoteRun(input, parts);
    const bucket = await findBucket(run, input.project);
    if (bucket === null) return { kind: 'stopped', reason: await unknownProject(run, input.project ?? '') };
    const incoming = await stageInput(input, run, clock());
    const { reviewItem, maskedTexts } = await finishUpdate({
      run,
      incoming,
      answered: null,
      inputText: input.text,
      isRecorded: () => false,
      bucket,
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
    const keptAsReceived = saved.map(formatPath);
    const summary = `saved as a note: ${keptAsReceived.join(', ')}`;
    const receipt = createReceipt(run, {
      review: nothingReviewed,
      notFiled: [],
      keptAsReceived,
      hide: secrets.hide,
      maskedTexts,
    });
    const paths = [...run.transaction.staged().keys()].map(formatPath);
    const committed = await commit(run, { id, origin: input.source.name, summary, isUserAuthored });
    const isConflict = committed.kind === 'failed' && committed.code === 'conflict';
    if (!isConflict || attempt === maxAttempts)
      return {
        kind: 'finished',
        result: toUpdateResult(committed, { summary, paths, reviewItem, known: [], receipt }),
      };
  }
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

/** Null if there is no such project. */
async function findBucket({ view }: WriteRun, project: string | undefined): Promise<VaultPath | null> {
  if (project === undefined) return bucketPath;
  const { projectsPath } = view.layout();
  const folder = findFolder(await view.contents(projectsPath), projectsPath)?.folders.get(project);
  return folder === undefined ? null : childPath(folder.path, 'bucket');
}

async function unknownProject({ view }: WriteRun, project: string) {
  const { projectsPath } = view.layout();
  const names = [...(findFolder(await view.contents(projectsPath), projectsPath)?.folders.keys() ?? [])];
  return otherReason(`no project ${project}; the projects are: ${names.join(', ') || 'none'}`);
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
