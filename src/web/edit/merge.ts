import { mergeRegions } from '../../contract/index.ts';

export type Choice = 'mine' | 'theirs' | 'both';
/** Lines on which both agree, or a place where somebody must choose. */
export type Region =
  | { kind: 'same'; lines: string[] }
  | { kind: 'conflict'; mine: string[]; theirs: string[] };

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
