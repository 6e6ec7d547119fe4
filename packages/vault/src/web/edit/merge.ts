import { mergeRegions } from '../../contract/index.ts';
import { splitNote, withBody, withProperties } from './note-parts.ts';

export type Choice = 'mine' | 'theirs' | 'both';
/** Lines on which both agree, or a place where somebody must choose. */
export type Region =
  | { kind: 'same'; lines: string[] }
  | { kind: 'conflict'; mine: string[]; theirs: string[] };

/** Three versions of one file: the common base, what was typed here, and the file as it is now. */
export type Versions = { path: string; base: string; mine: string; theirs: string };

/** Stamps are in neither list: Keepsake sets them, so they can never be what two versions disagree on. */
export type NoteMerge = { properties: Region[]; body: Region[] };

/** Both changes put together, line by line, over the text that both began from. */
export function mergeTexts(base: string, mine: string, theirs: string): Region[] {
  const lines = (text: string): string[] => text.split('\n');
  return mergeRegions(lines(base), lines(mine), lines(theirs)).regions.map((region) => {
    if (region.kind === 'settled') return { kind: 'same', lines: region.lines };
    const isSame = region.mine.join('\n') === region.theirs.join('\n');
    return isSame
      ? { kind: 'same', lines: region.mine }
      : { kind: 'conflict', mine: region.mine, theirs: region.theirs };
  });
}

/** The text that comes of these choices, one for each conflict, in order. */
export function resolveRegions(regions: readonly Region[], choices: readonly Choice[]): string {
  let at = 0;
  return regions
    .flatMap((region) => {
      if (region.kind === 'same') return region.lines;
      const choice = choices[at++] ?? 'both';
      if (choice === 'both') return [...region.mine, ...region.theirs];
      return region[choice];
    })
    .join('\n');
}

export function mergeNotes({ path, base, mine, theirs }: Versions): NoteMerge {
  const [from, here, there] = [base, mine, theirs].map((text) => splitNote(path, text));
  const merge = (part: 'properties' | 'body'): Region[] =>
    mergeTexts(from?.[part] ?? '', here?.[part] ?? '', there?.[part] ?? '');
  return { properties: merge('properties'), body: merge('body') };
}

export function countConflicts(regions: readonly Region[]): number {
  return regions.filter(({ kind }) => kind === 'conflict').length;
}

/** The whole text that comes of these choices, with the stamps that the file has now. */
export function resolveNotes(
  { properties, body }: NoteMerge,
  { path, theirs }: Versions,
  choices: readonly Choice[],
): string {
  const parts = splitNote(path, theirs);
  const count = countConflicts(properties);
  const head = withProperties(parts, resolveRegions(properties, choices.slice(0, count)));
  return withBody({ head }, resolveRegions(body, choices.slice(count)));
}

/** The text with both changes; null where they meet, and a person must choose. */
export function mergeCleanly(versions: Versions): string | null {
  const merge = mergeNotes(versions);
  const isClean = countConflicts(merge.properties) + countConflicts(merge.body) === 0;
  return isClean ? resolveNotes(merge, versions, []) : null;
}
