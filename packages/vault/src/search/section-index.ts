import type { Layout, LineRange, Revision, VaultPath } from '../vault/index.ts';
import type { Query } from './query.ts';
import type { Heading, Section } from './sections.ts';

/** How a file looked when it was indexed: by its times and size it is seen that it did not change. */
export type IndexedFile = {
  revision: Revision;
  size: number;
  mtime: number;
  /** Null when it had changed so recently that these may not tell a further change. */
  ctime: number | null;
  /** `2025-07-14T18:30:00`, the date of sections that have none of their own. */
  updated: string;
};

export type IndexedSection = {
  /** Of a section that is staged and not in the index, a text. */
  id: number | string;
  path: VaultPath;
  revision: Revision;
  kind: Section['kind'];
  lines: LineRange;
  headings: Heading[];
  trail: string;
  body: string;
  /** `2025-07-14`; empty where the file's own date counts. */
  day: string;
  keywords?: number;
};

/** Which sections a search is about. */
export type Filter = {
  /** Null for all files. */
  isInScope: ((path: VaultPath) => boolean) | null;
  /** Both ends belong to it; `2025-07-14`. */
  from: string | null;
  to: string | null;
};

/** What is searched: sections of files, by words and by vectors. Disposable; the files are the truth. */
export type SectionIndex = {
  files(): ReadonlyMap<VaultPath, IndexedFile>;
  /** Makes the index say this of a file; sections that did not change are not indexed again. */
  put(
    path: VaultPath,
    file: IndexedFile,
    sections: readonly Section[],
    /** The changelogs of which it says that entries are replaced. */
    replacesIn?: Iterable<VaultPath>,
  ): { added: number; removed: number };
  /** The files that say they replace an entry of this one. */
  replacing(path: VaultPath): VaultPath[];
  /** The file was looked at again, and its content is the same. */
  touch(path: VaultPath, file: IndexedFile): void;
  remove(path: VaultPath): void;
  /** What files were for when they were indexed, which decides how they are cut; see `layoutKeyOf`. */
  layout(): string;
  /** No file counts as looked at any more: all are to be indexed under this one, where only what differs is indexed again. */
  beginLayout(layout: string): void;
  /** Several `put`s at once, much faster. */
  batch(work: () => void): void;
  /** The sections that fit a query best, by its words alone. */
  lexical(query: Query, filter: Filter, limit: number): IndexedSection[];
  /** In how many sections a word occurs. */
  frequency(word: string): number;
  /** The start that words of the index share with this one: all of it, or what stems have left of it. Null for none. */
  beginning(prefix: string): string | null;
  /** Words of the index that differ from this one by a letter, the most frequent first. */
  alike(word: string): string[];
  /** Of what whoever asks may see. */
  counts(isExcluded?: Exclusion | null): { files: number; sections: number };
  vectors(fingerprint: string): VectorTable;
  close(): void;
};

/** Layouts under which files are cut in the same way have the same. */
export function layoutKeyOf({ names }: Layout): string {
  return JSON.stringify([names.overview, names.changelog, names.tasks, names.projects]);
}

/** Whether a file must not be shown to whoever asks. */
export type Exclusion = (path: VaultPath) => boolean;

/** A section that is near in meaning: which of its windows is, and how near beyond what all sections have in common. */
export type NearSection = { section: IndexedSection; similarity: number; window: number };

/** The vectors of one model; a section has one for each of its windows. */
export type VectorTable = {
  /** Sections without vectors yet, of files that a model may see, the oldest first. `text` begins with the trail. */
  missing(limit: number, isExcluded?: Exclusion | null): { hash: string; text: string }[];
  missingCount(isExcluded?: Exclusion | null): number;
  /** All sections of files that a model may see. */
  seenCount(isExcluded?: Exclusion | null): number;
  /** One for each window, in order. */
  put(hash: string, vectors: readonly Float32Array[]): void;
  /** The nearest sections, nearest first. */
  nearest(vector: Float32Array, filter: Filter, limit: number): Promise<NearSection[]>;
  /** Drops the vectors of sections that are gone; gives how many contents they were of. */
  dropGone(): Promise<number>;
  /** Drops the tables of other models. */
  dropOthers(): void;
  /** Why there are no more vectors than there are, if something is wrong; for other processes to tell. */
  problem(): string | null;
  setProblem(problem: string | null): void;
};
