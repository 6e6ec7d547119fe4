import {
  candidateKey,
  formatTidyItem,
  hashLine,
  isTidyItem,
  proposeTidying,
  tidyItemName,
} from '../agents/index.ts';
import type { ProposalStore, UpdateAgentOptions } from '../agents/index.ts';
import type { Changes } from '../changes/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import type { Clock, Reason } from '../contract/index.ts';
import type { Ledger } from '../models/index.ts';
import { childPath, reviewName } from '../vault/index.ts';
import type { Language, VaultView } from '../vault/index.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { defaultTidying } from './tidying-settings.ts';

/** `cost` is what all runs of the day cost, for display; null if no model was called. */
export type TidyingReport =
  | { kind: 'proposed'; item: string; proposals: number; cost: string | null }
  /** No proposal; `candidates` is the number of groups of lines that the model was shown. */
  | { kind: 'nothing'; candidates: number; cost: string | null }
  /** The proposals of an earlier run wait for answers. */
  | { kind: 'open'; item: string }
  | { kind: 'stopped'; reason: Reason; cost: string | null };

type Dependencies = {
  changes: Pick<Changes, 'writer'>;
  /** The vault without the files that are hidden from models. */
  view: VaultView;
  settings: UpdateAgentOptions;
  proposalStore: ProposalStore;
  ledger: Ledger;
  clock: Clock;
  language: Language;
  environment: Environment;
  adopt: () => string;
};

/** The id of all runs of a day in the ledger, so that they share one budget. */
export function tidyingRunId(now: number): string {
  return `tidying-${formatLocalTime(now).slice(0, 10)}`;
}

/** Proposes tidying in one inbox item. Writes nothing else, and nothing at all if there is no proposal. */
export async function runTidying(parts: Dependencies, signal: AbortSignal): Promise<TidyingReport> {
  const { changes, view, settings, proposalStore, clock, language } = parts;
  const { dailyCost = defaultTidying.dailyCost } = readConfiguration(parts.environment).tidying ?? {};
  const { inboxPath, listOpenItems } = view.layout();
  const items = listOpenItems(await view.contents(inboxPath)).map(([item]) => item);
  parts.adopt();
  proposalStore.keepOnly(items);
  const open = items.find(isTidyItem);
  if (open !== undefined) return { kind: 'open', item: open };
  const id = tidyingRunId(clock());
  const result = await proposeTidying({
    ...settings,
    view,
    id,
    dailyCost,
    isDeclined: (key) => proposalStore.isDeclined(key),
    signal,
  });
  const cost = describeCost(parts.ledger, id, dailyCost);
  if (result.kind === 'stopped') return { ...result, cost };
  const { proposals, candidates } = result;
  if (proposals.length === 0) return { kind: 'nothing', candidates, cost };
  const item = tidyItemName(formatLocalTime(clock()).slice(0, 10));
  const numbered = proposals.map((proposal, index) => ({ number: index + 1, proposal }));
  // Stored first: an item without stored proposals could not be answered by code.
  proposalStore.put(
    item,
    numbered.map(({ number, proposal }) => ({
      number,
      key: candidateKey(proposal),
      kind: proposal.kind,
      lines: [proposal.target, ...proposal.evidence].map(({ path, text }) => ({
        path,
        hash: hashLine(text),
      })),
    })),
  );
  const path = childPath(childPath(inboxPath, item), reviewName);
  const after = Buffer.from(formatTidyItem(item, numbered, { language, cost }));
  const written = await changes.writer.write([{ kind: 'create', path, after, mode: null }], {
    origin: 'update agent, tidying',
    summary: summaries[language](proposals.length),
  });
  if (written.kind !== 'written') throw new AppError('stopped', `${item} could not be written to the inbox`);
  return { kind: 'proposed', item, proposals: proposals.length, cost };
}

const summaries: Record<Language, (count: number) => string> = {
  en: (count) => `Proposed tidying: ${count === 1 ? '1 question' : `${count} questions`} in the inbox.`,
  fr: (count) =>
    `Rangement proposé : ${count === 1 ? '1 question' : `${count} questions`} dans la boîte de réception.`,
};

function describeCost(ledger: Ledger, id: string, dailyCost: number): string | null {
  const used = ledger.usageOfRun(id);
  if (used === null) return null;
  return used.cost === null ? `${used.input + used.output} tokens` : `${used.cost.toFixed(4)} / ${dailyCost}`;
}
