import type { Database } from 'better-sqlite3';
import { openChanges } from '../changes/index.ts';
import type { Changes, Journal } from '../changes/index.ts';
import { describeError, inTurn } from '../contract/index.ts';
import type { Clock, ReadLimits } from '../contract/index.ts';
import { findSandbox } from '../intake/index.ts';
import type { Sandbox } from '../intake/index.ts';
import type { ChatModel } from '../models/index.ts';
import type { UpdateQueue } from '../queue/index.ts';
import { leaveTreeTrue } from '../upkeep/index.ts';
import type { Upkeep } from '../upkeep/index.ts';
import { createCatalogue, createView, openRoot } from '../vault/index.ts';
import type { Catalogue, VaultRoot } from '../vault/index.ts';
import { createAcceptUpdate, openTranscribingDocuments } from './accept-update.ts';
import { openAgents } from './agents.ts';
import type { Agents } from './agents.ts';
import { createChangeAnnouncer } from './change-announcer.ts';
import type { ChangeAnnouncer } from './change-announcer.ts';
import { openCatalogue } from './databases.ts';
import { chooseVault } from './configuration.ts';
import type { Environment } from './environment.ts';
import { createEvents } from './events.ts';
import type { Events } from './events.ts';
import { exclusionReader } from './exclusion.ts';
import { createFilteredVault } from './filtered-vault.ts';
import { limitSearches } from './limit-searches.ts';
import { chooseModels } from './models.ts';
import { createQuotaCheck } from './quota-check.ts';
import { createOutsideRecorder } from './record-outside.ts';
import type { OutsideRecorder } from './record-outside.ts';
import { createSearchHost } from './search-host.ts';
import type { SearchHost } from './search-host.ts';
import { createServedVault } from './served-vault.ts';
import type { Served } from './served-vault.ts';
import { createState } from './state.ts';
import type { State } from './state.ts';
import { createSyncHost } from './sync.ts';
import type { SyncHost } from './sync.ts';
import { hostUpkeep } from './upkeep.ts';
import type { UpkeepOptions } from './upkeep.ts';

/** One open vault and what works on it: all of it, as the person sees it. */
export type Keepsake = Served & {
  /** The same for everybody who is not the person: without what is kept from models. */
  forModels: Served;
  root: VaultRoot;
  state: State;
  catalogue: Catalogue;
  changes: Changes;
  search: SearchHost;
  agents: Agents;
  events: Events;
  sync: SyncHost;
  /** For a process that does not start upkeep. */
  outside: OutsideRecorder;
  /** What it may use; nothing is limited in a vault of one's own. */
  limits: ReadLimits;
  /** Around what converts documents. */
  sandbox: Sandbox;
  /** Keeps everything true while files are edited outside, until it is stopped; to be stopped before `close`. */
  startUpkeep(options: UpkeepOptions): Upkeep;
  /**
   * Ends everything; waits until history has what was written. What it could not take, and why, is told: the journal
   * keeps it, and the next close tries again.
   */
  close(): Promise<{ notRecorded: string | null }>;
};

export type KeepsakeOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
  clock?: Clock;
  /** For the agents, in place of the configured one: to measure what is no model. */
  model?: ChatModel | undefined;
  replicate?: Replicate | undefined;
  limits?: ReadLimits | undefined;
  /** Around what converts documents; where it can be used unless told otherwise. */
  sandbox?: Partial<Omit<Sandbox, 'command'>> | undefined;
};

/** Journal and queue of a vault whose promises hold also when this machine is lost. */
type Replicate = {
  journal: (local: Journal, durable: Database) => Journal;
  queue: (local: UpdateQueue, durable: Database) => UpdateQueue;
};

/** Completes first what a crash may have interrupted, so that nobody reads half an update. */
export async function openKeepsake({
  vault,
  state: namedState,
  environment,
  clock = Date.now,
  model,
  replicate,
  limits = () => ({}),
  sandbox = {},
}: KeepsakeOptions): Promise<Keepsake> {
  const root = openRoot(chooseVault(vault, environment));
  const state = createState(root, namedState, environment);
  const stateFolder = state.folder();
  const stored = openCatalogue(stateFolder);
  const catalogue = createCatalogue(root, stored.store, clock);
  const view = createView(root, catalogue);
  const exclusion = exclusionReader(environment);
  const search = createSearchHost({
    stateFolder,
    catalogue,
    view,
    clock,
    models: () => chooseModels(environment, exclusion()),
  });
  const events = createEvents();
  const announcer = createChangeAnnouncer({ catalogue, search, events, view, changes: () => changes });
  const checkQuota = createQuotaCheck(limits, catalogue);
  const changes = await openChanges({
    root,
    clock,
    listeners: announcer.listeners,
    state,
    searchPath: environment.searchPath,
    replicate: replicate?.journal,
    admit: checkQuota,
  });
  const all = { view, changes, clock };
  const agents = openAgents({
    changes,
    visible: createFilteredVault({ ...all, search, exclusion }),
    exclusion,
    environment,
    standIn: model,
    emit: events.emit,
    clock,
    state,
    vaultLimits: limits,
    replicate: replicate?.queue,
  });
  const sandboxed = sandboxOf(environment, sandbox);
  const documents = openTranscribingDocuments(environment, sandboxed);
  const limited = { ...all, search: limitSearches(search, limits) };
  const whole = createFilteredVault({ ...limited, exclusion: () => null });
  const forModels = createFilteredVault({ ...limited, exclusion });
  const { language } = environment;
  const accept = createAcceptUpdate({ documents, updates: agents.updates, checkQuota });
  const shared = { forModels, documents, accept, changing: inTurn(), agents, events, search, language };
  const outside = createOutsideRecorder({ root, state, catalogue, changes, clock });
  return {
    ...createServedVault({ ...shared, seen: whole }),
    forModels: createServedVault({ ...shared, seen: forModels }),
    root,
    state,
    catalogue,
    changes,
    search,
    agents,
    events,
    limits,
    sandbox: sandboxed,
    outside,
    sync: createSyncHost({ root, state, catalogue, view, changes, outside, environment, clock }),
    startUpkeep: (options) =>
      hostUpkeep(
        { root, stateFolder, catalogue, search, changes, clock, language },
        announcingEdits(options, announcer),
      ),
    close: () =>
      closeAll({
        documents,
        search,
        announcer,
        root,
        catalogue,
        closeCatalogue: stored.close,
        changes,
        state,
      }),
  };
}

/** The same options, for an upkeep that announces the edits that it finds. */
function announcingEdits(options: UpkeepOptions, { announceOutside }: ChangeAnnouncer): UpkeepOptions {
  return {
    ...options,
    onEvent(event) {
      if (event.kind === 'noticed' || event.kind === 'recorded') announceOutside(event.paths);
      options.onEvent(event);
    },
  };
}

type ToClose = Pick<Keepsake, 'documents' | 'search' | 'root' | 'catalogue' | 'changes' | 'state'> & {
  announcer: ChangeAnnouncer;
  closeCatalogue: () => void;
};

async function closeAll(parts: ToClose): ReturnType<Keepsake['close']> {
  const { root, catalogue, changes } = parts;
  parts.documents.close();
  await parts.search.close();
  // If this fails, the next upkeep writes the file.
  if (parts.announcer.hasChanged())
    await leaveTreeTrue(root, () => catalogue.contents()).catch(() => undefined);
  parts.closeCatalogue();
  try {
    await changes.record();
    return { notRecorded: null };
  } catch (error) {
    return { notRecorded: describeError(error) };
  } finally {
    changes.flush();
    parts.state.close();
  }
}

function sandboxOf(
  { searchPath }: Environment,
  { isRequired = false, onUnusable = () => undefined }: Partial<Sandbox>,
): Sandbox {
  return { command: findSandbox(searchPath), isRequired, onUnusable };
}
