import { z } from 'zod';
import { parentPath, pathSegments, rootPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { FileIds } from './syncable-files.ts';

/** The moves of one side: from paths of the base to those of the side. */
export type Moves = {
  files: ReadonlyMap<VaultPath, VaultPath>;
  /** Renamed folders: no file is left in the old one, and the new one did not exist. */
  folders: ReadonlyMap<VaultPath, VaultPath>;
};

export const noMoves: Moves = { files: new Map(), folders: new Map() };

export type Move = { from: VaultPath; to: VaultPath };
type Step = readonly Move[];

/** Where the files of the base are after these steps, each of which moves all of its files at once. */
export function followMoves(base: FileIds, side: FileIds, steps: readonly Step[]): Map<VaultPath, VaultPath> {
  /** The file of the base that is at a path now; null if another one or none is. */
  const origins = new Map<VaultPath, VaultPath | null>();
  const originOf = (path: VaultPath): VaultPath | null =>
    origins.get(path) ?? (base.has(path) && !origins.has(path) ? path : null);
  for (const step of steps) {
    const arrivals = step.map(({ from, to }) => [to, originOf(from)] as const);
    for (const { from } of step) origins.set(from, null);
    for (const [to, origin] of arrivals) origins.set(to, origin);
  }
  return new Map(
    [...origins].flatMap(([to, from]): [VaultPath, VaultPath][] =>
      from !== null && from !== to && side.has(to) ? [[from, to]] : [],
    ),
  );
}

/**
 * Finds files that exchanged their names, also several in a circle: their contents are those of each other. Only contents
 * that occur once count.
 */
export function findSwaps(base: FileIds, side: FileIds): Map<VaultPath, VaultPath> {
  const [before, after] = [uniquePaths(base), uniquePaths(side)];
  const next = (path: VaultPath): VaultPath | undefined => {
    const id = base.get(path) ?? '';
    const to = before.get(id) === path ? after.get(id) : undefined;
    return to === path || to === undefined || !base.has(to) ? undefined : to;
  };
  const swaps = new Map<VaultPath, VaultPath>();
  for (const start of base.keys()) {
    if (swaps.has(start) || side.get(start) === base.get(start)) continue;
    const circle = [start];
    for (let at = next(start); at !== undefined && at !== start; at = next(at)) {
      // The content of another circle or of a moved file.
      if (circle.includes(at)) break;
      circle.push(at);
    }
    const isClosed = circle.length > 1 && next(circle.at(-1) ?? start) === start;
    if (isClosed)
      for (const [index, path] of circle.entries())
        swaps.set(path, circle[(index + 1) % circle.length] ?? start);
  }
  return swaps;
}

/** The path of each content that only one file has. */
function uniquePaths(files: FileIds): Map<string, VaultPath> {
  const paths = new Map<string, VaultPath>();
  const repeated = new Set<string>();
  for (const [path, id] of files)
    if (paths.has(id)) repeated.add(id);
    else paths.set(id, path);
  for (const id of repeated) paths.delete(id);
  return paths;
}

/**
 * Finds renamed folders: all files in it were moved to a folder that had none, under the same names, and `isGone` says
 * that the folder does not exist any more.
 */
export function findFolderMoves(
  base: FileIds,
  side: FileIds,
  files: Moves['files'],
  isGone: (folder: VaultPath) => boolean,
): Map<VaultPath, VaultPath> {
  const candidates = new Map<string, [VaultPath, VaultPath]>();
  for (const [from, to] of files)
    for (const [old, renamed] of commonEndings(from, to))
      candidates.set(`${old}\n${renamed}`, [old, renamed]);
  const folders = new Map<VaultPath, VaultPath>();
  const byLength = [...candidates.values()].toSorted(([a], [b]) => a.length - b.length);
  for (const [old, renamed] of byLength) {
    const isBelow = [...folders.keys()].some((folder) => isIn(old, folder));
    if (isBelow || !isGone(old)) continue;
    const inOld = [...base.keys()].filter((path) => isIn(path, old));
    const isWhole = inOld.every((path) => files.get(path) === renamed + path.slice(old.length));
    const wasThere = [...base.keys()].some((path) => isIn(path, renamed));
    const isLeft = [...side.keys()].some((path) => isIn(path, old));
    if (isWhole && !wasThere && !isLeft) folders.set(old, renamed);
  }
  return folders;
}

/** The pairs of parent folders below which two paths are the same, deepest first. */
function commonEndings(from: VaultPath, to: VaultPath): [VaultPath, VaultPath][] {
  const pairs: [VaultPath, VaultPath][] = [];
  let [old, renamed] = [from, to];
  while (pathSegments(old).at(-1) === pathSegments(renamed).at(-1)) {
    [old, renamed] = [parentPath(old), parentPath(renamed)];
    if (old === rootPath || renamed === rootPath || old === renamed) break;
    pairs.push([old, renamed]);
  }
  return pairs;
}

function isIn(path: VaultPath, folder: VaultPath): boolean {
  return path.startsWith(`${folder}/`);
}

/** The path of a new file if its folder was renamed. */
export function followFolder(path: VaultPath, folders: Moves['folders']): VaultPath {
  for (let folder = parentPath(path); folder !== rootPath; folder = parentPath(folder)) {
    const renamed = folders.get(folder);
    if (renamed !== undefined) return (renamed + path.slice(folder.length)) as VaultPath;
  }
  return path;
}

const recordField = 'Moves: ';
const pairs = z.array(z.tuple([z.string(), z.string()]));
const moveRecord = z.object({ files: pairs, folders: pairs });

/** The moves of a commit in relation to its parent, as a line of its message. */
export function formatMoveRecord({ files, folders }: Moves): string {
  const shorten = (moves: ReadonlyMap<VaultPath, VaultPath>): [string, string][] =>
    [...moves].map(([from, to]) => [from.slice(rootPath.length + 1), to.slice(rootPath.length + 1)]);
  return `${recordField}${JSON.stringify({ files: shorten(files), folders: shorten(folders) })}\n`;
}

/** Null if the message has no valid record: another program or an earlier version made the commit. The paths are not validated. */
export function parseMoveRecord(message: string): Moves | null {
  const line = message.split('\n').find((each) => each.startsWith(recordField));
  if (line === undefined) return null;
  try {
    const { files, folders } = moveRecord.parse(JSON.parse(line.slice(recordField.length)));
    const extend = (moves: [string, string][]): Map<VaultPath, VaultPath> =>
      new Map(
        moves.map(([from, to]) => [`${rootPath}/${from}`, `${rootPath}/${to}`] as [VaultPath, VaultPath]),
      );
    return { files: extend(files), folders: extend(folders) };
  } catch {
    return null;
  }
}
