import type { z } from 'zod';
import { chooseAgentModel } from '../../app/index.ts';
import type { Environment, Keepsake, Update } from '../../app/index.ts';
import { inTurn } from '../../contract/index.ts';
import type { Answer, api, UpdateInput } from '../../contract/index.ts';
import { explainOutcome, mcpConnection } from '../../tools/index.ts';
import type { CommitOutcome, ListedChange, ToolCaller } from '../../tools/index.ts';
import { childPath, filesBelow, showPath } from '../../vault/index.ts';
import type { FileRead, FolderEntry, Layout, VaultPath } from '../../vault/index.ts';
import { showWaiting } from '../http/show.ts';

/** At the same time, of all clients; the next wait. */
const mostQuestions = 8;

/** What waits for the person. */
export type Waiting = z.output<typeof api.inbox>['waiting'][number];

type Wait = { seconds: number; signal: AbortSignal };

export type ListedFile = { path: VaultPath; updated: string | null; tokens: number | null };

/** What MCP needs of a vault: here, or in the process that serves it. */
export type McpBackend = {
  callTool: ToolCaller;
  /** Whether a model is configured for the agents. */
  hasAgents(): Promise<boolean>;
  ask(question: string, signal: AbortSignal): Promise<Answer>;
  accept(input: UpdateInput, key?: string): Promise<{ id: string }>;
  /** With `wait` once it is over, or the time is, or the signal is aborted. */
  findUpdate(id: string, wait?: Wait): Promise<Update | undefined>;
  readFile(path: VaultPath): Promise<FileRead>;
  /** Every markdown file and image. */
  listFiles(): Promise<ListedFile[]>;
  /** What is in the vault's own folder, by name: `overview.md`, `projects/`. */
  listRoot(): Promise<string[]>;
  /** What its files are for. */
  layout: () => Promise<Layout>;
  /** Newest first; of one file when it is named. */
  history(options: { path?: VaultPath; limit: number }): Promise<ListedChange[]>;
  /** Takes a change back that the client of this origin has made; one of others is put aside for the person. */
  undo(id: string, origin: string): Promise<CommitOutcome>;
  waiting(): Promise<Waiting[]>;
  /** Makes a held change: the person has agreed to it. */
  approve(id: string): Promise<CommitOutcome>;
  /** Told the paths that changed, as `vault/…`; gives a function that ends it. */
  onChange(listener: (paths: readonly string[]) => void): () => void;
};

/** Over a vault that is open in this process, as models see it. Whoever opened it works on what is accepted, and closes it. */
export function createLocalBackend({ forModels }: Keepsake, environment: Environment): McpBackend {
  const { agents, events } = forModels;
  const asking = inTurn(mostQuestions);
  // Asked for with every request of some clients, and it seldom changes.
  let root: { seenAs: unknown; changes: number; names: string[] } | null = null;
  let changes = 0;
  events.listen(({ type }) => {
    if (type === 'file-changed') changes += 1;
  });
  return {
    callTool: forModels.callTool,
    hasAgents: async () => !('missing' in chooseAgentModel(environment)),
    ask: (question, signal) => asking(() => agents.ask(question, signal)),
    accept: (input, key) => forModels.accept(input, { key }),
    async findUpdate(id, wait) {
      if (wait !== undefined) {
        const timeout = AbortSignal.timeout(wait.seconds * 1_000);
        await agents.updates.whenOver(id, AbortSignal.any([wait.signal, timeout]));
      }
      return agents.updates.find(id);
    },
    readFile: (path) => forModels.readFile(path),
    listFiles: async () => listedFiles(await forModels.contents()),
    async listRoot() {
      const now = { seenAs: forModels.sight(), changes };
      const names =
        root !== null && root.seenAs === now.seenAs && root.changes === now.changes
          ? root.names
          : namesOf(await forModels.contents());
      root = { ...now, names };
      return names;
    },
    layout: async () => forModels.layout(),
    history: async (options) =>
      forModels.changes
        .list(options)
        .map(({ paths, ...entry }) => ({ ...entry, paths: paths.map(showPath) })),
    async undo(id, origin) {
      const by = { connection: mcpConnection.name, origin };
      return explainOutcome(await forModels.changes.undo(id, { by }));
    },
    waiting: async () => (await forModels.inbox()).map(showWaiting),
    approve: async (id) => explainOutcome(await forModels.changes.approve(id)),
    onChange: (listener) =>
      events.listen((event) => {
        if (event.type === 'file-changed') listener(event.paths);
      }),
  };
}

function namesOf({ files, folders }: FolderEntry): string[] {
  return [...files.keys(), ...[...folders.keys()].map((name) => `${name}/`)];
}

/** Whatever has no tokens is neither text nor an image. */
function listedFiles(contents: FolderEntry): ListedFile[] {
  return [...filesBelow(contents)].flatMap(({ folder, name, entry: { tokens, updated } }) =>
    tokens === null ? [] : [{ path: childPath(folder, name), updated, tokens }],
  );
}
