import { baseName, decodeText, splitLines, stripStamps } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { hashBlob } from './git-objects.ts';
import type { ExternalFileEdit } from './journal-entry.ts';

/** One side of a file change: `id` identifies the content, `bytes` may be omitted. Null means no file. */
export type Side = { id: string; bytes: Buffer | null } | null;
export type FileSides = { path: VaultPath; before: Side; after: Side };

/** The share of their text that the old and the new file of a move have in common, at least. */
const minSimilarity = 0.5;
/** In bytes. Larger files are compared only by their id. */
const maxComparedBytes = 250_000;
/** Every pair is compared up to this number of pairs; beyond it, only files of the same name, as in a renamed folder. */
const maxPairs = 400;

/**
 * Finds the files that were moved, by their new path: a new file with the content of a deleted one, or else with most of
 * its text, because a move also updates links and stamps. If a deleted file was copied twice, only one copy is a move.
 * `known` are moves that need not be found.
 */
export function findMoves(
  files: readonly FileSides[],
  known: ReadonlyMap<VaultPath, VaultPath> = new Map(),
): Map<VaultPath, VaultPath> {
  const deleted = new Map(
    files.flatMap((file) => (file.before && !file.after ? [[file.path, file.before]] : [])),
  );
  const moves = new Map([...known].filter(([, from]) => deleted.delete(from)));
  const byId = new Map([...deleted].map(([path, { id }]) => [id, path]));
  const created: { path: VaultPath; after: NonNullable<Side> }[] = [];
  for (const { path, before, after } of files) {
    if (before !== null || after === null || moves.has(path)) continue;
    const from = byId.get(after.id);
    if (from === undefined) created.push({ path, after });
    else {
      moves.set(path, from);
      byId.delete(after.id);
      deleted.delete(from);
    }
  }
  for (const [to, from] of pairSimilar(created, deleted)) moves.set(to, from);
  return moves;
}

/** Finds moves among external edits. Similar files are found if `previousContent` was read. */
export function findExternalMoves(files: readonly ExternalFileEdit[]): Map<VaultPath, VaultPath> {
  return findMoves(
    files.map(({ path, before, after, previousContent = null }) => ({
      path,
      before: before === null ? null : { id: before, bytes: previousContent },
      after: after && { id: hashBlob(after), bytes: after },
    })),
  );
}

/** Pairs the most similar files first. */
function pairSimilar(
  created: readonly { path: VaultPath; after: NonNullable<Side> }[],
  deleted: ReadonlyMap<VaultPath, NonNullable<Side>>,
): [to: VaultPath, from: VaultPath][] {
  const isFew = created.length * deleted.size <= maxPairs;
  const nameOf = (path: VaultPath): string => (isFew ? '' : baseName(path));
  const byName = Map.groupBy(deleted, ([path]) => nameOf(path));
  const createdByName = Map.groupBy(created, ({ path }) => nameOf(path));
  const candidates = [...createdByName].flatMap(([name, group]) => {
    const others = byName.get(name) ?? [];
    if (others.length * group.length > maxPairs) return [];
    const old = others.map(([path, side]) => ({ path, lines: countLines(side.bytes) }));
    return group.flatMap(({ path: to, after }) => {
      const lines = countLines(after.bytes);
      return old.map(({ path: from, lines: before }) => ({
        to,
        from,
        similarity: compareLines(before, lines),
      }));
    });
  });
  const used = new Set<VaultPath>();
  const pairs: [VaultPath, VaultPath][] = [];
  for (const { to, from, similarity } of candidates.toSorted((a, b) => b.similarity - a.similarity)) {
    if (similarity < minSimilarity || used.has(to) || used.has(from)) continue;
    used.add(to).add(from);
    pairs.push([to, from]);
  }
  return pairs;
}

/** How often each line occurs; null if the content is unknown, large or not text. */
function countLines(bytes: Buffer | null): Map<string, number> | null {
  if (bytes === null || bytes.length > maxComparedBytes) return null;
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text') return null;
  const counts = new Map<string, number>();
  for (const line of linesWithoutStamps(decoded.text).map((each) => each.trim()))
    if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** The characters of the lines in common, as a share of the longer text. */
function compareLines(a: Map<string, number> | null, b: Map<string, number> | null): number {
  if (a === null || b === null) return 0;
  const size = (lines: Map<string, number>): number =>
    lines.entries().reduce((sum, [line, count]) => sum + line.length * count, 0);
  const common = a
    .entries()
    .reduce((sum, [line, count]) => sum + line.length * Math.min(count, b.get(line) ?? 0), 0);
  return common / Math.max(size(a), size(b), 1);
}

/** The lines of a note without its stamps. */
export function linesWithoutStamps(text: string): string[] {
  const lines = splitLines(text);
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  if (end === -1) return lines;
  const head = stripStamps(lines.slice(1, end).join('\n'));
  const [between, body] = [head === '' ? [] : ['---', ...head.split('\n'), '---'], lines.slice(end + 1)];
  return [...between, ...(between.length === 0 && body[0] === '' ? body.slice(1) : body)];
}
