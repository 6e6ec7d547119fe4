import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { createTransaction, openChanges } from '../packages/vault/src/changes/index.ts';
import type { Changes } from '../packages/vault/src/changes/index.ts';
import type { Clock } from '../packages/vault/src/contract/index.ts';
import {
  createDocumentTexts,
  createIndexer,
  createSearchEngine,
  createHybridRetriever,
  openChunkIndex,
} from '../packages/vault/src/search/index.ts';
import type { SearchEngine } from '../packages/vault/src/search/index.ts';
import {
  createReadRun,
  createToolCaller,
  createWriteRun,
  modelResultLimits,
  userResultLimits,
  createClientConnection,
  tools,
  createWritePolicy,
} from '../packages/vault/src/tools/index.ts';
import type {
  ReadRun,
  ToolCall,
  ToolCaller,
  ToolOutcome,
  WriteRun,
} from '../packages/vault/src/tools/index.ts';
import {
  adoptVault,
  createCatalogue,
  createCatalogueStore,
  createView,
  resolveRoot,
} from '../packages/vault/src/vault/index.ts';
import type { Catalogue, VaultRoot, VaultView } from '../packages/vault/src/vault/index.ts';
import { changesDatabase, memoryDatabase } from './changes-database.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

type Reader = ToolCall['reader'];

export type RoomVault = {
  folder: string;
  /** The folder that contains history. */
  state: string;
  /** The journal. */
  durable: Database.Database;
  view: VaultView;
  changes: Changes;
  callTool: ToolCaller;
  readRun: (reader: Reader) => ReadRun;
  writeRun: (reader: Reader, token?: string) => WriteRun;
  /** Calls a tool in a separate run: as a model, or as the user, without the limits for models. */
  call: (tool: string, input: unknown, reader?: Reader) => Promise<ToolOutcome>;
  /** The text of a call that is expected to succeed. */
  text: (tool: string, input: unknown, reader?: Reader) => Promise<string>;
};

/** A real vault on disk, assembled without the `app` module from the modules that the tools use. */
export async function roomVault(files: Files = {}, clock: Clock = Date.now): Promise<RoomVault> {
  const place = temporaryFolder();
  const [folder, state] = [join(place, 'vault'), join(place, 'state')];
  for (const each of [folder, state]) mkdirSync(each);
  layOut(folder, files);
  const root = resolveRoot(folder);
  const catalogue = createCatalogue(root, createCatalogueStore(memoryDatabase(), rethrow), clock);
  const view = createView(root, catalogue);
  const engine = searchOver(catalogue, view, clock);
  const durable = changesDatabase();
  const changes = await openChanges({
    root,
    clock,
    state: memoryState(root, state, durable),
    searchPath: process.env['PATH'] ?? '',
    listeners: [
      async (changed) => {
        for (const { path } of changed) await catalogue.refreshPath(path);
      },
      (changed) => engine.filesChanged(changed.map(({ path }) => path)),
    ],
  });
  const bounds = { model: modelResultLimits, person: userResultLimits };
  const readRun: RoomVault['readRun'] = (reader) => createReadRun(view, bounds[reader], engine, clock);
  const writeRun: RoomVault['writeRun'] = (
    reader,
    connection = reader === 'person' ? undefined : 'local',
  ) => {
    const policy = createWritePolicy(connection === undefined ? null : createClientConnection(connection));
    return createWriteRun(createTransaction(view, changes, policy, clock), bounds[reader], engine, clock);
  };
  const call: RoomVault['call'] = async (name, input, reader = 'model') => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`tool ${name} does not exist`);
    return tool.effect === 'read' ? tool.call(input, readRun(reader)) : tool.call(input, writeRun(reader));
  };
  return {
    folder,
    state,
    durable,
    view,
    changes,
    callTool: createToolCaller({ changes, isUpdate: () => false, readRun, writeRun }),
    readRun,
    writeRun,
    call,
    async text(name, input, reader) {
      const outcome = await call(name, input, reader);
      if (outcome.kind === 'refused') throw new Error(outcome.message);
      return outcome.result.text;
    },
  };
}

/** Opened by the first search, because most tests need none. */
function searchOver(catalogue: Catalogue, view: VaultView, clock: Clock): SearchEngine {
  let opened: Promise<SearchEngine> | null = null;
  const open = async (): Promise<SearchEngine> => {
    const index = await openChunkIndex(':memory:');
    onTestFinished(() => index.close());
    const deep = createHybridRetriever(index, () => withoutModels);
    const texts = createDocumentTexts(index, async () => ({
      kind: 'unavailable',
      reason: 'not in this test',
    }));
    const indexer = createIndexer({ index, catalogue, view, clock, texts });
    return createSearchEngine({ index, indexer, texts, deep, hasEmbedder: () => false, clock });
  };
  return {
    search: async (...request) => (await (opened ??= open())).search(...request),
    hasEmbedder: () => false,
    filesChanged: async (paths) => (await opened)?.filesChanged(paths),
    readDocument: async (document) => (await (opened ??= open())).readDocument(document),
  };
}

const withoutModels = {
  embedder: null,
  embedderUnavailableReason: 'no embedding model in this test',
  expander: null,
  reranker: null,
  isExcluded: null,
};

/** In-memory databases for changes, and a folder for history. */
function memoryState(
  root: VaultRoot,
  folder: string,
  durable: Database.Database,
): Parameters<typeof openChanges>[0]['state'] {
  const locks = memoryDatabase();
  return {
    hasDurable: () => true,
    ensureAdopted() {
      adoptVault(root);
      return folder;
    },
    derive(make) {
      const made = make({ folder, durable, locks, assertNotReplaced: () => undefined });
      return { get: () => made, peek: () => made };
    },
  };
}

function rethrow(error: Error): void {
  throw error;
}
