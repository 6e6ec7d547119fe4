import { randomUUID } from 'node:crypto';
import { answerQuestion, excludingView, withinContext } from '../agents/index.ts';
import type { UpdateSettings } from '../agents/index.ts';
import { createTransaction } from '../changes/index.ts';
import type { Changes, Policy } from '../changes/index.ts';
import type { Answer, Clock, Emit } from '../contract/index.ts';
import { createLedger, nothingSpent, usualContext, usualLimits } from '../models/index.ts';
import type { ChatModel, Ledger, SpentToday } from '../models/index.ts';
import { createSqliteQueue } from '../queue/index.ts';
import type { SearchEngine } from '../search/index.ts';
import { createReadRun, createWriteRun, modelBounds } from '../tools/index.ts';
import type { ReadRun, WriteRun } from '../tools/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import { chooseAgentModel } from './agent-model.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { readExclusion } from './exclusion.ts';
import type { SearchHost } from './search-host.ts';
import type { State } from './state.ts';
import { openUpdates } from './updates.ts';
import type { Updates } from './updates.ts';

export type Agents = {
  updates: Updates;
  /** Answers with source lines. Waits for nothing but the model; throws when there is none, or when a bound is reached. */
  ask(question: string, signal: AbortSignal): Promise<Answer>;
  /** The vault as every model may see it: without what is kept from models. */
  visible(): VisibleVault;
  /** Of today. */
  spentToday(): SpentToday;
};

type Parts = {
  view: VaultView;
  changes: Changes;
  search: SearchHost;
  environment: Environment;
  /** A model in place of the configured one. */
  standIn: ChatModel | undefined;
  emit: Emit;
  clock: Clock;
  state: State;
};

/** The two agents over one vault, as they see it: without what is kept from them. */
export function openAgents(parts: Parts): Agents {
  const { environment, emit, clock, state } = parts;
  const stores = state.follow(({ durable }) => ({
    queue: createSqliteQueue(durable, clock),
    ledger: createLedger(durable, clock),
  }));
  let opened: VisibleVault | null = null;
  const visible = (): VisibleVault => (opened ??= openVisible(parts));

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
    visible();
    const { name } = chosen.model;
    return {
      ...chosen,
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
    isExcluded: (path) => visible().isExcluded(path),
    language: environment.language,
    hasQueue: state.hasDurable,
    openQueue: () => stores.open().queue,
    spentOn: (run) => ledger.spentOn(run),
    writeRun: (policy) => visible().writeRun(policy),
  });
  return {
    updates,
    async ask(question, signal) {
      const settings = setting();
      const run = withinContext(visible().readRun(), settings.contextTokens());
      const id = randomUUID();
      const asked = { ...settings, run, id, signal, language: environment.language };
      emit({ type: 'answer-started', run: id, question });
      const answered = await answerQuestion(question, asked);
      if (answered.kind === 'stopped')
        throw new AppError('stopped', `no answer: ${answered.reason}`, {
          mend: 'ask more narrowly, or raise the limits',
        });
      emit({ type: 'answer-finished', run: id, blocks: answered.answer.blocks.length });
      return answered.answer;
    },
    visible,
    spentToday: () => (state.hasDurable() ? ledger.today() : nothingSpent),
  };
}

/** The vault as models see it, agents and those of clients alike, with the runs that they get over it. */
type VisibleVault = {
  view: VaultView;
  isExcluded: (path: VaultPath) => boolean;
  readRun: () => ReadRun;
  writeRun: (policy: Policy) => WriteRun;
};

/** Read when an agent first needs it: whatever is wrong with the configuration is no reason not to read a note. */
function openVisible({ view: whole, search: host, changes, clock, environment }: Parts): VisibleVault {
  const isExcluded = readExclusion(environment);
  const view = isExcluded === null ? whole : excludingView(whole, isExcluded);
  const engine: Pick<SearchEngine, 'search'> = {
    search: (request, ...rest) =>
      host.search(isExcluded === null ? request : { ...request, isExcluded }, ...rest),
  };
  return {
    view,
    isExcluded: isExcluded ?? (() => false),
    readRun: () => createReadRun(view, modelBounds, engine),
    writeRun: (policy) =>
      createWriteRun(createTransaction(view, changes.writer, policy, clock), modelBounds, engine),
  };
}
