import type { WritePolicy } from '../../changes/index.ts';
import type { Clock, UpdateInput } from '../../contract/index.ts';
import { commit } from '../../tools/index.ts';
import type { CommitOutcome, WriteRun } from '../../tools/index.ts';
import { formatPath } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { finishUpdate } from './finish-update.ts';
import { createUpdatePolicy } from './policy.ts';
import { changeMetadata, toUpdateResult } from './update-job.ts';
import type { UpdateOutcome } from './update-job.ts';
import { createUpdateSecrets } from './update-secrets.ts';
import type { SecretStore, UpdateSecrets } from './update-secrets.ts';

/** An answer to an inbox item that needs no model. `item` is the folder of the item. */
export type InboxAnswer = { id: string; input: UpdateInput; item: VaultPath };

export type AnswerOptions = {
  createWriteRun: (policy: WritePolicy) => WriteRun;
  /** Like `createWriteRun`, on the whole vault as the user sees it. */
  createUserRun: (policy: WritePolicy) => WriteRun;
  isExcluded: (path: VaultPath) => boolean;
  secretStore: SecretStore;
  language: Language;
  clock: Clock;
};

export function createAnswerRun(
  { input, item }: InboxAnswer,
  { createWriteRun, isExcluded }: AnswerOptions,
  hideInReason: UpdateSecrets['hideInReason'] = (reason) => reason,
): WriteRun {
  return createWriteRun(
    createUpdatePolicy({
      received: new Map(),
      isUserAuthored: isByUser(input),
      statedText: input.text,
      answered: item,
      isExcluded,
      reviewReason: () => null,
      hideInReason,
    }),
  );
}

type AnswerChanges = {
  summary: string;
  /** Whether code adds a changelog entry. */
  entry: 'if-needed' | 'never';
  /** Who makes the change; the update agent if omitted. */
  origin?: string;
  /** Whether the text of the item is not kept; true if omitted. */
  isDropped?: boolean;
  /** Whether the user has confirmed a large removal. */
  isConfirmed?: boolean;
  createRun: () => WriteRun;
  /** Stages the changes. Returns whether the item is answered completely; then it is removed. */
  stage: (run: WriteRun) => Promise<boolean>;
};

const maxAttempts = 3;

/** Commits an answer; starts again if files were changed at the same time. */
export async function commitAnswer(
  { id, input, item }: InboxAnswer,
  { secretStore, language, clock }: AnswerOptions,
  { summary, entry, origin, isDropped = true, isConfirmed, createRun, stage }: AnswerChanges,
): Promise<UpdateOutcome> {
  return retryConflicts(async () => {
    const run = createRun();
    if (await stage(run))
      await finishUpdate({
        run,
        incoming: { folder: item, files: new Map(), shown: [], original: null },
        answered: item,
        inputText: '',
        isRecorded: () => isDropped,
        isDropped,
        entry,
        secrets: createUpdateSecrets(undefined, secretStore),
        summary,
        now: clock(),
        language,
      });
    const paths = [...run.transaction.staged().keys()].map(formatPath);
    const metadata = changeMetadata({ id, input, isUserAuthored: isByUser(input) }, summary);
    const committed = await commit(
      run,
      { ...metadata, ...(origin !== undefined && { origin }) },
      isConfirmed,
    );
    const result = { summary, paths, reviewItem: null, known: [], receipt: null };
    return { kind: 'finished', committed, result: toUpdateResult(committed, result) };
  });
}

/** What an attempt to commit led to. */
type Attempt = UpdateOutcome & { committed?: CommitOutcome };

/** Repeats an attempt if files were changed at the same time. */
export async function retryConflicts(tryToCommit: () => Promise<Attempt>): Promise<UpdateOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const { committed, ...outcome } = await tryToCommit();
    const isConflict = committed?.kind === 'failed' && committed.code === 'conflict';
    if (!isConflict || attempt === maxAttempts) return outcome;
  }
}

function isByUser({ source }: UpdateInput): boolean {
  return source.kind === 'person';
}
