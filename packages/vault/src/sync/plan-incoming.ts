import type { VaultPath } from '../vault/index.ts';
import { followFolder } from './moves.ts';
import type { Moves } from './moves.ts';
import type { FileIds } from './syncable-files.ts';

/** A file that both sides changed, as blob ids; undefined if the file does not exist. */
type ConcurrentChange = {
  path: VaultPath;
  base: string | undefined;
  ours: string | undefined;
  theirs: string | undefined;
};

/** A file that got another name, and why: a folder is in its place, or its folder was renamed. */
export type RenamedFile = { from: VaultPath; to: VaultPath; why: 'folder-in-place' | 'folder-renamed' };

export type Plan = {
  /** Files whose content is known: the blob id, or null for a deletion. */
  incoming: Map<VaultPath, string | null>;
  concurrent: ConcurrentChange[];
  /** The present local path of each file that gets another one. */
  moved: Map<VaultPath, VaultPath>;
  renamed: RenamedFile[];
};

type Sides = {
  base: FileIds;
  ours: FileIds;
  theirs: FileIds;
  ourMoves: Moves;
  theirMoves: Moves;
  /** Skipped files stay as they are on both sides. */
  isSkipped: (path: VaultPath) => boolean;
};

/** A file with its paths in the base and on both sides, undefined where it does not exist, and its path after the sync. */
type FilePlaces = {
  was: VaultPath | undefined;
  mine: VaultPath | undefined;
  other: VaultPath | undefined;
  to: VaultPath;
};

/** Plans the changes to the vault. Files that only the local side changed need no plan: they are part of the next commit. */
export function planIncoming(sides: Sides): Plan {
  const plan: Plan = { incoming: new Map(), concurrent: [], moved: new Map(), renamed: [] };
  const places = findPlaces(sides);
  for (const place of places) planFile(place, sides, plan);
  const used = new Set([...plan.incoming.keys(), ...plan.concurrent.map(({ path }) => path)]);
  for (const { mine, to } of places)
    if (mine !== undefined && mine !== to && used.has(to)) {
      plan.moved.set(to, mine);
      if (!used.has(mine)) plan.incoming.set(mine, null);
    }
  return plan;
}

function planFile({ was, mine, other, to }: FilePlaces, { base, ours, theirs }: Sides, plan: Plan): void {
  const [before, here, there] = [idAt(base, was), idAt(ours, mine), idAt(theirs, other)];
  const take = (id: string | undefined): void => void plan.incoming.set(to, id ?? null);
  const merge = (): void => void plan.concurrent.push({ path: to, base: before, ours: here, theirs: there });
  const own = mine ?? other;
  if (was === undefined && own !== undefined && own !== to)
    plan.renamed.push({ from: own, to, why: 'folder-renamed' });
  if (mine === undefined) {
    // Deleted here: what another machine did to it is kept.
    if (there !== before && was !== undefined) merge();
    else if (other !== was) take(there);
  } else if (other === undefined) {
    if (was === undefined) {
      if (mine !== to) take(here);
    } else if (here !== before) merge();
    else if (mine === was) take(undefined);
  } else if (here === there || there === before) {
    if (mine !== to) take(here);
  } else if (here === before) take(there);
  else merge();
}

function idAt(files: FileIds, path: VaultPath | undefined): string | undefined {
  return path === undefined ? undefined : files.get(path);
}

/**
 * Finds the path of each file after the sync: a file that one side moved and the other edited is edited at its new path,
 * and if both moved it, the remote path wins. New files follow a renamed folder. A move to a path that another file gets
 * is ignored, as if the file had been deleted and created again.
 */
function findPlaces(sides: Sides): FilePlaces[] {
  const ignored = new Set<VaultPath>();
  for (;;) {
    const places = listPlaces(sides, ignored);
    const byTarget = Map.groupBy(places, ({ to }) => to);
    const clashing = [...byTarget.values()].filter(({ length }) => length > 1).flat();
    const moved = clashing.flatMap(({ was, mine, other, to }) => {
      const origin = was ?? mine ?? other;
      const isMoved = [mine, other, to].some((path) => path !== undefined && path !== origin);
      return origin !== undefined && isMoved && !ignored.has(origin) ? [origin] : [];
    });
    if (moved.length === 0) return places;
    for (const origin of moved) ignored.add(origin);
  }
}

function listPlaces(
  { base, ours, theirs, ourMoves, theirMoves, isSkipped }: Sides,
  ignored: ReadonlySet<VaultPath>,
): FilePlaces[] {
  const validMoves = (moves: Moves, side: FileIds): Map<VaultPath, VaultPath> =>
    new Map(
      [...moves.files].filter(
        ([from, to]) =>
          base.has(from) && side.has(to) && !isSkipped(from) && !isSkipped(to) && !ignored.has(from),
      ),
    );
  const [myMoves, otherMoves] = [validMoves(ourMoves, ours), validMoves(theirMoves, theirs)];
  const [myTargets, otherTargets] = [new Set(myMoves.values()), new Set(otherMoves.values())];
  const places: FilePlaces[] = [];
  const claimed = { ours: new Set<VaultPath>(), theirs: new Set<VaultPath>() };
  for (const was of base.keys()) {
    if (isSkipped(was)) continue;
    const mine = myMoves.get(was) ?? (ours.has(was) && !myTargets.has(was) ? was : undefined);
    const other = otherMoves.get(was) ?? (theirs.has(was) && !otherTargets.has(was) ? was : undefined);
    if (mine !== undefined) claimed.ours.add(mine);
    if (other !== undefined) claimed.theirs.add(other);
    const to = mine === undefined || (other !== undefined && other !== was) ? other : mine;
    if (to !== undefined) places.push({ was, mine, other, to });
  }
  const isNew = (path: VaultPath, taken: ReadonlySet<VaultPath>): boolean =>
    !isSkipped(path) && !taken.has(path);
  const newThere = new Set([...theirs.keys()].filter((path) => isNew(path, claimed.theirs)));
  const follow = (path: VaultPath, folders: Moves['folders']): VaultPath => {
    const to = followFolder(path, folders);
    return ignored.has(path) || isSkipped(to) ? path : to;
  };
  for (const mine of ours.keys()) {
    if (!isNew(mine, claimed.ours)) continue;
    const other = newThere.delete(mine) ? mine : undefined;
    const to = other === undefined ? follow(mine, theirMoves.folders) : mine;
    places.push({ was: undefined, mine, other, to });
  }
  for (const other of newThere)
    places.push({ was: undefined, mine: undefined, other, to: follow(other, ourMoves.folders) });
  return places;
}
