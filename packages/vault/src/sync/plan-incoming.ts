import type { VaultPath } from '../vault/index.ts';
import type { FileIds } from './syncable-files.ts';

/** A file that both sides changed, as blob ids; undefined if the file does not exist. */
type ConcurrentChange = {
  path: VaultPath;
  base: string | undefined;
  ours: string | undefined;
  theirs: string | undefined;
  /** The local path, if it differs from `path`. */
  from: VaultPath | undefined;
};

export type Plan = {
  /** Files that only the remote changed: the new blob id, or null for a deletion. */
  incoming: Map<VaultPath, string | null>;
  concurrent: ConcurrentChange[];
};

/** Maps paths in `base` to the paths that a side moved them to. */
type Moves = ReadonlyMap<VaultPath, VaultPath>;

type Sides = {
  base: FileIds;
  ours: FileIds;
  theirs: FileIds;
  ourMoves: Moves;
  theirMoves: Moves;
  /** Skipped files stay as they are on both sides. */
  isSkipped: (path: VaultPath) => boolean;
};

/** Plans the changes to the vault. Files that only the local side changed need no plan: they are part of the next commit. */
export function planIncoming(sides: Sides): Plan {
  const { base, ours, theirs, isSkipped } = sides;
  const incoming: Plan['incoming'] = new Map();
  const { concurrent, handled } = matchMoves(sides);
  for (const path of new Set([...base.keys(), ...theirs.keys(), ...ours.keys()])) {
    if (handled.has(path) || isSkipped(path)) continue;
    const [was, mine, other] = [base.get(path), ours.get(path), theirs.get(path)];
    if (mine === other || other === was) continue;
    if (mine === was) incoming.set(path, other ?? null);
    else concurrent.push({ path, base: was, ours: mine, theirs: other, from: undefined });
  }
  return { incoming, concurrent };
}

/**
 * If one side moved a file and the other edited it, the edit is applied at the new path. If both moved it, the remote
 * path wins. Otherwise the content would be duplicated.
 */
function matchMoves({ base, ours, theirs, ourMoves, theirMoves, isSkipped }: Sides): {
  concurrent: ConcurrentChange[];
  handled: Set<VaultPath>;
} {
  const concurrent: ConcurrentChange[] = [];
  const handled = new Set<VaultPath>();
  const addConcurrent = (path: VaultPath, from: VaultPath, was: VaultPath): void => {
    const places = [path, from, was];
    if (places.some((place) => handled.has(place) || isSkipped(place))) return;
    for (const place of places) handled.add(place);
    concurrent.push({
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
    if (isOurs && (ourPlace === to || !ours.has(to))) addConcurrent(to, ourPlace, was);
  }
  for (const [was, to] of ourMoves) {
    const isChanged = theirs.has(was) && theirs.get(was) !== base.get(was);
    if (isChanged && !theirs.has(to) && !ours.has(was)) addConcurrent(to, to, was);
  }
  return { concurrent, handled };
}
