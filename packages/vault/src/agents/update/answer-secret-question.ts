import { formatReason } from '../../contract/index.ts';
import { restoreSecrets } from '../../secrets/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { baseName, fileKindOf, parentPath, rootPath, walkFilePaths } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { commitAnswer, createAnswerRun } from './commit-answer.ts';
import type { AnswerOptions, InboxAnswer } from './commit-answer.ts';
import { readText } from './staged-files.ts';
import { saysKeep } from './secret-question.ts';
import type { UpdateOutcome } from './update-job.ts';
import { createUpdateSecrets, restoreIn, storeUnwritten } from './update-secrets.ts';

type SecretAnswer = InboxAnswer & {
  /** The label of the masks that it is about. */
  label: string;
};

/**
 * Keeps or drops the secrets of an earlier input, without a model: kept ones replace their masks in all notes, dropped ones are deleted and
 * the masks stay. Only the user decides that.
 */
export async function answerSecretQuestion(
  answer: SecretAnswer,
  parts: AnswerOptions,
): Promise<UpdateOutcome> {
  const { input, item, label } = answer;
  const { secretStore, language } = parts;
  if (input.source.kind !== 'person')
    return { kind: 'stopped', reason: formatReason('secrets-user-only', {}) };
  const stored = secretStore.find(label);
  const isKept = saysKeep(input.text);
  if (isKept && stored === undefined)
    return { kind: 'stopped', reason: formatReason('secrets-elsewhere', {}) };
  if (isKept) secretStore.keep(label);
  else secretStore.forget(label);
  const { hideInReason } = createUpdateSecrets(label, secretStore);
  return commitAnswer(answer, parts, {
    summary: summaries[language][isKept ? 'kept' : 'dropped'],
    entry: 'if-needed',
    createRun: () => createAnswerRun(answer, parts, hideInReason),
    async stage(run) {
      if (isKept && stored !== undefined) await restoreInVault(run, item, { label, ...stored }, language);
      return true;
    },
  });
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
