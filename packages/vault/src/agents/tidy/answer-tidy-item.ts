import type { WritePolicy } from '../../changes/index.ts';
import type { Clock, UpdateInput } from '../../contract/index.ts';
import { commit } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { baseName, childPath, formatPath, reviewName } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { finishUpdate } from '../update/finish-update.ts';
import { createUpdatePolicy } from '../update/policy.ts';
import { readText, stageText } from '../update/staged-files.ts';
import { changeMetadata, toUpdateResult } from '../update/update-job.ts';
import type { UpdateOutcome } from '../update/update-job.ts';
import { createUpdateSecrets } from '../update/update-secrets.ts';
import type { SecretStore } from '../update/update-secrets.ts';
import { restoreCandidate } from './proposal-store.ts';
import type { ProposalStore, StoredProposal } from './proposal-store.ts';
import { formatAnswered, formatInstruction, formatTidyItem, parseTidyAnswer } from './tidy-item.ts';
import type { NumberedProposal, TidyAnswer } from './tidy-item.ts';

/** `item` is the folder of the inbox item. */
type TidyReply = { id: string; input: UpdateInput; item: VaultPath };

type ReplyOptions = {
  createWriteRun: (policy: WritePolicy) => WriteRun;
  isExcluded: (path: VaultPath) => boolean;
  proposalStore: ProposalStore;
  /** Accepts an update once per key, and returns its id. */
  submitUpdate: (input: UpdateInput, key: string) => Promise<string>;
  secretStore: SecretStore;
  language: Language;
  clock: Clock;
};

const maxAttempts = 3;

/**
 * Answers proposals without a model: a yes becomes an update of its own, a no is remembered, and the item keeps the open
 * questions. Null if the text is not a plain answer, or if the proposals were made on another machine.
 */
export async function answerTidyItem(reply: TidyReply, parts: ReplyOptions): Promise<UpdateOutcome | null> {
  const { id, input, item } = reply;
  const { proposalStore, language, clock, secretStore } = parts;
  const name = baseName(item);
  const numbers = proposalStore.list(name).map(({ number }) => number);
  const answers = parseTidyAnswer(input.text, numbers);
  if (answers === null) return null;
  const isUserAuthored = input.source.kind === 'person';
  const createRun = (): WriteRun =>
    parts.createWriteRun(
      createUpdatePolicy({
        received: new Map(),
        isUserAuthored,
        statedText: input.text,
        answered: item,
        isExcluded: parts.isExcluded,
        reviewReason: () => null,
        hideInReason: (reason) => reason,
      }),
    );
  const summary = formatAnswered(await applyAnswers(reply, createRun(), answers, parts), language);
  for (let attempt = 1; ; attempt += 1) {
    const run = createRun();
    const open = await restoreOpen(proposalStore.list(name), run);
    if (open.length > 0) {
      const review = childPath(item, reviewName);
      const text = formatTidyItem(name, open, { language, cost: null });
      stageText(run, review, await readText(run, review), text);
    } else
      await finishUpdate({
        run,
        incoming: { folder: item, files: new Map(), shown: [], original: null },
        answered: item,
        inputText: '',
        isRecorded: () => true,
        isDropped: true,
        entry: 'never',
        secrets: createUpdateSecrets(undefined, secretStore),
        summary,
        now: clock(),
        language,
      });
    const paths = [...run.transaction.staged().keys()].map(formatPath);
    const committed = await commit(run, changeMetadata({ id, input, isUserAuthored }, summary));
    if (committed.kind === 'failed' && committed.code === 'conflict' && attempt < maxAttempts) continue;
    return {
      kind: 'finished',
      result: toUpdateResult(committed, { summary, paths, reviewItem: null, known: [], receipt: null }),
    };
  }
}

/** Can be repeated after a crash: an update is accepted once per proposal. */
async function applyAnswers(
  { input, item }: TidyReply,
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
      const source = { ...input.source, name: 'tidying' };
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
