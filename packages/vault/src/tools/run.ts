import type { Transaction } from '../changes/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import type { SearchEngine, SearchOutcome, SearchRequest } from '../search/index.ts';
import type { VaultView } from '../vault/index.ts';
import type { ToolInterface } from './tool-names.ts';
import { createShownLines } from './shown-lines.ts';
import type { ShownLines } from './shown-lines.ts';

/** The size limits of one result. */
export type ResultLimits = { tokens: number; images: number };

/** Limits for results that a model reads. */
export const modelResultLimits: ResultLimits = { tokens: 20_000, images: 20 };

/** Limits for results that a person reads. They only prevent a whole vault from being loaded into memory. */
export const userResultLimits: ResultLimits = { tokens: 10_000_000, images: 100 };

/** The shared state of a series of tool calls: one per agent run, batch or connection. */
export type Run = {
  view: VaultView;
  shownLines: ShownLines;
  bounds: ResultLimits;
  toolInterface: ToolInterface;
  /** Searches the view of this run, including staged changes. */
  search: SearchInRun;
  /** The text of a document, as `search` returns it. */
  readDocument: Engine['readDocument'];
  /** Whether search by meaning is set up. */
  hasEmbedder: () => boolean;
  /** The current local day, for example `2025-07-14`. */
  today: () => string;
};

type Engine = Pick<SearchEngine, 'search' | 'readDocument' | 'hasEmbedder'>;

type SearchInRun = (request: SearchRequest) => Promise<SearchOutcome>;

/** A run that cannot change files. The type excludes runs with a transaction. */
export type ReadRun = Run & { transaction?: never };

/** A run that may change files; its view is that of the transaction. */
export type WriteRun = Run & { transaction: Transaction };

export function createReadRun(view: VaultView, bounds: ResultLimits, engine: Engine, clock: Clock): ReadRun {
  return {
    view,
    shownLines: createShownLines(),
    bounds,
    toolInterface: 'tools',
    search: (request) => engine.search(request, view),
    readDocument: engine.readDocument,
    hasEmbedder: engine.hasEmbedder,
    today: () => localDay(clock),
  };
}

export function createWriteRun(
  transaction: Transaction,
  bounds: ResultLimits,
  engine: Engine,
  clock: Clock,
): WriteRun {
  const { view } = transaction;
  return {
    view,
    shownLines: createShownLines(),
    bounds,
    toolInterface: 'tools',
    search: (request) => engine.search(request, view, transaction.staged()),
    readDocument: engine.readDocument,
    hasEmbedder: engine.hasEmbedder,
    today: () => localDay(clock),
    transaction,
  };
}

function localDay(clock: Clock): string {
  return formatLocalTime(clock()).slice(0, 10);
}
