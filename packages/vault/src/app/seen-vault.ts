import { findLines, listInbox } from '../agents/index.ts';
import type { InboxEntry } from '../agents/index.ts';
import type { Changes } from '../changes/index.ts';
import type { Answer, inTurn, KeepsakeEvent } from '../contract/index.ts';
import { backlinksTo, createToolCaller, verifyAnswer } from '../tools/index.ts';
import type { Backlink, CheckedBlock, ToolCaller } from '../tools/index.ts';
import { parseVaultPath, readFile } from '../vault/index.ts';
import type { FileRead, FolderEntry, Language, Layout, VaultPath } from '../vault/index.ts';
import type { Agents } from './agents.ts';
import { AppError } from './error.ts';
import type { Events } from './events.ts';
import type { Exclusion, ReadExclusion } from './exclusion.ts';
import { createRuns } from './runs.ts';
import type { Runs } from './runs.ts';
import type { SearchHost } from './search-host.ts';
import { seenChanges } from './seen-changes.ts';
import type { Hidden, SeenChanges } from './seen-changes.ts';
import type { Update, Updates } from './updates.ts';
import type { Visible } from './visible.ts';

/** A vault for those who come from outside, as far as they may see it: every door is made of this. */
export type SeenVault = Runs & {
  changes: SeenChanges;
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

type Parts = {
  /** What is there for whoever is no model. */
  seen: Visible;
  forModels: Visible;
  /** What `seen` leaves out. */
  exclusion: ReadExclusion;
  changes: Changes;
  changing: ReturnType<typeof inTurn>;
  agents: Agents;
  events: Events;
  search: SearchHost;
  language: Language;
};

export function createSeenVault(parts: Parts): SeenVault {
  const { seen, exclusion, agents, events, search } = parts;
  const { view } = seen;
  const runs = createRuns(parts);
  const hidden = (): Hidden => {
    const isExcluded = exclusion();
    if (isExcluded === null) return () => false;
    return (shown) => {
      const parsed = parseVaultPath(shown);
      return !parsed.ok || isExcluded(parsed.path);
    };
  };
  const changes = seenChanges(parts.changes, hidden);
  const { updates } = agents;
  return {
    ...runs,
    changes,
    agents: {
      ...agents,
      updates: {
        ...updates,
        find(id) {
          const update = updates.find(id);
          return update && seenUpdate(update, hidden());
        },
        list(options) {
          const isHidden = hidden();
          return updates.list(options).map((update) => seenUpdate(update, isHidden));
        },
      },
    },
    events: {
      listen: (listener) =>
        events.listen((event) => {
          const shown = seenEvent(event, hidden);
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

/** In place of words about files some of which are kept back: they may name them, or say what is in them. */
const keptBack = 'it is about files that are kept from models';

function seenUpdate(update: Update, isHidden: Hidden): Update {
  const { result } = update;
  if (result === null) return update;
  // Lines are named as vault/tasks.md:12-14.
  const paths = 'paths' in result ? result.paths : result.known.map((line) => line.replace(/:[\d-]*$/, ''));
  if (!paths.some(isHidden)) return update;
  const summary = keptBack;
  switch (result.kind) {
    case 'filed':
      return { ...update, result: { ...result, summary, paths: paths.filter((path) => !isHidden(path)) } };
    case 'held':
      return { ...update, result: { ...result, summary, paths: [], reason: keptBack } };
    case 'unchanged':
      return { ...update, result: { ...result, summary, known: [] } };
  }
}

/** Null when nothing of it may be told; also while nobody can say what may. */
function seenEvent(event: KeepsakeEvent, hidden: () => Hidden): KeepsakeEvent | null {
  if (event.type !== 'file-changed' && event.type !== 'update-committed') return event;
  try {
    const isHidden = hidden();
    const paths = event.paths.filter((path) => !isHidden(path));
    if (paths.length === event.paths.length) return event;
    if (event.type === 'update-committed') return { ...event, paths, summary: keptBack };
    return paths.length === 0 ? null : { ...event, paths };
  } catch {
    return null;
  }
}
