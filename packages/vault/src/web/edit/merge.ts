import { diff3, diffLines, internLines } from '../../contract/index.ts';
import { splitNote, withBody, withProperties } from './note-parts.ts';

export type MergeChoice = 'ours' | 'theirs' | 'both';
/** Lines that both versions agree on, or a conflict that the user must resolve. */
export type MergeRegion =
  | { kind: 'same'; lines: string[] }
  | { kind: 'conflict'; ours: string[]; theirs: string[] };

/** Three versions of one file: the common base, the edited text, and the current file. */
export type Versions = { path: string; base: string; ours: string; theirs: string };

/** Neither list contains stamps, because Keepsake sets them and they cannot conflict. */
export type NoteMerge = { properties: MergeRegion[]; body: MergeRegion[] };

/** Three-way merge by lines. */
export function mergeTexts(base: string, ours: string, theirs: string): MergeRegion[] {
  const lines = (text: string): string[] => text.split('\n');
  return diff3(lines(base), lines(ours), lines(theirs)).regions.map((region) => {
    if (region.kind === 'resolved') return { kind: 'same', lines: region.lines };
    const isSame = region.ours.join('\n') === region.theirs.join('\n');
    return isSame
      ? { kind: 'same', lines: region.ours }
      : { kind: 'conflict', ours: region.ours, theirs: region.theirs };
  });
}

/** Two-way comparison: the places in which two versions of a text differ, with the lines of both. */
export function compareTexts(ours: string, theirs: string): { ours: string[]; theirs: string[] }[] {
  const [mine, other] = [ours.split('\n'), theirs.split('\n')];
  const [mineIds, otherIds] = internLines(mine, other);
  if (mineIds === undefined || otherIds === undefined) return [];
  return diffLines(mineIds, otherIds).edits.map((edit) => ({
    ours: mine.slice(edit.old.start, edit.old.end),
    theirs: other.slice(edit.new.start, edit.new.end),
  }));
}

/** The text that results from these choices, one per conflict, in order. */
export function resolveRegions(regions: readonly MergeRegion[], choices: readonly MergeChoice[]): string {
  let at = 0;
  return regions
    .flatMap((region) => {
      if (region.kind === 'same') return region.lines;
      const choice = choices[at++] ?? 'both';
      if (choice === 'both') return [...region.ours, ...region.theirs];
      return region[choice];
    })
    .join('\n');
}

export function mergeNotes({ path, base, ours, theirs }: Versions): NoteMerge {
  const [from, here, there] = [base, ours, theirs].map((text) => splitNote(path, text));
  const merge = (part: 'properties' | 'body'): MergeRegion[] =>
    mergeTexts(from?.[part] ?? '', here?.[part] ?? '', there?.[part] ?? '');
  return { properties: merge('properties'), body: merge('body') };
}

export function countConflicts(regions: readonly MergeRegion[]): number {
  return regions.filter(({ kind }) => kind === 'conflict').length;
}

/** The whole text that results from these choices, with the stamps of the current file. */
export function resolveNotes(
  { properties, body }: NoteMerge,
  { path, theirs }: Versions,
  choices: readonly MergeChoice[],
): string {
  const parts = splitNote(path, theirs);
  const count = countConflicts(properties);
  const head = withProperties(parts, resolveRegions(properties, choices.slice(0, count)));
  return withBody({ head }, resolveRegions(body, choices.slice(count)));
}

/** The merged text; null if there is a conflict. */
export function mergeCleanly(versions: Versions): string | null {
  const merge = mergeNotes(versions);
  const isClean = countConflicts(merge.properties) + countConflicts(merge.body) === 0;
  return isClean ? resolveNotes(merge, versions, []) : null;
}
