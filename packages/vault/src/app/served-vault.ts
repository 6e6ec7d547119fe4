import { findLines, listInbox, withoutExcluded } from '../agents/index.ts';
import type { InboxEntry } from '../agents/index.ts';
import type { Answer, inTurn } from '../contract/index.ts';
import type { Documents } from '../intake/index.ts';
import {
  backlinksTo,
  createToolCaller,
  mcpConnection,
  modelBounds,
  personBounds,
  tokenConnection,
  verifyAnswer,
  writePolicy,
} from '../tools/index.ts';
import type { Backlink, CheckedBlock, ReadRun, ToolCall, ToolCaller, WriteRun } from '../tools/index.ts';
import { readFile } from '../vault/index.ts';
import type { FileRead, FolderEntry, Language, Layout, Revision, VaultPath } from '../vault/index.ts';
import type { AcceptUpdate } from './accept-update.ts';
import type { Agents } from './agents.ts';
import { AppError } from './error.ts';
import type { Events } from './events.ts';
import type { Exclusion } from './exclusion.ts';
import type { FilteredChanges, FilteredVault } from './filtered-vault.ts';
import type { SearchHost } from './search-host.ts';
import type { Updates } from './updates.ts';

/** The vault that one interface (HTTP, MCP, command line) offers, as far as its reader may see it. */
export type Served = Runs & {
  documents: Documents;
  accept: AcceptUpdate;
  changes: FilteredChanges;
  agents: Pick<Agents, 'ask' | 'spentToday'> & {
    updates: Pick<Updates, 'find' | 'list' | 'counts' | 'retry' | 'cancel' | 'whenOver'>;
  };
  events: Pick<Events, 'listen'>;
  /** Every file and folder. */
  contents(): Promise<FolderEntry>;
  /** What its files are for. */
  layout: () => Layout;
  /** What waits for the person. */
  inbox(): Promise<InboxEntry[]>;
  /** In place of an answer where there is no model: source lines that fast search finds. */
  findLines(question: string): Promise<Answer>;
  /** Whether the source lines in an answer still stand. */
  verify(document: string): Promise<CheckedBlock[]>;
  /** The notes that link to a file, at most so many. */
  backlinks(path: VaultPath, most: number): Promise<Backlink[]>;
  /** A file byte for byte. */
  readFile(path: VaultPath): Promise<FileRead>;
  /** Calls tools for whoever is outside; changes wait for each other. */
  callTool: ToolCaller;
  indexStatus(): Promise<IndexStatus>;
  /**
   * Names what is left out, also for later processes; an error while that cannot be known. Another value than before: what
   * was told earlier may not be told any more.
   */
  sight(): unknown;
};

type IndexStatus = {
  /** When index and files were last compared. */
  comparedAt: number | null;
  files: number;
  sections: number;
  vectors: Awaited<ReturnType<SearchHost['vectors']>>;
};

type Reader = ToolCall['reader'];

/** A run for a person has no bounds; one for a model has those of a model, and does not see what is hidden from models. */
type Runs = {
  readRun: (reader: Reader) => ReadRun;
  /**
   * The same, with a transaction: what it stages waits for its commit. `token` is the id of the one that it was asked for with,
   * `received` what the person has handed over to be kept as it is.
   */
  writeRun: (reader: Reader, token?: string, received?: ReadonlyMap<Revision, string>) => WriteRun;
};

type Parts = Pick<Served, 'documents' | 'accept'> & {
  /** What readers other than models see. */
  seen: FilteredVault;
  /** What models see. */
  forModels: FilteredVault;
  changing: ReturnType<typeof inTurn>;
  agents: Agents;
  events: Events;
  search: SearchHost;
  language: Language;
};

export function createServedVault(parts: Parts): Served {
  const { documents, accept, seen, agents, events, search } = parts;
  const { view, changes, exclusion } = seen;
  const runs = createRuns(parts);
  const { updates } = agents;
  return {
    ...runs,
    documents,
    accept,
    changes,
    agents: {
      ...agents,
      updates: {
        ...updates,
        find(id) {
          const update = updates.find(id);
          return update && seen.updateFilter()(update);
        },
        list(options) {
          const filter = seen.updateFilter();
          return updates.list(options).map((update) => filter(update));
        },
      },
    },
    events: {
      listen: (listener) =>
        events.listen((event) => {
          const shown = seen.filterEvent(event);
          if (shown !== null) listener(shown);
        }),
    },
    contents: () => view.contents(),
    layout: view.layout,
    inbox: () => listInbox(view, changes),
    findLines: (question) => findLines(question, runs.readRun('person'), parts.language),
    verify: (document) => verifyAnswer(document, view),
    backlinks: (path, most) => backlinksTo(view, path, most),
    readFile: (path) => readFile(view, path),
    callTool: createToolCaller({
      ...runs,
      changes,
      changing: parts.changing,
      isUpdate: (id) => updates.find(id)?.id === id,
    }),
    indexStatus: () =>
      search.withIndex(async ({ index, indexer }) => {
        // While the configuration cannot be read nobody knows what may be seen: nothing, then.
        const isExcluded = await whereConfigured<Exclusion | null>(
          async () => exclusion(),
          () => true,
        );
        return {
          comparedAt: indexer.reconciledAt(),
          ...index.counts(isExcluded),
          vectors: await whereConfigured(() => search.vectors(), null),
        };
      }),
    sight() {
      try {
        return exclusion()?.patterns ?? '';
      } catch (error) {
        return error;
      }
    },
  };
}

async function whereConfigured<Value>(work: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-configuration') return otherwise;
    throw error;
  }
}

function createRuns({ seen, forModels }: Pick<Parts, 'seen' | 'forModels'>): Runs {
  return {
    readRun: (reader) => (reader === 'person' ? seen.readRun(personBounds) : forModels.readRun(modelBounds)),
    writeRun(reader, token, received = new Map()) {
      // A token belongs to a program, whichever reader it names.
      const program = token === undefined ? null : tokenConnection(token);
      const [vault, bounds, policy] =
        reader === 'person'
          ? ([seen, personBounds, writePolicy(program, { received })] as const)
          : ([forModels, modelBounds, writePolicy(program ?? mcpConnection)] as const);
      return vault.writeRun(bounds, withoutExcluded(policy, vault.isExcluded));
    },
  };
}
