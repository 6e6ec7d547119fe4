import type { z } from 'zod';
import { resolveAgentModel } from '../../app/index.ts';
import type { ClientRuns, Environment, Keepsake, Update } from '../../app/index.ts';
import { createLimiter, formatPassages } from '../../contract/index.ts';
import type { Answer, api, PlannedPlace, UpdateInput } from '../../contract/index.ts';
import { createClientPolicy, describeOutcome } from '../../tools/index.ts';
import type { CommitOutcome, ListedChange, ToolCall, ToolCaller, WholeText } from '../../tools/index.ts';
import { childPath, walkFiles, formatPath, parseVaultPath } from '../../vault/index.ts';
import type { FileRead, FolderEntry, Layout, VaultPath } from '../../vault/index.ts';
import { toInboxEntry } from '../http/views.ts';

/** Maximum number of concurrent questions of all clients; further ones are queued. */
const maxQuestions = 8;

/** An inbox entry that waits for the user. */
export type InboxEntryView = z.output<typeof api.inbox>['waiting'][number];

/**
 * The connection of a client, the name under which its changes are recorded, and a check that throws once the client has
 * lost access.
 */
export type McpClient = Pick<ToolCall, 'assertAllowed'> & { connection: string; origin: string };

type WaitOptions = { seconds: number; signal: AbortSignal };

export type FileSummary = { path: VaultPath; updated: string | null; tokens: number | null };

/** The operations on a vault that the MCP server needs. */
export type McpBackend = {
  callTool: ToolCaller;
  /** Whether a model is configured for the agents. */
  hasAgents(): Promise<boolean>;
  /** Whether search by meaning is set up. */
  hasEmbedder(): Promise<boolean>;
  ask(question: string, signal: AbortSignal): Promise<Answer>;
  accept(input: UpdateInput, key?: string): Promise<{ id: string; warnings: string[] }>;
  /** With `wait`, resolves when the update is finished, the time is up or the signal is aborted. */
  findUpdate(id: string, wait?: WaitOptions): Promise<Update | undefined>;
  /** Updates that clients file in place of a model. */
  clientRuns: ClientRuns;
  readFile(path: VaultPath): Promise<FileRead>;
  /** The lines of a file; those of a document are extracted. */
  readText(path: VaultPath): Promise<WholeText>;
  /** Every markdown file and image. */
  listFiles(): Promise<FileSummary[]>;
  /** Names of the entries in the root folder of the vault: `overview.md`, `projects/`. */
  listRoot(): Promise<string[]>;
  layout: () => Promise<Layout>;
  /** Newest first; with `path`, only changes to that file. */
  history(options: { path?: VaultPath; limit: number }): Promise<ListedChange[]>;
  /** Undoes a recent change of this connection; the undo of any other change is held for the user. */
  undo(id: string, client: McpClient): Promise<CommitOutcome>;
  listInbox(): Promise<InboxEntryView[]>;
  /** Whether an update is held that asks to forget something. */
  isForgetRequest(id: string): boolean;
  /** What a held request to forget would remove, as far as a client may see it, one line each; empty for other updates. */
  describeForgetRequest(id: string): Promise<string[]>;
  /** Applies a held change that the user has approved. */
  approve(id: string): Promise<CommitOutcome>;
  /** Calls the listener with the changed paths, in the form `vault/…`; returns a function that unsubscribes it. */
  onChange(listener: (paths: readonly string[]) => void): () => void;
};

/** A backend for a vault that is open in this process, as models see it. The caller runs the update queue and closes the vault. */
export function createLocalBackend(
  { restricted, search, agents: { clientRuns }, forgetRequests }: Keepsake,
  environment: Environment,
): McpBackend {
  const { agents, events } = restricted;
  const limitQuestions = createLimiter(maxQuestions);
  // The result of `listRoot`. Cached, because some clients need it with every request, and it rarely changes.
  let root: { seenAs: unknown; changes: number; names: string[] } | null = null;
  let changes = 0;
  events.subscribe(({ type }) => {
    if (type === 'file-changed') changes += 1;
  });
  return {
    callTool: restricted.callTool,
    hasAgents: async () => !('missing' in resolveAgentModel(environment)),
    hasEmbedder: async () => search.hasEmbedder(),
    ask: (question, signal) => limitQuestions(() => agents.ask(question, signal)),
    accept: (input, key) => restricted.accept(input, { key }),
    async findUpdate(id, wait) {
      if (wait !== undefined) {
        const timeout = AbortSignal.timeout(wait.seconds * 1_000);
        await agents.updates.whenOver(id, AbortSignal.any([wait.signal, timeout]));
      }
      return agents.updates.find(id);
    },
    clientRuns,
    readFile: (path) => restricted.readFile(path),
    readText: (path) => restricted.readText(path),
    listFiles: async () => toFileSummaries(await restricted.contents()),
    async listRoot() {
      const now = { seenAs: restricted.visibilityKey(), changes };
      const names =
        root !== null && root.seenAs === now.seenAs && root.changes === now.changes
          ? root.names
          : listEntryNames(await restricted.contents());
      root = { ...now, names };
      return names;
    },
    layout: async () => restricted.layout(),
    history: async (options) =>
      restricted.changes
        .list(options)
        .map(({ paths, ...entry }) => ({ ...entry, paths: paths.map(formatPath) })),
    async undo(id, { connection, origin, assertAllowed }) {
      const requestedBy = { policy: createClientPolicy(connection), origin };
      return describeOutcome(await restricted.changes.undo(id, { requestedBy, assertAllowed }));
    },
    listInbox: async () => (await restricted.inbox()).map(toInboxEntry),
    isForgetRequest: (id) => forgetRequests.find(id) !== null,
    async describeForgetRequest(id) {
      const plan = await forgetRequests.find(id)?.plan();
      if (plan === undefined) return [];
      const isVisible = async ({ store, name }: PlannedPlace): Promise<boolean> => {
        const path = parseVaultPath(name);
        return store === 'files' && path.ok && (await restricted.readFile(path.path)).kind === 'file';
      };
      const visible: PlannedPlace[] = [];
      for (const place of plan.places) if (await isVisible(place)) visible.push(place);
      return [
        'What it removes from the files that you can read; the user sees all of it before deciding:',
        ...formatPassages(visible, 'en'),
      ];
    },
    approve: async (id) => describeOutcome(await restricted.changes.approve(id)),
    onChange: (listener) =>
      events.subscribe((event) => {
        if (event.type === 'file-changed') listener(event.paths);
      }),
  };
}

function listEntryNames({ files, folders }: FolderEntry): string[] {
  return [...files.keys(), ...[...folders.keys()].map((name) => `${name}/`)];
}

/** A file without a token count is neither text nor an image. */
function toFileSummaries(contents: FolderEntry): FileSummary[] {
  return [...walkFiles(contents)].flatMap(({ folder, name, entry: { tokens, updated } }) =>
    tokens === null ? [] : [{ path: childPath(folder, name), updated, tokens }],
  );
}
