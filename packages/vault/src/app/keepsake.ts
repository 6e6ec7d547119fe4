import type { Database } from 'better-sqlite3';
import { countInbox } from '../agents/index.ts';
import { openChanges } from '../changes/index.ts';
import type { Changes, CommitListener, Journal } from '../changes/index.ts';
import { checkGrowth, describeError, inTurn } from '../contract/index.ts';
import type { Clock, ReadLimits, UpdateInput, VaultSize } from '../contract/index.ts';
import { findSandbox, openDocuments } from '../intake/index.ts';
import type { Documents, PrepareOptions, Sandbox } from '../intake/index.ts';
import type { ChatModel } from '../models/index.ts';
import type { UpdateQueue } from '../queue/index.ts';
import { leaveTreeTrue } from '../upkeep/index.ts';
import type { Upkeep } from '../upkeep/index.ts';
import { createCatalogue, createView, isInInbox, openRoot, showPath } from '../vault/index.ts';
import type { Catalogue, VaultPath, VaultRoot } from '../vault/index.ts';
import { openAgents } from './agents.ts';
import type { Agents } from './agents.ts';
import { openCatalogue } from './databases.ts';
import { chooseVault } from './configuration.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { createEvents } from './events.ts';
import type { Events } from './events.ts';
import { exclusionReader } from './exclusion.ts';
import { limitSearches } from './limit-searches.ts';
import { chooseModels } from './models.ts';
import { createOutsideRecorder } from './record-outside.ts';
import type { OutsideRecorder } from './record-outside.ts';
import { createSearchHost } from './search-host.ts';
import type { SearchHost } from './search-host.ts';
import { createSeenVault } from './seen-vault.ts';
import type { SeenVault } from './seen-vault.ts';
import { createState } from './state.ts';
import type { State } from './state.ts';
import { createSyncHost } from './sync.ts';
import type { SyncHost } from './sync.ts';
import { transcriberOf } from './transcription.ts';
import { hostUpkeep } from './upkeep.ts';
import type { UpkeepOptions } from './upkeep.ts';
import { openVisible } from './visible.ts';

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

/** What a door opens. */
export type Served = SeenVault & {
  documents: Documents;
  /** Takes in an update whose files may be documents of any kind. Returns once it would survive a power loss. */
  accept(input: UpdateInput, options?: AcceptOptions): Promise<{ id: string; warnings: string[] }>;
};

type AcceptOptions = PrepareOptions & {
  /** The same key again gives the same update. */
  key?: string | undefined;
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

/** Who has to know of more than so many files at once looks at all of them anyway. */
const mostTold = 1_000;

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
  const { store, close } = openCatalogue(stateFolder);
  const catalogue = createCatalogue(root, store, clock);
  const view = createView(root, catalogue);
  let hasChanged = false;
  const lookAgain: CommitListener = async (changes) => {
    hasChanged = true;
    for (const { path } of changes) await catalogue.changed(path);
  };
  const exclusion = exclusionReader(environment);
  const search = createSearchHost({
    stateFolder,
    catalogue,
    view,
    clock,
    models: () => chooseModels(environment, exclusion()),
  });
  const index: CommitListener = (changes) => search.changed(changes.map(({ path }) => path));
  const events = createEvents();
  const tellPaths = (paths: readonly VaultPath[]): void =>
    events.emit({ type: 'file-changed', paths: paths.slice(0, mostTold).map(showPath) });
  const tell: CommitListener = async (changed) => {
    const paths = changed.map(({ path }) => path);
    tellPaths(paths);
    if (paths.some(isInInbox)) events.emit({ type: 'inbox-changed', items: await countInbox(view, changes) });
  };
  const admit = async (growth: VaultSize): Promise<void> => {
    const most = limits();
    if (most.bytes !== undefined || most.files !== undefined)
      checkGrowth(most, await catalogue.size(), growth);
  };
  const changes = await openChanges({
    root,
    clock,
    listeners: [lookAgain, index, tell],
    state,
    searchPath: environment.searchPath,
    replicate: replicate?.journal,
    admit,
  });
  const all = { view, changes, clock };
  const agents = openAgents({
    changes,
    visible: openVisible({ ...all, search, exclusion }),
    exclusion,
    environment,
    standIn: model,
    emit: events.emit,
    clock,
    state,
    vaultLimits: limits,
    replicate: replicate?.queue,
  });
  const atDoors = { ...all, search: limitSearches(search, limits) };
  const forModels = openVisible({ ...atDoors, exclusion });
  const { language } = environment;
  const shared = { forModels, changes, changing: inTurn(), agents, events, search, language };
  const nothingExcluded = (): null => null;
  const whole = createSeenVault({
    ...shared,
    seen: openVisible({ ...atDoors, exclusion: nothingExcluded }),
    exclusion: nothingExcluded,
  });
  const sandboxed = sandboxOf(environment, sandbox);
  const documents = openDocuments((recording, signal) => {
    const transcribe = transcriberOf(environment);
    if (transcribe !== null) return transcribe(recording, signal);
    throw new AppError('no-model', 'no model for it is configured', {
      mend: 'see: keepsake config transcription --help',
    });
  }, sandboxed);
  const taking: Omit<Served, keyof SeenVault> = {
    documents,
    async accept(input, { key, ...options } = {}) {
      // What there is no room for would only wait in the queue.
      await admit(sizeOf(input));
      const prepared = await documents.prepare(input.files, options);
      if (prepared.kind === 'refused')
        throw new AppError('bad-input', `${prepared.name}: ${prepared.reason}`);
      const { id } = await agents.updates.accept({ ...input, files: prepared.files }, key);
      return { id, warnings: prepared.warnings };
    },
  };
  const outside = createOutsideRecorder({ root, state, catalogue, changes, clock });
  return {
    ...whole,
    ...taking,
    forModels: { ...createSeenVault({ ...shared, seen: forModels, exclusion }), ...taking },
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
        {
          root,
          stateFolder,
          catalogue,
          search,
          changes,
          clock,
          language: environment.language,
        },
        {
          ...options,
          onEvent(event) {
            if (event.kind === 'noticed' || event.kind === 'recorded') {
              hasChanged = true;
              tellPaths(event.paths);
            }
            options.onEvent(event);
          },
        },
      ),
    async close() {
      documents.close();
      await search.close();
      // What fails at it is for upkeep to do.
      if (hasChanged) await leaveTreeTrue(root, () => catalogue.contents()).catch(() => undefined);
      close();
      try {
        await changes.record();
        return { notRecorded: null };
      } catch (error) {
        return { notRecorded: describeError(error) };
      } finally {
        changes.flush();
        state.close();
      }
    },
  };
}

function sizeOf({ text, files }: UpdateInput): VaultSize {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, Buffer.byteLength(text));
  return { bytes, files: files.length };
}

function sandboxOf(
  { searchPath }: Environment,
  { isRequired = false, onUnusable = () => undefined }: Partial<Sandbox>,
): Sandbox {
  return { command: findSandbox(searchPath), isRequired, onUnusable };
}
