import type { UpdateInput } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { baseName, childPath, reviewName } from '../../vault/index.ts';
import { commitAnswer, createAnswerRun } from '../update/commit-answer.ts';
import type { AnswerOptions, InboxAnswer } from '../update/commit-answer.ts';
import { tidyingSource } from '../update/update-job.ts';
import { readText, stageText } from '../update/staged-files.ts';
import type { UpdateOutcome } from '../update/update-job.ts';
import { restoreCandidate } from './proposal-store.ts';
import type { ProposalStore, StoredProposal } from './proposal-store.ts';
import { formatAnswered, formatInstruction, formatTidyItem, parseTidyAnswer } from './tidy-item.ts';
import type { NumberedProposal, TidyAnswer } from './tidy-item.ts';

type ReplyOptions = AnswerOptions & {
  proposalStore: ProposalStore;
  /** Accepts an update once per key, and returns its id. */
  submitUpdate: (input: UpdateInput, key: string) => Promise<string>;
};

/**
 * Answers proposals without a model: a yes becomes an update of its own, a no is remembered, and the item keeps the open
 * questions. The text must be a plain answer (`needsModel`).
 */
export async function answerTidyItem(reply: InboxAnswer, parts: ReplyOptions): Promise<UpdateOutcome> {
  const { input, item } = reply;
  const { proposalStore, language } = parts;
  const name = baseName(item);
  const numbers = proposalStore.list(name).map(({ number }) => number);
  const answers = parseTidyAnswer(input.text, numbers) ?? new Map<number, TidyAnswer>();
  const createRun = (): WriteRun => createAnswerRun(reply, parts);
  const summary = formatAnswered(await applyAnswers(reply, createRun(), answers, parts), language);
  return commitAnswer(reply, parts, {
    summary,
    entry: 'never',
    createRun,
    async stage(run) {
      const open = await restoreOpen(proposalStore.list(name), run);
      if (open.length === 0) return true;
      const review = childPath(item, reviewName);
      const text = formatTidyItem(name, open, { language, cost: null });
      stageText(run, review, await readText(run, review), text);
      return false;
    },
  });
}

/** Can be repeated after a crash: an update is accepted once per proposal. */
async function applyAnswers(
  { input, item }: InboxAnswer,
  { view }: WriteRun,
  answers: ReadonlyMap<number, TidyAnswer>,
  { proposalStore, submitUpdate, language }: ReplyOptions,
): Promise<Parameters<typeof formatAnswered>[0]> {
  const confirmed: string[] = [];
  let [declined, gone] = [0, 0];
  for (const proposal of proposalStore.list(baseName(item))) {
    const { number } = proposal;
    const answer = answers.get(number);
    if (answer === undefined) continue;
    const candidate = answer === 'yes' ? await restoreCandidate(proposal, view) : null;
    if (answer === 'no') declined += 1;
    else if (candidate === null) gone += 1;
    else {
      const text = formatInstruction(candidate, language);
      const source = { ...input.source, name: tidyingSource };
      const update = await submitUpdate({ text, files: [], source }, `${baseName(item)}-${proposal.key}`);
      confirmed.push(update.slice(0, 8));
    }
    proposalStore.answer(baseName(item), number, answer);
  }
  return { confirmed, declined, gone };
}

/** The proposals without an answer whose lines are still there. */
async function restoreOpen(
  stored: readonly StoredProposal[],
  { view }: WriteRun,
): Promise<NumberedProposal[]> {
  const open: NumberedProposal[] = [];
  for (const each of stored) {
    const proposal = each.answer === null ? await restoreCandidate(each, view) : null;
    if (proposal !== null) open.push({ number: each.number, proposal });
  }
  return open;
}
