import type { VaultPath } from '../vault/index.ts';
import type { Side } from './travelling.ts';

/** A file that both sides changed; ids of contents, undefined for no file. */
type Meeting = {
  path: VaultPath;
  base: string | undefined;
  ours: string | undefined;
  theirs: string | undefined;
  /** Where ours lies now, if elsewhere. */
  from: VaultPath | undefined;
};

export type Plan = {
  /** What only they changed: the id of its content, null when it goes. */
  arriving: Map<VaultPath, string | null>;
  meeting: Meeting[];
};

/** Where a side has put files that `base` has elsewhere. */
type Moves = ReadonlyMap<VaultPath, VaultPath>;

type Sides = {
  base: Side;
  ours: Side;
  theirs: Side;
  ourMoves: Moves;
  theirMoves: Moves;
  /** Files that stay as they are on both sides. */
  isLeftOut: (path: VaultPath) => boolean;
};

/** What has to come into the vault. What only we changed needs nothing: it goes with the next commit. */
export function planArrival(sides: Sides): Plan {
  const { base, ours, theirs, isLeftOut } = sides;
  const arriving: Plan['arriving'] = new Map();
  const { meeting, settled } = meetAtMoves(sides);
  for (const path of new Set([...base.keys(), ...theirs.keys(), ...ours.keys()])) {
    if (settled.has(path) || isLeftOut(path)) continue;
    const [was, mine, other] = [base.get(path), ours.get(path), theirs.get(path)];
    if (mine === other || other === was) continue;
    if (mine === was) arriving.set(path, other ?? null);
    else meeting.push({ path, base: was, ours: mine, theirs: other, from: undefined });
  }
  return { arriving, meeting };
}

/**
 * A file that one side moved and the other changed is changed where it was moved to; where both moved it, it lies where they have
 * it. Otherwise its words would be there twice.
 */
function meetAtMoves({ base, ours, theirs, ourMoves, theirMoves, isLeftOut }: Sides): {
  meeting: Meeting[];
  settled: Set<VaultPath>;
} {
  const meeting: Meeting[] = [];
  const settled = new Set<VaultPath>();
  const settle = (path: VaultPath, from: VaultPath, was: VaultPath): void => {
    const places = [path, from, was];
    if (places.some((place) => settled.has(place) || isLeftOut(place))) return;
    for (const place of places) settled.add(place);
    meeting.push({
      path,
      base: base.get(was),
      ours: ours.get(from),
      theirs: theirs.get(path) ?? theirs.get(was),
      from: from === path ? undefined : from,
    });
  };
  for (const [was, to] of theirMoves) {
    const ourPlace = ourMoves.get(was) ?? was;
    const isOurs = ours.has(ourPlace) && (ourPlace !== was || ours.get(was) !== base.get(was));
    if (isOurs && (ourPlace === to || !ours.has(to))) settle(to, ourPlace, was);
  }
  for (const [was, to] of ourMoves) {
    const isChanged = theirs.has(was) && theirs.get(was) !== base.get(was);
    if (isChanged && !theirs.has(to) && !ours.has(was)) settle(to, to, was);
  }
  return { meeting, settled };
}
