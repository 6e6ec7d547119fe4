import type { FolderEntry, VaultPath } from '../vault/index.ts';
import type { Candidate } from './candidate.ts';
import type { KnownItems } from './known-items.ts';
import type { LeftOut } from './source.ts';

/** A file that is to be written, replaced or, without an `after`, removed. One that is there already has both alike. */
export type PlannedFile = { path: VaultPath; before: Buffer | null; after: Buffer | null };

type PlannedItem = { candidate: Candidate; files: PlannedFile[]; isNew: boolean; isRenamed: boolean };

export type Plan = {
  items: PlannedItem[];
  /** How many are as they were when they were imported, in the source. */
  unchanged: number;
  /** Changed in the source and in the vault: those in the vault stay. */
  kept: LeftOut[];
  leftOut: LeftOut[];
  warnings: string[];
};

export type Planning = {
  target: VaultPath;
  isNotion: boolean;
  candidates: readonly Candidate[];
  known: KnownItems;
  /** The target folder as it is; undefined when it is not there. */
  folder: FolderEntry | undefined;
  readFile: (path: VaultPath) => Promise<Buffer | null>;
  onProgress: (done: number, total: number) => void;
};
