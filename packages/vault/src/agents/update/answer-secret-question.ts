import type { WritePolicy } from '../../changes/index.ts';
import { formatReason } from '../../contract/index.ts';
import type { Clock, UpdateInput } from '../../contract/index.ts';
import { restoreSecrets } from '../../secrets/index.ts';
import { commit } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { baseName, fileKindOf, formatPath, parentPath, rootPath, walkFilePaths } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { finishUpdate } from './finish-update.ts';
import { createUpdatePolicy } from './policy.ts';
import { readText } from './staged-files.ts';
import { saysKeep } from './secret-question.ts';
import { toUpdateResult, changeMetadata } from './update-job.ts';
import type { UpdateOutcome } from './update-job.ts';
import { createUpdateSecrets, restoreIn, storeUnwritten } from './update-secrets.ts';
import type { SecretStore } from './update-secrets.ts';

type SecretAnswer = {
  id: string;
  input: UpdateInput;
  /** The folder of the question. */
  item: VaultPath;
  /** The label of the masks that it is about. */
  label: string;
};

type AnswerOptions = {
  createWriteRun: (policy: WritePolicy) => WriteRun;
  isExcluded: (path: VaultPath) => boolean;
  secretStore: SecretStore;
  language: Language;
  clock: Clock;
};

const maxAttempts = 3;

/**
 * Keeps or drops the secrets of an earlier input, without a model: kept ones replace their masks in all notes, dropped ones are deleted and
 * the masks stay. Only the user decides that.
 */
export async function answerSecretQuestion(
  answer: SecretAnswer,
  parts: AnswerOptions,
): Promise<UpdateOutcome> {
  const { id, input, item, label } = answer;
  const { secretStore, language, clock } = parts;
  if (input.source.kind !== 'person')
    return { kind: 'stopped', reason: formatReason('secrets-user-only', {}) };
  const stored = secretStore.find(label);
  const isKept = saysKeep(input.text);
  if (isKept && stored === undefined)
    return { kind: 'stopped', reason: formatReason('secrets-elsewhere', {}) };
  if (isKept) secretStore.keep(label);
  else secretStore.forget(label);
  const policy = createUpdatePolicy({
    received: new Map(),
    isUserAuthored: true,
    statedText: input.text,
    answered: item,
    isExcluded: parts.isExcluded,
    reviewReason: () => null,
    hideInReason: createUpdateSecrets(label, secretStore).hideInReason,
  });
  const summary = summaries[language][isKept ? 'kept' : 'dropped'];
  for (let attempt = 1; ; attempt += 1) {
    const run = parts.createWriteRun(policy);
    if (isKept && stored !== undefined) await restoreInVault(run, item, { label, ...stored }, language);
    await finishUpdate({
      run,
      incoming: { folder: item, files: new Map(), shown: [], original: null },
      answered: item,
      inputText: '',
      isRecorded: () => true,
      isDropped: true,
      entry: 'if-needed',
      secrets: createUpdateSecrets(undefined, secretStore),
      summary,
      now: clock(),
      language,
    });
    const paths = [...run.transaction.staged().keys()].map(formatPath);
    const committed = await commit(run, changeMetadata({ id, input, isUserAuthored: true }, summary));
    const isConflict = committed.kind === 'failed' && committed.code === 'conflict';
    if (!isConflict || attempt === maxAttempts)
      return {
        kind: 'finished',
        result: toUpdateResult(committed, { summary, paths, reviewItem: null, known: [], receipt: null }),
      };
  }
}

const summaries: Record<Language, Record<'kept' | 'dropped', string>> = {
  en: {
    kept: 'The secrets of an earlier input are stored in plain text.',
    dropped: 'The secrets of an earlier input were dropped; masks are in their place.',
  },
  fr: {
    kept: 'Les secrets d’un message précédent sont conservés en clair.',
    dropped: 'Les secrets d’un message précédent ont été effacés ; des masques les remplacent.',
  },
};

type KeptSecrets = Parameters<typeof storeUnwritten>[1];

/** Masks in the inbox stay until their item is filed. */
async function restoreInVault(
  run: WriteRun,
  item: VaultPath,
  kept: KeptSecrets,
  language: Language,
): Promise<void> {
  const valueOf = (label: string, number: number): string | undefined =>
    label === kept.label ? kept.secrets[number - 1]?.value : undefined;
  const restore = (text: string): string => restoreSecrets(text, valueOf);
  const { isInInbox } = run.view.layout();
  let written = '';
  for (const path of walkFilePaths(await run.view.contents(rootPath))) {
    if (fileKindOf(baseName(path)) !== 'markdown' || parentPath(path) === item) continue;
    const text = (await readText(run, path)) ?? '';
    if (!text.includes(`[secret ${kept.label}-`)) continue;
    written += text;
    if (!isInInbox(path)) restoreIn(run, path, text, restore);
  }
  await storeUnwritten(run, kept, { written, language, restore });
}
