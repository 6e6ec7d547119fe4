import type { FolderEntry, VaultPath } from '../vault/index.ts';
import type { Candidate } from './candidate.ts';
import type { ImportedItems } from './imported-items.ts';
import type { SkippedItem } from './source.ts';

/**
 * A file to write, replace or, if `after` is null, remove. For a file that already exists unchanged, `before` and
 * `after` are equal.
 */
export type PlannedFile = { path: VaultPath; before: Buffer | null; after: Buffer | null };

type PlannedItem = { candidate: Candidate; files: PlannedFile[]; isNew: boolean; isRenamed: boolean };

export type Plan = {
  items: PlannedItem[];
  /** Number of items that have not changed in the source since the last import. */
  unchanged: number;
  /** Items changed both in the source and in the vault; the version in the vault is kept. */
  conflicts: SkippedItem[];
  skipped: SkippedItem[];
  warnings: string[];
  /** Items with texts that seem to contain a secret; they are imported unchanged. `reason` lists the kinds. */
  secrets: SkippedItem[];
};

export type PlanInput = {
  target: VaultPath;
  isNotion: boolean;
  candidates: readonly Candidate[];
  known: ImportedItems;
  /** The current target folder; undefined if it does not exist. */
  folder: FolderEntry | undefined;
  readFile: (path: VaultPath) => Promise<Buffer | null>;
  onProgress: (done: number, total: number) => void;
};
