import type { LineRange, VaultPath } from '../vault/index.ts';
import type { MatchCounts } from './find-matches.ts';
import type { RetrievalStage } from './lexical-retriever.ts';
import type { Extent, Passage } from './load-passages.ts';
import type { PathPredicate } from './scopes.ts';

export type SearchRequest = {
  queries: readonly string[];
  mode: 'fast' | 'deep';
  /** Path patterns; empty to search everything. */
  scopes?: readonly string[] | undefined;
  /** Maximum number of passages. By default, as many as fit the token budget. */
  limit?: number | undefined;
  /**
   * `notes` shows the best passage of each note, `all` every line that matches, `paths` only lists the notes that match, without
   * ranking. Not offered to agents.
   */
  extent?: Extent | undefined;
  /** Lines of context above and below each match. */
  context?: number | undefined;
  /** `2025-07-14`: only chunks of this day or later. Not offered to agents. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  /** Also searches the overview and the profile, which models have in their context anyway. */
  includesOverview?: boolean | undefined;
  /** Files hidden from the caller. */
  isExcluded?: PathPredicate | undefined;
};

export type SearchOutcome =
  | {
      kind: 'found';
      passages: Passage[];
      /** All matching text chunks, best first, including those without a passage. */
      ranked: { path: VaultPath; lines: LineRange }[];
      /** All notes that match, whether they are shown or not. */
      matched: MatchCounts;
      /** How many of them the passages show. */
      shown: MatchCounts;
      /** The paths of the notes that match, in order, if the request asks for them. */
      paths: VaultPath[];
      /** A limit that shows more lines; null if none does. */
      nextLimit: number | null;
      stages: RetrievalStage[];
      /** The best line of the overview or the profile, if it fits well and is not among the passages. */
      inOverview: { path: VaultPath; line: number } | null;
      /** False if nothing fits; the passages are then the three nearest. */
      fits: boolean;
      /** Queries for which nothing fits well, while results of the others are shown. */
      unfitQueries: string[];
      /** Words that no note contains; similar ones are searched instead. */
      unknownWords: string[];
      /** Tags, paths and properties that no note has; their words are searched instead. */
      unmetFilters: string[];
      /** Problems during the search and how to fix them; empty if there were none. */
      warnings: string[];
      /** When the index and the files were last compared, in milliseconds. */
      indexedAt: number | null;
      /** Number of files known to have changed that are not indexed yet. */
      pendingFiles: number;
      /** Number of documents, such as PDFs, whose text is not indexed yet. */
      waitingDocuments: number;
      /** Scopes that match no file, and how they are written if only capitals or accents differ. */
      unmatchedScopes: { pattern: string; suggestion: string | null }[];
    }
  | { kind: 'bad-scope'; pattern: string; reason: string };
