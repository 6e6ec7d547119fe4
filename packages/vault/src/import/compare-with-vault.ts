import { computeRevision, formatPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Candidate } from './candidate.ts';
import type { PlanInput } from './plan-types.ts';
import type { ImportedFile } from './records.ts';
import type { SkippedItem } from './source.ts';

export type Comparison = {
  /** Items that are new, or that changed in the source but not in the vault. */
  toImport: Candidate[];
  /** The current files of those items that were imported before. */
  previousFiles: Map<string, { path: VaultPath; bytes: Buffer }[]>;
  unchanged: number;
  conflicts: SkippedItem[];
};

/** Compares the candidates with earlier imports. Files that the user moved, changed or deleted are left alone. */
export async function compareWithVault({ candidates, known, readFile }: PlanInput): Promise<Comparison> {
  const sorted: Comparison = { toImport: [], previousFiles: new Map(), unchanged: 0, conflicts: [] };
  for (const candidate of candidates) {
    const files = known.get(candidate.id);
    if (files === undefined) sorted.toImport.push(candidate);
    else if (files.every(({ digest }) => digest === candidate.digest)) sorted.unchanged += 1;
    else {
      const present = await readUnchangedFiles(files, readFile);
      if (present === null)
        sorted.conflicts.push({
          path: candidate.path,
          reason: `changed in both places; kept your version of ${formatPath(files[0]?.path ?? ('' as VaultPath))}`,
        });
      else {
        sorted.previousFiles.set(candidate.id, present);
        sorted.toImport.push(candidate);
      }
    }
  }
  return sorted;
}

/** Null if one of the files has changed since the import. */
async function readUnchangedFiles(
  files: readonly ImportedFile[],
  readFile: PlanInput['readFile'],
): Promise<{ path: VaultPath; bytes: Buffer }[] | null> {
  const present = [];
  for (const { path, revision } of files) {
    const bytes = await readFile(path);
    if (bytes === null || computeRevision(bytes) !== revision) return null;
    present.push({ path, bytes });
  }
  return present;
}
