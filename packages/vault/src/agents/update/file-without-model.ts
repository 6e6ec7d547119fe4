import { formatReason } from '../../contract/index.ts';
import type { UpdateInput } from '../../contract/index.ts';
import { answerTidyItem } from '../tidy/answer-tidy-item.ts';
import type { ProposalStore } from '../tidy/proposal-store.ts';
import { isTidyItem, parseTidyAnswer } from '../tidy/tidy-item.ts';
import { createWritePolicy } from '../../tools/index.ts';
import { answerByChoice } from './answer-by-choice.ts';
import type { ChoiceOptions } from './answer-by-choice.ts';
import { answerSecretQuestion } from './answer-secret-question.ts';
import { createAnswerRun } from './commit-answer.ts';
import type { InboxAnswer } from './commit-answer.ts';
import { findInboxItem } from './inbox-item.ts';
import { saveNote } from './save-note.ts';
import { secretItemLabel } from './secret-question.ts';
import { rootPath } from '../../vault/index.ts';
import type { UpdateOutcome } from './update-job.ts';

export type DirectFilingOptions = ChoiceOptions & {
  proposalStore: ProposalStore;
  /** Accepts another update once per key, and returns its id. */
  submitUpdate: (input: UpdateInput, key: string) => Promise<string>;
};

/** Whether only a model can file this input: it is neither a note nor a plain answer. */
export function needsModel(
  { asNote, inboxRef, choice, text }: Pick<UpdateInput, 'asNote' | 'inboxRef' | 'choice' | 'text'>,
  openProposalStore: () => Pick<ProposalStore, 'list'>,
): boolean {
  if (inboxRef === undefined) return asNote !== true;
  if (choice !== undefined || secretItemLabel(inboxRef) !== null) return false;
  if (!isTidyItem(inboxRef)) return true;
  const numbers = openProposalStore()
    .list(inboxRef)
    .map(({ number }) => number);
  return numbers.length === 0 || parseTidyAnswer(text, numbers) === null;
}

/** Files an update that needs no model, in one transaction with the id of the update. */
export async function fileWithoutModel(
  { id, input }: { id: string; input: UpdateInput },
  parts: DirectFilingOptions,
): Promise<UpdateOutcome> {
  const { inboxRef } = input;
  if (inboxRef === undefined) return saveNote({ id, input }, parts);
  const { choice } = input;
  const probe: InboxAnswer = { id, input, item: rootPath };
  // Only the user may settle items that are hidden from AI, or learn that they exist.
  const probeRun =
    choice === undefined || input.source.kind !== 'person'
      ? createAnswerRun(probe, parts)
      : parts.createUserRun(createWritePolicy(null));
  const item = await findInboxItem(probeRun, inboxRef);
  if (item === undefined) return { kind: 'stopped', reason: formatReason('no-item', { item: inboxRef }) };
  if (choice !== undefined) return answerByChoice({ id, input, item, choice }, parts);
  const label = secretItemLabel(inboxRef);
  if (label !== null) return answerSecretQuestion({ id, input, item, label }, parts);
  return answerTidyItem({ id, input, item }, parts);
}
