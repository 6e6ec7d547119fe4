import type { Database } from 'better-sqlite3';
import { openChanges } from '../changes/index.ts';
import type { Changes, Journal } from '../changes/index.ts';
import { describeError, createLimiter } from '../contract/index.ts';
import type { Clock, Forgetting, GetLimits } from '../contract/index.ts';
import { findSandbox } from '../intake/index.ts';
import type { Sandbox } from '../intake/index.ts';
import type { ChatModel } from '../models/index.ts';
import type { UpdateQueue } from '../queue/index.ts';
import type { ReadDocument } from '../search/index.ts';
import { refreshTreeFile } from '../upkeep/index.ts';
import type { Upkeep } from '../upkeep/index.ts';
import { createCatalogue, createView, resolveRoot } from '../vault/index.ts';
import type { Catalogue, VaultRoot } from '../vault/index.ts';
import { acceptFromClient, createAcceptUpdate, openTranscribingDocuments } from './accept-update.ts';
import { createFindWords, createForgetRequests } from './forget-requests.ts';
import type { ForgetRequests } from './forget-requests.ts';
import { openAgents } from './agents.ts';
import type { Agents } from './agents.ts';
import { createChangeAnnouncer } from './change-announcer.ts';
import type { ChangeAnnouncer } from './change-announcer.ts';
import { databaseFile, hasDatabase } from './database-files.ts';
import { findDamage, openCatalogue } from './databases.ts';
import { resolveVault } from './configuration.ts';
import { outputLanguage } from './output-language.ts';
import { openVaultRoot } from './open-vault-root.ts';
import type { Environment } from './environment.ts';
import { createEventBus } from './events.ts';
import type { EventBus } from './events.ts';
import { createExclusionReader, createHiddenCheck } from './exclusion.ts';
import { createFilteredVault } from './filtered-vault.ts';
import { openSyncAndForgetting } from './forgetting.ts';
import { removeLeftOvers } from './left-over-state.ts';
import { limitSearches } from './limit-searches.ts';
import { createSearchModels } from './models.ts';
import { findOwnerProcess } from './owner.ts';
import { createQuotaCheck } from './quota-check.ts';
import { createExternalEditRecorder } from './external-edit-recorder.ts';
import type { ExternalEditRecorder } from './external-edit-recorder.ts';
import { readForIndex } from './read-for-index.ts';
import { createSearchHost } from './search-host.ts';
import type { SearchHost } from './search-host.ts';
import { createServedVault } from './served-vault.ts';
import type { VaultService } from './served-vault.ts';
import { createState } from './state.ts';
import type { State } from './state.ts';
import type { SyncHost } from './sync.ts';
import { startVaultUpkeep } from './upkeep.ts';
import type { UpkeepOptions } from './upkeep.ts';

/** An open vault with its services, as the user sees it: nothing is hidden. */
export type Keepsake = VaultService & {
  /** The services for every client other than the user, without the files that are hidden from models. */
  restricted: VaultService;
  root: VaultRoot;
  state: State;
  catalogue: Catalogue;
  changes: Changes;
  search: SearchHost;
  agents: Agents;
  events: EventBus;
  sync: SyncHost;
  /** Removes words for good, also from history. */
  forget: Forgetting;
  forgetRequests: ForgetRequests;
  /** Records edits by other programs in a process that does not run upkeep. */
  externalEdits: ExternalEditRecorder;
  /** The limits of the vault; a local vault has none. */
  limits: GetLimits;
  /** The sandbox of the document converters. */
  sandbox: Sandbox;
  /** Keeps index, stamps, tree.md and history up to date while other programs edit files. Stop it before `close`. */
  startUpkeep(options: UpkeepOptions): Upkeep;
  /**
   * Closes everything after recording pending changes in history. If that fails, the result says why; the journal keeps the
   * changes, and the next close tries again.
   */
  close(): Promise<{ recordError: string | null }>;
};

export type KeepsakeOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
  clock?: Clock;
  /** Used by the agents instead of the configured model, for example in evaluations and the demo. */
  model?: ChatModel | undefined;
  replicate?: ReplicationHooks | undefined;
  limits?: GetLimits | undefined;
  /** Extracts the text of documents instead of the converters. */
  readDocument?: ReadDocument | undefined;
  /** Options for the sandbox of the document converters; by default it is used where available. */
  sandbox?: Partial<Omit<Sandbox, 'command'>> | undefined;
  /** Whether a sync may fill the folder, so that it may be the empty folder of a known vault. */
  isJoining?: boolean;
  /** Only looks: does not complete what a crash interrupted, record changes or take a lock. */
  isPassive?: boolean;
};

/** Functions that wrap journal and queue, so that acknowledged writes survive the loss of this machine. */
type ReplicationHooks = {
  journal: (local: Journal, durable: Database) => Journal;
  queue: (local: UpdateQueue, durable: Database) => UpdateQueue;
  /** Removes everything that was stored elsewhere before now, after words were forgotten here. */
  purge: () => Promise<void>;
};

/** Opens a vault. First completes a commit that a crash interrupted, so that no caller reads half an update. */
export async function openKeepsake({
  vault,
  state: namedState,
  environment: given,
  clock = Date.now,
  model,
  replicate,
  limits = () => ({}),
  readDocument,
  sandbox = {},
  isJoining = false,
  isPassive = false,
}: KeepsakeOptions): Promise<Keepsake> {
  const root = isJoining
    ? resolveRoot(resolveVault(vault, given))
    : openVaultRoot({ vault, state: namedState, environment: given });
  const environment = { ...given, language: outputLanguage(root, given) };
  const state = createState(root, namedState, environment);
  const stateFolder = state.folder();
  const stored = openStored({ root, state, environment }, clock, isPassive);
  const catalogue = createCatalogue(root, stored.store, clock);
  const view = createView(root, catalogue);
  const exclusion = createExclusionReader(environment);
  const search = createSearchHost({
    stateFolder,
    catalogue,
    view,
    clock,
    models: () => createSearchModels(environment, exclusion()),
    readDocument: readDocument ?? ((...request) => readForIndex(documents, ...request)),
  });
  const [events, checkQuota] = [createEventBus(), createQuotaCheck(limits, catalogue)];
  const announcer = createChangeAnnouncer({ catalogue, search, events, view, changes: () => changes });
  const changes = await openChanges({
    root,
    clock,
    listeners: announcer.listeners,
    state,
    searchPath: environment.searchPath,
    replicate: replicate?.journal,
    checkQuota,
    isPassive,
  });
  const vaultAccess = { view, changes, clock };
  const agents = openAgents({
    ...vaultAccess,
    visible: createFilteredVault({ ...vaultAccess, search, exclusion }),
    whole: createFilteredVault({ ...vaultAccess, search, exclusion: () => null }),
    exclusion,
    environment,
    modelOverride: model,
    emit: events.emit,
    state,
    vaultLimits: limits,
    replicate: replicate?.queue,
    findWords: createFindWords(() => forget),
  });
  const sandboxed = resolveSandbox(environment, sandbox);
  const documents = openTranscribingDocuments(environment, sandboxed);
  const limited = { ...vaultAccess, search: limitSearches(search, limits) };
  const visible = createFilteredVault({ ...limited, exclusion: () => null });
  const restricted = createFilteredVault({ ...limited, exclusion });
  const { language } = environment;
  const accept = createAcceptUpdate({ documents, agents, checkQuota, view, restricted, language });
  const changing = createLimiter();
  const shared = { restricted, documents, accept, changing, agents, events, search, language };
  const files = { root, catalogue, changes, clock };
  const externalEdits = createExternalEditRecorder({ ...files, state });
  const isHidden = createHiddenCheck(exclusion);
  const hosts = { view, search, state, externalEdits, environment, isHidden };
  const { sync, forget } = openSyncAndForgetting({
    ...files,
    ...hosts,
    purgeReplicas: replicate?.purge,
  });
  if (!isPassive) await forget.resume();
  return {
    ...createServedVault({ ...shared, visible }),
    restricted: createServedVault({ ...shared, accept: acceptFromClient(accept), visible: restricted }),
    root,
    state,
    catalogue,
    changes,
    search,
    agents,
    events,
    limits,
    sandbox: sandboxed,
    externalEdits,
    sync,
    forget,
    forgetRequests: createForgetRequests({ updates: agents.updates, changes, forget }),
    startUpkeep: (options) =>
      startVaultUpkeep(
        { ...files, stateFolder, search, language, isHidden, applyRetention: () => agents.applyRetention() },
        announcingEdits(options, announcer),
      ),
    close: () => closeAll({ ...files, ...shared, ...hosts, stored, announcer, stateFolder, isPassive }),
  };
}

/** A passive process neither replaces a damaged catalogue nor deletes an earlier state. */
function openStored(
  place: Parameters<typeof removeLeftOvers>[0],
  clock: Clock,
  isPassive: boolean,
): ReturnType<typeof openCatalogue> {
  const stateFolder = place.state.folder();
  // A process that serves the vault may still use an earlier state, and deletes it when it closes.
  if (!isPassive) removeLeftOvers(place, () => findOwnerProcess(stateFolder, clock) !== null);
  const file = databaseFile(stateFolder, 'catalogue');
  const isInMemory = isPassive && hasDatabase(stateFolder, 'catalogue') && findDamage(file) !== null;
  return openCatalogue(stateFolder, { isInMemory });
}

/** Returns the options with an `onEvent` that also announces the edits that upkeep finds. */
function announcingEdits(options: UpkeepOptions, { announceExternalEdits }: ChangeAnnouncer): UpkeepOptions {
  return {
    ...options,
    onEvent(event) {
      if (event.kind === 'changed-files' || event.kind === 'recorded') announceExternalEdits(event.paths);
      options.onEvent(event);
    },
  };
}

type ToClose = Pick<
  Keepsake,
  'agents' | 'documents' | 'search' | 'root' | 'catalogue' | 'changes' | 'state'
> & {
  announcer: ChangeAnnouncer;
  stored: Pick<ReturnType<typeof openCatalogue>, 'close'>;
  environment: Environment;
  /** The state folder when the vault was opened. */
  stateFolder: string;
  isPassive: boolean;
};

async function closeAll(parts: ToClose): ReturnType<Keepsake['close']> {
  const { root, catalogue, changes } = parts;
  await parts.agents.clientRuns.end();
  parts.documents.close();
  await parts.search.close();
  // If this fails, the next upkeep run writes `tree.md`.
  if (parts.announcer.hasChanged())
    await refreshTreeFile(root, () => catalogue.contents()).catch(() => undefined);
  parts.stored.close();
  try {
    if (!parts.isPassive) await changes.record();
    return { recordError: null };
  } catch (error) {
    return { recordError: describeError(error) };
  } finally {
    if (!parts.isPassive) changes.flush();
    await parts.state.close();
    if (!parts.isPassive) removeLeftOvers(parts, () => parts.stateFolder === parts.state.folder());
  }
}

function resolveSandbox(
  { searchPath }: Environment,
  { isRequired = false, onUnavailable = () => undefined }: Partial<Sandbox>,
): Sandbox {
  return { command: findSandbox(searchPath), isRequired, onUnavailable };
}
