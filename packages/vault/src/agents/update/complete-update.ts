import type { Receipt } from '../../contract/index.ts';
import { hasMask } from '../../secrets/index.ts';
import { findUncoveredSentences } from '../../review/index.ts';
import type { Review } from '../../review/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { formatPath } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { createRecordedCheck } from './check-filed.ts';
import type { CitedLines, FilingStatus } from './check-filed.ts';
import { keepsChangelog } from '../vault-context.ts';
import { finishUpdate } from './finish-update.ts';
import { createReceipt, reviewHoldReason } from './review-staged.ts';
import type { TextToCover } from './review-staged.ts';
import type { StagedInput } from './stage-input.ts';
import { findReviewItem } from './store-leftovers.ts';
import { tidyingSource } from './update-job.ts';
import type { UpdateJob } from './update-job.ts';

type CompletionOptions = {
  run: WriteRun;
  incoming: StagedInput;
  filingStatus: FilingStatus;
  /** The last review of the staged changes. */
  review: Review;
  summary: string;
  isWhole: boolean;
};

export const noText: TextToCover = { toCover: '', answer: '', numbersToCover: '' };

/** The text whose sentences must be found: not an instruction, and not text that is kept next to a question or was dropped. */
export function textToCover(
  { input, inputText, answered }: UpdateJob,
  run: WriteRun,
  status: FilingStatus,
): TextToCover {
  const isKept = status?.kind === 'filed' && findReviewItem(run, answered) !== null;
  const isInstruction = input.source.kind === 'person' && input.source.name === tidyingSource;
  if (isKept || isInstruction || status?.kind === 'dropped' || status?.kind === 'not-worth-keeping')
    return noText;
  // Cited lines often say the same in other words, so only the numbers are compared.
  if (status?.kind === 'known') return { ...noText, numbersToCover: inputText };
  if (answered === null) return { ...noText, toCover: inputText };
  return { ...noText, toCover: inputText.slice(input.text.length), answer: input.text };
}

/** More text than this is kept as a file of its own instead of in the changelog entry. */
const maxQuotedCharacters = 1_500;

/** Stages what code adds to an update, decides whether it is held, and writes its receipt. */
export async function completeUpdate(
  job: UpdateJob,
  { run, incoming, filingStatus, review, summary, isWhole }: CompletionOptions,
): Promise<{ reviewItem: VaultPath | null; receipt: Receipt }> {
  const { language } = job;
  const quotable = [...review.uncovered, ...review.replaced.map(({ text }) => text)];
  const isQuoted =
    filingStatus?.kind === 'filed' &&
    (await keepsChangelog(run)) &&
    job.isUserAuthored &&
    // A changelog cannot be hidden from AI, so secrets do not go there, even if the user keeps them.
    !quotable.some(hasMask) &&
    quotable.join('').length <= maxQuotedCharacters;
  const notFiled = isQuoted ? quotable : [];
  job.setHoldReason(
    reviewHoldReason(isQuoted ? review : { ...review, unnamed: [...review.unnamed, ...review.replaced] }),
  );
  const unsupported = [...new Set(review.inventions.flatMap(({ values }) => values))];
  // If the input was filed in parts, code cannot tell whether all of it was filed, so the text is kept.
  // A session that was filed is not kept in its own words, most of which are not worth keeping.
  const isFiledSession = job.input.session !== undefined && (filingStatus !== null || !isWhole);
  const isRecorded = isFiledSession
    ? () => true
    : isWhole
      ? createRecordedCheck(filingStatus, {
          run,
          incoming,
          answered: job.answered,
          inputText: job.inputText,
          quoted: notFiled,
          isComplete: isQuoted || review.uncovered.length === 0,
          leftOut: review.leftOut,
        })
      : () => false;
  const before = new Set(run.transaction.staged().keys());
  const { reviewItem, maskedTexts } = await finishUpdate({
    ...job,
    run,
    incoming,
    isRecorded,
    isDropped: filingStatus?.kind === 'dropped',
    entry: notFiled.length > 0 ? 'always' : 'if-needed',
    annotations: [...quoteSentences(notFiled, language), ...markUnsupported(unsupported, language)],
    summary,
    now: job.clock(),
  });
  const { isInBucket } = run.view.layout();
  const keptAsReceived = [...run.transaction.staged().keys()]
    .filter((path) => !before.has(path) && isInBucket(path))
    .map(formatPath);
  const { hide } = job.secrets;
  return {
    reviewItem,
    receipt: createReceipt(run, { review, notFiled, keptAsReceived, hide, maskedTexts }),
  };
}

const words: Record<Language, Record<'notFiled' | 'unsupported' | 'unmatched' | 'unconfirmed', string>> = {
  en: {
    notFiled: 'Not filed elsewhere, as received:',
    unsupported: 'Not in the input:',
    unmatched: 'In other words there, or missing:',
    unconfirmed: 'Not confirmed by the check of the changes:',
  },
  fr: {
    notFiled: 'Non classé ailleurs, tel que reçu :',
    unsupported: 'Absent du message :',
    unmatched: 'En d’autres mots là-bas, ou absent :',
    unconfirmed: 'Non confirmé par la vérification des changements :',
  },
};

/** The sentence of the agent above the receipt. If the review still found problems, it is only a claim. */
export function qualifySummary(
  { isUserAuthored, language }: Pick<UpdateJob, 'isUserAuthored' | 'language'>,
  summary: string,
  { uncovered, replaced, inventions, failedCalls }: Review,
): string {
  const problems = [...(isUserAuthored ? uncovered : []), ...replaced, ...inventions, ...failedCalls];
  return problems.length === 0 ? summary : `${words[language].unconfirmed} "${summary}"`;
}

/** Names the sentences of the input whose words are not in the lines that are said to contain them. */
export function nameUnmatched(
  { inputText, language }: Pick<UpdateJob, 'inputText' | 'language'>,
  known: readonly CitedLines[],
): string {
  const found = known.map(({ text }) => text).join('\n');
  const unmatched = findUncoveredSentences({ input: inputText, found });
  const quoted = unmatched.map((sentence) => `"${sentence}"`).join(', ');
  return unmatched.length === 0 ? '' : `\n${words[language].unmatched} ${quoted}`;
}

function quoteSentences(sentences: readonly string[], language: Language): string[] {
  return sentences.length === 0
    ? []
    : [words[language].notFiled, '', ...sentences.map((sentence) => `> ${sentence}`)];
}

function markUnsupported(values: readonly string[], language: Language): string[] {
  return values.length === 0
    ? []
    : [`${words[language].unsupported} ${values.map((value) => `"${value}"`).join(', ')}`];
}
