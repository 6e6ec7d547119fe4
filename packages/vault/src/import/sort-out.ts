import { revisionOf, showPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Candidate } from './candidate.ts';
import type { Planning } from './planning.ts';
import type { Imported } from './records.ts';
import type { LeftOut } from './source.ts';

export type SortedOut = {
  /** New, or changed in the source and in the vault as it was imported. */
  wanted: Candidate[];
  /** The files of those that were imported before, as they are. */
  before: Map<string, { path: VaultPath; bytes: Buffer }[]>;
  unchanged: number;
  kept: LeftOut[];
};

/** Compares what there is with what was imported. What a person moved, changed or deleted is theirs. */
export async function sortOut({ candidates, known, readFile }: Planning): Promise<SortedOut> {
  const sorted: SortedOut = { wanted: [], before: new Map(), unchanged: 0, kept: [] };
  for (const candidate of candidates) {
    const files = known.get(candidate.id);
    if (files === undefined) sorted.wanted.push(candidate);
    else if (files.every(({ digest }) => digest === candidate.digest)) sorted.unchanged += 1;
    else {
      const present = await asImported(files, readFile);
      if (present === null)
        sorted.kept.push({
          path: candidate.path,
          reason: `it changed in the source, but ${showPath(files[0]?.path ?? ('' as VaultPath))} changed, too: yours stays`,
        });
      else {
        sorted.before.set(candidate.id, present);
        sorted.wanted.push(candidate);
      }
    }
  }
  return sorted;
}

/** Null when one of them is not what it was. */
async function asImported(
  files: readonly Imported[],
  readFile: Planning['readFile'],
): Promise<{ path: VaultPath; bytes: Buffer }[] | null> {
  const present = [];
  for (const { path, revision } of files) {
    const bytes = await readFile(path);
    if (bytes === null || revisionOf(bytes) !== revision) return null;
    present.push({ path, bytes });
  }
  return present;
}
