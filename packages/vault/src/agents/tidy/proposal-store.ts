import { createHash } from 'node:crypto';
import type { VaultPath, VaultView } from '../../vault/index.ts';
import { findLines } from './check-proposals.ts';
import type { Candidate, CandidateKind } from './candidate.ts';
import type { TidyAnswer } from './tidy-item.ts';

/** A line, by its file and a hash of its text: the store contains no text of the vault. */
type StoredLine = { path: VaultPath; hash: string };

export type StoredProposal = {
  number: number;
  /** Identifies the proposal when it is declined; see `candidateKey`. */
  key: string;
  kind: CandidateKind;
  /** The target first. */
  lines: StoredLine[];
  answer: TidyAnswer | null;
};

/** The proposals of this machine, durable, until their inbox item is closed. */
export type ProposalStore = {
  /** Replaces the proposals of an item. */
  put(item: string, proposals: readonly Omit<StoredProposal, 'answer'>[]): void;
  /** Empty if the item was created on another machine. */
  list(item: string): StoredProposal[];
  /** A declined proposal is remembered for good. */
  answer(item: string, number: number, answer: TidyAnswer): void;
  isDeclined(key: string): boolean;
  /** Deletes the proposals of all other items. */
  keepOnly(items: readonly string[]): void;
};

export function hashLine(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The proposal with the current lines; null if its target or its first evidence is gone. */
export async function restoreCandidate(
  { kind, lines: [target, ...evidence] }: Pick<StoredProposal, 'kind' | 'lines'>,
  view: VaultView,
): Promise<Candidate | null> {
  const find = async (line: StoredLine | undefined): Promise<Candidate['evidence']> => {
    if (line === undefined) return [];
    const isText = (text: string): boolean => hashLine(text) === line.hash;
    return (await findLines([{ path: line.path, isText }], view)) ?? [];
  };
  const [changed] = await find(target);
  const [first, ...rest] = await Promise.all(evidence.map(find));
  if (changed === undefined || first === undefined || first.length === 0) return null;
  return { kind, target: changed, evidence: [...first, ...rest.flat()] };
}
