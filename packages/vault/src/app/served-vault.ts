import { answerByKeywords, listInbox, denyExcluded } from '../agents/index.ts';
import type { InboxItem, KeywordReason } from '../agents/index.ts';
import type { Answer, createLimiter } from '../contract/index.ts';
import type { DocumentService } from '../intake/index.ts';
import {
  findBacklinks,
  findMentions,
  createClientConnection,
  createToolCaller,
  modelResultLimits,
  readWholeText,
  userResultLimits,
  verifyBlocks,
  createWritePolicy,
} from '../tools/index.ts';
import type {
  Backlink,
  BlockStatus,
  ReadRun,
  ToolCall,
  ToolCaller,
  WholeText,
  WriteRun,
} from '../tools/index.ts';
import { collectDays, collectToday, listDatedTasks, listTasks, readFile } from '../vault/index.ts';
import type {
  FileRead,
  FolderEntry,
  Language,
  Layout,
  NoteMarks,
  Revision,
  TaskFilter,
  TaskList,
  Today,
  TodayItem,
  VaultDay,
  VaultPath,
} from '../vault/index.ts';
import type { AcceptUpdate } from './accept-update.ts';
import type { Agents } from './agents.ts';
import { AppError } from './error.ts';
import type { EventBus } from './events.ts';
import type { IsExcluded } from './exclusion.ts';
import type { FilteredChanges, FilteredVault } from './filtered-vault.ts';
import { limitToFolder } from './limit-to-folder.ts';
import type { SearchHost } from './search-host.ts';
import type { Updates } from './updates.ts';

/** The vault that one interface (HTTP, MCP, command line) offers, limited to what its reader may see. */
export type VaultService = Runs & {
  documents: DocumentService;
  accept: AcceptUpdate;
  changes: FilteredChanges;
  agents: Pick<Agents, 'ask' | 'spentToday'> & {
    updates: Pick<
      Updates,
      'find' | 'findForgetRequest' | 'isExpired' | 'list' | 'counts' | 'retry' | 'cancel' | 'whenOver'
    >;
  };
  events: Pick<EventBus, 'subscribe'>;
  /** Lists every file and folder of the vault. */
  contents(): Promise<FolderEntry>;
  /** The roles of the files in the vault. */
  layout: () => Layout;
  /** The items that await a decision by the user. */
  inbox(): Promise<InboxItem[]>;
  /** The fallback for an answer when there is no model: source lines found by fast search. */
  findLines(question: string, folder?: VaultPath, reason?: KeywordReason): Promise<Answer>;
  /** Checks whether the source lines in an answer are unchanged. */
  verify(document: string): Promise<BlockStatus[]>;
  /** The notes that link to a file, up to a limit. */
  backlinks(path: VaultPath, limit: number): Promise<Backlink[]>;
  /** The notes that name a note without a link to it, up to a limit. */
  mentions(path: VaultPath, limit: number): Promise<Backlink[]>;
  /** The tasks of all notes. */
  tasks(filter: TaskFilter): Promise<TaskList & { day: string }>;
  /** What happened or is due on the days of a period. */
  days(from: string, to: string): Promise<{ today: string; days: VaultDay[] }>;
  /** The notes with tags and the pinned notes. */
  marks(): Promise<NoteMarks[]>;
  /** The tasks, appointments and recent changes of a day; the default is the current day. */
  today(day?: string): Promise<Today>;
  /** All unfinished tasks with a date and all appointments. */
  datedTasks(): Promise<TodayItem[]>;
  /** Whether a path is hidden from the reader. */
  isHidden(path: VaultPath): boolean;
  /** Reads a file byte for byte. */
  readFile(path: VaultPath): Promise<FileRead>;
  /** Reads the lines of a file; those of a document are extracted. */
  readText(path: VaultPath): Promise<WholeText>;
  /** Calls tools for clients; calls that change files are serialized. */
  callTool: ToolCaller;
  indexStatus(): Promise<IndexStatus>;
  /**
   * Identifies the set of hidden files, also across processes; an error object while the set cannot be determined. When
   * the value changes, results returned earlier may contain files that are now hidden.
   */
  visibilityKey(): unknown;
};

type IndexStatus = {
  /** When the index was last compared with the files. */
  comparedAt: number | null;
  files: number;
  sections: number;
  vectors: Awaited<ReturnType<SearchHost['vectors']>>;
};

type Reader = ToolCall['reader'];

/**
 * A run for a person has no output limits; a run for a model has them, and does not see the files that are hidden from
 * models.
 */
type Runs = {
  readRun: (reader: Reader) => ReadRun;
  /**
   * A run with a transaction: staged changes are written by its commit. `connection` is the name of the client's
   * connection; `received` are files from the user that must be stored unchanged.
   */
  writeRun: (reader: Reader, connection?: string, received?: ReadonlyMap<Revision, string>) => WriteRun;
};

type Dependencies = Pick<VaultService, 'documents' | 'accept'> & {
  /** What readers other than models may see. */
  visible: FilteredVault;
  /** What models see. */
  restricted: FilteredVault;
  changing: ReturnType<typeof createLimiter>;
  agents: Agents;
  events: EventBus;
  search: SearchHost;
  language: Language;
};

export function createServedVault(parts: Dependencies): VaultService {
  const { documents, accept, visible, agents, events, search } = parts;
  const { view, changes, exclusion } = visible;
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
          return update && visible.updateFilter()(update);
        },
        list(options) {
          const filter = visible.updateFilter();
          return updates.list(options).map((update) => filter(update));
        },
      },
    },
    events: {
      subscribe: (listener) =>
        events.subscribe((event) => {
          const shown = visible.filterEvent(event);
          if (shown !== null) listener(shown);
        }),
    },
    contents: () => view.contents(),
    layout: view.layout,
    inbox: () => listInbox(view, changes, (item) => agents.proposals(item)),
    findLines: (question, folder, reason) =>
      answerByKeywords(question, limitToFolder(runs.readRun('person'), folder), {
        language: parts.language,
        reason,
      }),
    verify: (document) => verifyBlocks(document, runs.readRun('person')),
    backlinks: (path, limit) => findBacklinks(view, path, limit),
    mentions: (path, limit) => findMentions(view, runs.readRun('person'), path, limit),
    async tasks(filter) {
      const day = runs.readRun('person').today();
      return { day, ...(await listTasks(view, day, filter)) };
    },
    days: async (from, to) => ({
      today: runs.readRun('person').today(),
      days: await collectDays(view, from, to),
    }),
    marks: () => view.findMarks(),
    today: (day) => collectToday(view, day ?? runs.readRun('person').today()),
    datedTasks: () => listDatedTasks(view),
    isHidden: visible.isExcluded,
    readFile: (path) => readFile(view, path),
    readText: (path) => readWholeText(runs.readRun('person'), path),
    callTool: createToolCaller({
      ...runs,
      changes,
      runExclusive: parts.changing,
      isUpdate: (id) => updates.find(id)?.id === id,
    }),
    indexStatus: () =>
      search.withIndex(async ({ index, indexer }) => {
        // While the configuration cannot be read, every file counts as hidden.
        const isExcluded = await orIfMisconfigured<IsExcluded | null>(
          async () => exclusion(),
          () => true,
        );
        return {
          comparedAt: indexer.lastReconciledAt(),
          ...index.counts(isExcluded),
          vectors: await orIfMisconfigured(() => search.vectors(), null),
        };
      }),
    visibilityKey() {
      try {
        return exclusion()?.patterns ?? '';
      } catch (error) {
        return error;
      }
    },
  };
}

async function orIfMisconfigured<Value>(work: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-configuration') return otherwise;
    throw error;
  }
}

/** Models that a process of the user calls for, without a client: `keepsake call`. */
const localModel = createClientConnection('local');

function includeOverview(run: ReadRun): ReadRun {
  return { ...run, search: (request) => run.search({ ...request, includesOverview: true }) };
}

function createRuns({ visible, restricted }: Pick<Dependencies, 'visible' | 'restricted'>): Runs {
  return {
    readRun: (reader) =>
      reader === 'person'
        ? includeOverview(visible.readRun(userResultLimits))
        : restricted.readRun(modelResultLimits),
    writeRun(reader, connection, received = new Map()) {
      // A request from a connection comes from a program, even if it names a person as the reader.
      const client = connection === undefined ? null : createClientConnection(connection);
      const [vault, bounds, policy] =
        reader === 'person'
          ? ([visible, userResultLimits, createWritePolicy(client, { attachments: received })] as const)
          : ([restricted, modelResultLimits, createWritePolicy(client ?? localModel)] as const);
      return vault.writeRun(bounds, denyExcluded(policy, vault.isExcluded));
    },
  };
}
