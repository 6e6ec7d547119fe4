import { countInbox, listInbox } from '../agents/index.ts';
import type { InboxEntry } from '../agents/index.ts';
import { openChanges } from '../changes/index.ts';
import type { Changes, CommitListener } from '../changes/index.ts';
import { describeError } from '../contract/index.ts';
import type { Clock, UpdateInput } from '../contract/index.ts';
import { openDocuments } from '../intake/index.ts';
import type { Documents, PrepareOptions } from '../intake/index.ts';
import type { ChatModel } from '../models/index.ts';
import { createToolCaller, verifyAnswer } from '../tools/index.ts';
import type { CheckedBlock, ToolCaller } from '../tools/index.ts';
import type { Upkeep } from '../upkeep/index.ts';
import { createCatalogue, createView, isInInbox, openRoot, readFile, showPath } from '../vault/index.ts';
import type { Catalogue, FileRead, VaultPath, VaultRoot } from '../vault/index.ts';
import { openAgents } from './agents.ts';
import type { Agents } from './agents.ts';
import { openCatalogue } from './databases.ts';
import { chooseVault } from './environment.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { createEvents } from './events.ts';
import type { Events } from './events.ts';
import { exclusionReader } from './exclusion.ts';
import { chooseModels } from './models.ts';
import { createRuns } from './runs.ts';
import type { Runs } from './runs.ts';
import { createSearchHost } from './search-host.ts';
import type { SearchHost } from './search-host.ts';
import { createState } from './state.ts';
import type { State } from './state.ts';
import { transcriberOf } from './transcription.ts';
import { hostUpkeep } from './upkeep.ts';
import type { UpkeepOptions } from './upkeep.ts';

/** One open vault and what works on it. */
export type Keepsake = Runs & {
  root: VaultRoot;
  state: State;
  catalogue: Catalogue;
  changes: Changes;
  search: SearchHost;
  agents: Agents;
  documents: Documents;
  /** Takes in an update whose files may be documents of any kind. Returns once it would survive a power loss. */
  accept(input: UpdateInput, options?: AcceptOptions): Promise<{ id: string; warnings: string[] }>;
  events: Events;
  /** What waits for the person. */
  inbox(): Promise<InboxEntry[]>;
  /** Whether the source lines in an answer still stand. */
  verify(document: string): Promise<CheckedBlock[]>;
  /** A file byte for byte. */
  readFile(path: VaultPath): Promise<FileRead>;
  /** Calls tools for whoever is outside. There is one of these for a vault, so that changes wait for each other. */
  callTool: ToolCaller;
  /** Keeps everything true while files are edited outside, until it is stopped; to be stopped before `close`. */
  startUpkeep(options: UpkeepOptions): Upkeep;
  /**
   * Ends everything; waits until history has what was written. What it could not take, and why, is told: the journal
   * keeps it, and the next close tries again.
   */
  close(): Promise<{ notRecorded: string | null }>;
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
}: KeepsakeOptions): Promise<Keepsake> {
  const root = openRoot(chooseVault(vault, environment));
  const state = createState(root, namedState, environment);
  const stateFolder = state.folder();
  const { store, close } = openCatalogue(stateFolder);
  const catalogue = createCatalogue(root, store, clock);
  const view = createView(root, catalogue);
  const lookAgain: CommitListener = async (changes) => {
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
  const changes = await openChanges({
    root,
    clock,
    listeners: [lookAgain, index, tell],
    state,
    searchPath: environment.searchPath,
  });
  const agents = openAgents({
    view,
    changes,
    search,
    environment,
    standIn: model,
    emit: events.emit,
    clock,
    state,
  });
  const runs = createRuns({ view, search, changes, agents, clock });
  const documents = openDocuments((recording, signal) => {
    const transcribe = transcriberOf(environment);
    if (transcribe !== null) return transcribe(recording, signal);
    throw new AppError('no-model', 'no model for it is configured', {
      mend: 'see: keepsake config transcription --help',
    });
  });
  return {
    root,
    state,
    catalogue,
    changes,
    search,
    agents,
    documents,
    async accept(input, { key, ...options } = {}) {
      const prepared = await documents.prepare(input.files, options);
      if (prepared.kind === 'refused')
        throw new AppError('bad-input', `${prepared.name}: ${prepared.reason}`);
      const { id } = agents.updates.accept({ ...input, files: prepared.files }, key);
      return { id, warnings: prepared.warnings };
    },
    events,
    inbox: () => listInbox(view, changes),
    verify: (document) => verifyAnswer(document, view),
    readFile: (path) => readFile(view, path),
    ...runs,
    callTool: createToolCaller({ changes, ...runs }),
    startUpkeep: (options) =>
      hostUpkeep(
        {
          root,
          stateFolder,
          catalogue,
          search,
          changes,
          clock,
        },
        {
          ...options,
          onEvent(event) {
            if (event.kind === 'noticed') tellPaths(event.paths);
            options.onEvent(event);
          },
        },
      ),
    async close() {
      documents.close();
      await search.close();
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
