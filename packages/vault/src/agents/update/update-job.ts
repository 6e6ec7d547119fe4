import type { ChangeMetadata } from '../../changes/index.ts';
import type { Clock, Reason, Receipt, UpdateInput, UpdateResult } from '../../contract/index.ts';
import type { CommitOutcome, WriteRun } from '../../tools/index.ts';
import { baseName } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import type { CitedLines } from './check-filed.ts';
import type { UpdateSecrets } from './update-secrets.ts';

/** The source of updates that answers to proposals create: instructions, not content. */
export const tidyingSource = 'tidying';

/** `stopped` means that a limit was reached or the update cannot be done at all; retrying would not help. */
export type UpdateOutcome = { kind: 'finished'; result: UpdateResult } | { kind: 'stopped'; reason: Reason };

/** A client that files an update in place of the configured model. */
export type FilingClient = {
  name: string;
  /** Whether the texts that it writes may count as the user's, if the input is; false for a client behind a token. */
  isTrusted: boolean;
  /** Throws if the client has lost access meanwhile. Called right before a part of the input or the commit is stored. */
  assertAllowed: () => void;
};

/** An update that is being filed. */
export type UpdateJob = {
  id: string;
  input: UpdateInput;
  /** The folder of the inbox item that the update answers; null if it answers none. */
  answered: VaultPath | null;
  /** The whole text to file: the input and the text of the answered inbox item. */
  inputText: string;
  /** Whether all of that text comes from the user. */
  isUserAuthored: boolean;
  /** Makes the commit wait for the user's approval; null lets it through. */
  setHoldReason: (reason: Reason | null) => void;
  secrets: UpdateSecrets;
  /** Creates a run with a new transaction. */
  createRun: () => WriteRun;
  clock: Clock;
  language: Language;
  client?: FilingClient;
};

type FilingDetails = {
  summary: string;
  paths: string[];
  reviewItem: VaultPath | null;
  known: CitedLines[];
  receipt: Receipt | null;
};

export function toUpdateResult(
  committed: CommitOutcome,
  { summary, paths, reviewItem, known, receipt }: FilingDetails,
): UpdateResult {
  switch (committed.kind) {
    case 'applied':
      return committed.change === null
        ? { kind: 'unchanged', summary, known: known.map(formatLineRange) }
        : {
            kind: 'filed',
            summary,
            paths,
            asked: reviewItem === null ? null : baseName(reviewItem),
            receipt,
          };
    case 'held':
      return { kind: 'held', summary, paths, reason: committed.reason, receipt };
    case 'failed':
      throw new Error(committed.message);
  }
}

function formatLineRange({ path, start, end }: CitedLines): string {
  return start === end ? `${path}:${start}` : `${path}:${start}-${end}`;
}

/** Metadata of the update's change. */
export function changeMetadata(
  { id, input, isUserAuthored, client }: Pick<UpdateJob, 'id' | 'input' | 'isUserAuthored' | 'client'>,
  summary: string,
): ChangeMetadata {
  return {
    id,
    origin: `update agent, ${input.source.name}${client === undefined ? '' : ` (${client.name})`}`,
    summary: firstLine(summary),
    isUserAuthored: isUserAuthored && client?.isTrusted !== false,
    assertAllowed: client?.assertAllowed,
  };
}

/** One line for the history. */
export function firstLine(summary: string): string {
  const [line = ''] = summary.split('\n');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
