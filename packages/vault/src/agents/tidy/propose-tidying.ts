import { z } from 'zod';
import { formatLocalTime, otherReason } from '../../contract/index.ts';
import type { Reason } from '../../contract/index.ts';
import { calculateCost } from '../../models/index.ts';
import type { Prices } from '../../models/index.ts';
import type { VaultView } from '../../vault/index.ts';
import type { BoundTool } from '../bind-tools.ts';
import { createConversation } from '../conversation.ts';
import type { AgentOptions } from '../conversation.ts';
import { loadPrompt } from '../load-prompt.ts';
import { candidateKey } from './candidate.ts';
import type { Candidate, CandidateKind } from './candidate.ts';
import { checkProposals, proposedTidying } from './check-proposals.ts';
import { findCandidates } from './find-candidates.ts';
import { formatCandidates } from './format-candidates.ts';
import { readSources } from './read-sources.ts';

export type TidyingOptions = AgentOptions & {
  /** Read-only, without the files that are hidden from models. */
  view: VaultView;
  /** Identifies the run in events and in the ledger; all runs of a day share it, and so the budget. */
  id: string;
  /** What all runs of a day may cost; counts only if prices are configured. */
  dailyCost: number;
  isDeclined: (key: string) => boolean;
  signal: AbortSignal;
};

/** `candidates` is the number of groups of lines that the model was shown. */
export type TidyingResult =
  | { kind: 'proposed'; proposals: Candidate[]; candidates: number }
  | { kind: 'stopped'; reason: Reason };

/** Without prices, a run is limited by tokens. */
const maxTokens = 20_000;
const maxSteps = 2;
const estimatedOutputTokens = 1_000;
/** Fewer characters per token than usual, so that the estimate of the cost is on the safe side. */
const charactersPerToken = 3;

/** Asks the model which groups of similar lines need tidying. Changes nothing, and calls no model if there is no group. */
export async function proposeTidying(options: TidyingOptions): Promise<TidyingResult> {
  const { view, clock, isDeclined, ledger, prices, dailyCost, limits, id } = options;
  const today = formatLocalTime(clock()).slice(0, 10);
  const all = findCandidates(await readSources(view), today).filter(
    (each) => !isDeclined(candidateKey(each)),
  );
  if (all.length === 0) return { kind: 'proposed', proposals: [], candidates: 0 };
  const instructions = loadPrompt('tidy', view.layout());
  const left = dailyCost - (ledger.usageOfRun(id)?.cost ?? 0);
  const candidates = fitToBudget(all, prices, left, (some) => instructions + formatCandidates(some, today));
  if (candidates.length === 0)
    return { kind: 'stopped', reason: otherReason(`reached the budget for tidying (${dailyCost} a day)`) };
  let proposed: z.infer<typeof proposalInput> | null = null;
  const conversation = createConversation({
    ...options,
    run: id,
    instructions,
    tools: [createProposeTool((input) => void (proposed = input))],
    firstToolChoice: 'required',
    limits: {
      ...limits,
      steps: Math.min(limits.steps, maxSteps),
      tokens: Math.min(limits.tokens, maxTokens),
      cost: Math.min(limits.cost ?? dailyCost, dailyCost),
    },
  });
  conversation.addUserMessage({ text: formatCandidates(candidates, today), images: [] });
  try {
    for (;;) {
      const turn = await conversation.runUntilDone(() => proposed !== null);
      if (proposed !== null) break;
      if (turn.kind === 'stopped') return turn;
      conversation.addUserMessage({
        text: 'Call `propose` now, with an empty list if nothing is certain.',
        images: [],
      });
    }
  } finally {
    conversation.close();
  }
  const { proposals } = proposed as z.infer<typeof proposalInput>;
  return {
    kind: 'proposed',
    proposals: await checkProposals(proposals, candidates, view),
    candidates: candidates.length,
  };
}

const proposalInput = z.object({ proposals: z.array(proposedTidying) });

function createProposeTool(onProposed: (input: z.infer<typeof proposalInput>) => void): BoundTool {
  return {
    name: 'propose',
    description: 'Propose at most five groups of lines to the user. Call it once.',
    input: proposalInput,
    async call(input) {
      const parsed = proposalInput.safeParse(input);
      if (!parsed.success) return { kind: 'refused', message: `error: ${z.prettifyError(parsed.error)}` };
      onProposed(parsed.data);
      return { kind: 'result', result: { text: 'noted', images: [], value: { errors: [] } } };
    },
  };
}

/** The most likely candidates of each kind that can be sent for the money that is left. */
function fitToBudget(
  candidates: readonly Candidate[],
  prices: Prices | null,
  left: number,
  format: (candidates: readonly Candidate[]) => string,
): Candidate[] {
  const ranks = new Map<CandidateKind, number>();
  const ranked = candidates
    .map((candidate) => {
      const rank = ranks.get(candidate.kind) ?? 0;
      ranks.set(candidate.kind, rank + 1);
      return { candidate, rank };
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ candidate }) => candidate);
  const isTooMuch = (some: readonly Candidate[]): boolean => {
    const input = Math.ceil(format(some).length / charactersPerToken);
    const usage = { input, cached: 0, written: input, output: estimatedOutputTokens };
    return (calculateCost(usage, prices) ?? 0) > left || input + estimatedOutputTokens > maxTokens;
  };
  while (ranked.length > 0 && isTooMuch(ranked)) ranked.pop();
  return ranked;
}
