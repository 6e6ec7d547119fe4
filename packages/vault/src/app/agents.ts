import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { answerQuestion, limitToContext } from '../agents/index.ts';
import type { FindWords, PreviousTurn, ProposalStore, UpdateAgentOptions } from '../agents/index.ts';
import type { Changes } from '../changes/index.ts';
import { LimitError } from '../contract/index.ts';
import type { Answer, Clock, EmitEvent, FoundPassage, GetLimits } from '../contract/index.ts';
import { createLedger, zeroUsage, defaultContextTokens, defaultRunLimits } from '../models/index.ts';
import type { ChatModel, Ledger, DailyUsage, RunLimits } from '../models/index.ts';
import { createSqliteQueue } from '../queue/index.ts';
import type { UpdateQueue } from '../queue/index.ts';
import { modelResultLimits, userResultLimits } from '../tools/index.ts';
import type { ReadRun } from '../tools/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { resolveAgentModel } from './agent-model.ts';
import { openClientRuns } from './client-runs.ts';
import type { ClientRuns } from './client-runs.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import type { ExclusionReader } from './exclusion.ts';
import type { FilteredVault } from './filtered-vault.ts';
import { limitToFolder } from './limit-to-folder.ts';
import { createProposalStore } from './proposal-store.ts';
import { applyRetention } from './retention.ts';
import type { RetentionResult } from './retention.ts';
import type { State } from './state.ts';
import { runTidying, tidyingRunId } from './tidying.ts';
import type { TidyingReport } from './tidying.ts';
import { openUpdates } from './updates.ts';
import type { UpdateDependencies, Updates } from './updates.ts';

export type Agents = {
  updates: Updates;
  clientRuns: ClientRuns;
  /** Answers with source lines. Does not wait in the queue; throws when there is no model or a limit is reached. */
  ask(question: string, signal: AbortSignal, options?: AskOptions): Promise<Answer>;
  /** Cost and tokens since midnight, local time. */
  spentToday(): DailyUsage;
  /** Proposes tidying in the inbox; changes nothing else. Throws when there is no model. */
  tidy(signal: AbortSignal): Promise<TidyingReport>;
  /** The stored proposals of an inbox item. */
  proposals: ProposalStore['list'];
  /** Whether a model was already asked for proposals today. */
  hasTidiedToday(): boolean;
  /** Deletes changes and updates that are older than configured. Does nothing in a replicated vault. */
  applyRetention(): Promise<RetentionResult>;
};

type AskOptions = {
  /** Identifies the answer in its events; generated if omitted. */
  id?: string;
  /** The earlier turns of the conversation, oldest first. */
  previousTurns?: readonly PreviousTurn[];
  /** Called with the text that the model has written so far in a step. Must not throw. */
  onText?: (text: string) => void;
  /** Called with passages that the agent has found. Must not throw. */
  onPassages?: (passages: readonly FoundPassage[]) => void;
  /** Answers only from this folder, and from the profile and the overview. */
  folder?: VaultPath | undefined;
  /** Reads an earlier state of the vault instead, at the time of `clock`. */
  past?: { run: ReadRun; clock: Clock };
};

type Dependencies = {
  changes: Changes;
  /** The vault without the files that are hidden from models. */
  visible: FilteredVault;
  /** The vault as the user sees it. */
  whole: FilteredVault;
  exclusion: ExclusionReader;
  environment: Environment;
  /** Used instead of the configured model. */
  modelOverride: ChatModel | undefined;
  emit: EmitEvent;
  clock: Clock;
  state: State;
  vaultLimits: GetLimits;
  findWords: FindWords;
  replicate: ((local: UpdateQueue, durable: Database) => UpdateQueue) | undefined;
};

/** Opens the two agents of a vault. They do not see the files that are hidden from models. */
export function openAgents(parts: Dependencies): Agents {
  const { environment, emit, clock, state, visible, exclusion, replicate = (local) => local } = parts;
  const stores = state.derive(({ durable, assertNotReplaced }) => ({
    queue: replicate(createSqliteQueue(durable, clock, undefined, assertNotReplaced), durable),
    ledger: createLedger(durable, clock),
    proposalStore: createProposalStore(durable),
  }));

  const ledger = createCurrentLedger(() => stores.get().ledger);
  const observedContextTokens = new Map<string, number>();
  const resolveSettings = (): UpdateAgentOptions => {
    const configured =
      parts.modelOverride === undefined
        ? resolveAgentModel(environment)
        : { model: parts.modelOverride, prices: null, limits: defaultRunLimits, contextTokens: null };
    if ('missing' in configured) throw configured.missing;
    // Throws while the list of hidden files cannot be read: no agent may start then.
    exclusion();
    const vaultTokens = parts.vaultLimits().tokens ?? null;
    if (vaultTokens !== null && ledger.usageToday().tokens >= vaultTokens)
      throw new LimitError('tokens', vaultTokens, secondsUntilMidnight(clock()));
    const { name } = configured.model;
    return {
      ...configured,
      limits: { ...configured.limits, vaultTokens },
      ledger,
      emit,
      clock,
      contextTokens() {
        // A server may accept fewer tokens than configured; the error it returns says how many.
        const known = [configured.contextTokens, observedContextTokens.get(name)].filter(
          (each) => each != null,
        );
        return known.length === 0 ? defaultContextTokens : Math.min(...known);
      },
      setContextTokens: (tokens) => void observedContextTokens.set(name, tokens),
    };
  };
  const shared = {
    ...parts,
    adopt: state.ensureAdopted,
    language: environment.language,
    view: visible.view,
  };
  const updateParts: UpdateDependencies = {
    ...shared,
    resolveSettings,
    isExcluded: visible.isExcluded,
    layout: visible.view.layout,
    hasQueue: state.hasDurable,
    openQueue: () => stores.get().queue,
    openProposalStore: () => stores.get().proposalStore,
    spentOn: (run) => ledger.usageOfRun(run),
    createWriteRun: (policy) => visible.writeRun(modelResultLimits, policy),
    createUserRun: (policy) => parts.whole.writeRun(userResultLimits, policy),
  };
  const createSettings = (model: ChatModel): UpdateAgentOptions =>
    createClientSettings(model, { exclusion, ledger, emit, clock });
  return {
    updates: openUpdates(updateParts),
    clientRuns: openClientRuns({ ...updateParts, createClientSettings: createSettings }),
    async ask(question, signal, { id = randomUUID(), past, folder, ...more } = {}) {
      const settings = resolveSettings();
      const excluded = exclusion();
      const whole = limitToFolder(past?.run ?? visible.readRun(modelResultLimits), folder);
      const run = limitToContext(whole, settings.contextTokens());
      const request = { ...settings, ...more, ...past, run, id, signal, language: environment.language };
      emit({ type: 'answer-started', run: id, question });
      const outcome = await answerQuestion(question, request);
      if (outcome.kind === 'stopped')
        throw new AppError('stopped', `no answer: ${outcome.reason.text}`, {
          hint: 'narrow the question or raise the limits',
        });
      if (exclusion() !== excluded)
        throw new AppError('stopped', 'no answer: the hidden files changed during the search', {
          hint: 'ask again',
        });
      emit({ type: 'answer-finished', run: id, blocks: outcome.answer.blocks.length });
      return outcome.answer;
    },
    tidy: (signal) =>
      runTidying(
        {
          ...shared,
          settings: resolveSettings(),
          proposalStore: stores.get().proposalStore,
          ledger,
        },
        signal,
      ),
    proposals: (item) => (state.hasDurable() ? stores.get().proposalStore.list(item) : []),
    hasTidiedToday: () => state.hasDurable() && ledger.usageOfRun(tidyingRunId(clock())) !== null,
    applyRetention: () =>
      applyRetention(parts.replicate === undefined ? (readConfiguration(environment).retention ?? {}) : {}, {
        ...shared,
        queue: () => stores.get().queue,
      }),
    spentToday: () => (state.hasDurable() ? ledger.usageToday() : zeroUsage),
  };
}

/** Some clients cut a tool result at 25,000 tokens; instructions, context and a part of the input are one result. */
const clientContextTokens = 32_000;

/** A step is one call of the client, and the end of its lease limits the time. */
const clientLimits: RunLimits = {
  steps: 200,
  tokens: Infinity,
  minutes: Infinity,
  cost: null,
  dailyCost: null,
  dailyTokens: Infinity,
  vaultTokens: null,
};

/** Looks up the ledger on each call, because the database may have been closed and reopened. */
function createCurrentLedger(current: () => Ledger): Ledger {
  return {
    usageToday: () => current().usageToday(),
    usageOfRun: (run) => current().usageOfRun(run),
    record: (...spent) => current().record(...spent),
  };
}

function createClientSettings(
  model: ChatModel,
  {
    exclusion,
    ledger,
    emit,
    clock,
  }: Pick<Dependencies, 'exclusion' | 'emit' | 'clock'> & Pick<UpdateAgentOptions, 'ledger'>,
): UpdateAgentOptions {
  // Throws while the list of hidden files cannot be read.
  exclusion();
  return {
    model,
    prices: null,
    limits: clientLimits,
    // The client's tokens are neither paid nor limited here.
    ledger: { ...ledger, record: () => undefined },
    emit: (event) => (event.type === 'spend-changed' ? undefined : emit(event)),
    clock,
    contextTokens: () => clientContextTokens,
    setContextTokens: () => undefined,
  };
}

/** Until midnight in the local time zone, because the ledger counts local days. */
function secondsUntilMidnight(now: number): number {
  const today = new Date(now);
  const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
  return Math.ceil((midnight - now) / 1_000);
}
