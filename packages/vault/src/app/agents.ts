import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { answerQuestion, withinContext } from '../agents/index.ts';
import type { Former, UpdateSettings } from '../agents/index.ts';
import type { Changes } from '../changes/index.ts';
import { LimitError } from '../contract/index.ts';
import type { Answer, Clock, Emit, ReadLimits } from '../contract/index.ts';
import { createLedger, nothingSpent, usualContext, usualLimits } from '../models/index.ts';
import type { ChatModel, Ledger, SpentToday } from '../models/index.ts';
import { createSqliteQueue } from '../queue/index.ts';
import type { UpdateQueue } from '../queue/index.ts';
import { modelBounds } from '../tools/index.ts';
import { chooseAgentModel } from './agent-model.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import type { ReadExclusion } from './exclusion.ts';
import type { FilteredVault } from './filtered-vault.ts';
import type { State } from './state.ts';
import { openUpdates } from './updates.ts';
import type { Updates } from './updates.ts';

export type Agents = {
  updates: Updates;
  /** Answers with source lines. Waits for nothing but the model; throws when there is none, or when a bound is reached. */
  ask(question: string, signal: AbortSignal, options?: AskOptions): Promise<Answer>;
  /** Of today. */
  spentToday(): SpentToday;
};

type AskOptions = {
  /** For its events; left out, one is made. */
  id?: string;
  /** What it is asked on from, oldest first. */
  former?: readonly Former[];
  /** Told what the model has written so far in a step. Must not throw. */
  onText?: (text: string) => void;
};

type Parts = {
  changes: Changes;
  /** The vault as every model may see it. */
  visible: FilteredVault;
  exclusion: ReadExclusion;
  environment: Environment;
  /** A model in place of the configured one. */
  standIn: ChatModel | undefined;
  emit: Emit;
  clock: Clock;
  state: State;
  vaultLimits: ReadLimits;
  replicate: ((local: UpdateQueue, durable: Database) => UpdateQueue) | undefined;
};

/** The two agents over one vault, as they see it: without what is kept from them. */
export function openAgents(parts: Parts): Agents {
  const { environment, emit, clock, state, visible, exclusion, replicate = (local) => local } = parts;
  const stores = state.follow(({ durable, confirm }) => ({
    queue: replicate(createSqliteQueue(durable, clock, undefined, confirm), durable),
    ledger: createLedger(durable, clock),
  }));

  /** Asks for the database each time: it may have become another. */
  const ledger: Ledger = {
    today: () => stores.open().ledger.today(),
    spentOn: (run) => stores.open().ledger.spentOn(run),
    add: (...spent) => stores.open().ledger.add(...spent),
  };
  const learned = new Map<string, number>();
  const setting = (): UpdateSettings => {
    const chosen =
      parts.standIn === undefined
        ? chooseAgentModel(environment)
        : { model: parts.standIn, prices: null, limits: usualLimits, contextTokens: null };
    if ('missing' in chosen) throw chosen.missing;
    // While nobody can say what is kept from models, nothing is begun.
    exclusion();
    const vaultTokens = parts.vaultLimits().tokens ?? null;
    if (vaultTokens !== null && ledger.today().tokens >= vaultTokens)
      throw new LimitError('tokens', vaultTokens, secondsToMidnight(clock()));
    const { name } = chosen.model;
    return {
      ...chosen,
      limits: { ...chosen.limits, vaultTokens },
      ledger,
      emit,
      clock,
      contextTokens() {
        // A server may take less than is configured; it says so when it refuses.
        const known = [chosen.contextTokens, learned.get(name)].filter((each) => each != null);
        return known.length === 0 ? usualContext : Math.min(...known);
      },
      learnContext: (tokens) => void learned.set(name, tokens),
    };
  };
  const updates = openUpdates({
    ...parts,
    adopt: state.adopt,
    setting,
    isExcluded: visible.isExcluded,
    language: environment.language,
    hasQueue: state.hasDurable,
    openQueue: () => stores.open().queue,
    spentOn: (run) => ledger.spentOn(run),
    writeRun: (policy) => visible.writeRun(modelBounds, policy),
  });
  return {
    updates,
    async ask(question, signal, { id = randomUUID(), ...more } = {}) {
      const settings = setting();
      const excluded = exclusion();
      const run = withinContext(visible.readRun(modelBounds), settings.contextTokens());
      const asked = { ...settings, ...more, run, id, signal, language: environment.language };
      emit({ type: 'answer-started', run: id, question });
      const answered = await answerQuestion(question, asked);
      if (answered.kind === 'stopped')
        throw new AppError('stopped', `no answer: ${answered.reason.text}`, {
          mend: 'ask more narrowly, or raise the limits',
        });
      if (exclusion() !== excluded)
        throw new AppError('stopped', 'no answer: what is kept from models has changed meanwhile', {
          mend: 'ask again',
        });
      emit({ type: 'answer-finished', run: id, blocks: answered.answer.blocks.length });
      return answered.answer;
    },
    spentToday: () => (state.hasDurable() ? ledger.today() : nothingSpent),
  };
}

/** Where this runs, as the ledger counts days. */
function secondsToMidnight(now: number): number {
  const today = new Date(now);
  const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
  return Math.ceil((midnight - now) / 1_000);
}
