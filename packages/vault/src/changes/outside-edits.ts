import { closeSync } from 'node:fs';
import { enter, largestText, readStart, showPath } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { GitHistory } from './git-history.ts';
import { blobIdOf } from './git-objects.ts';
import type { FoundFile } from './journal-entry.ts';

/** A file that is not what history knows; blob ids on both sides, null for no file. */
export type OutsideEdit = {
  path: VaultPath;
  before: string | null;
  after: string | null;
  size: number;
  isBrought: boolean;
};

/** Together in one change or commit, in bytes. */
export const mostBytes = 64_000_000;
/** How long a file that became empty may be one that is still to be filled, in milliseconds. */
const emptyFor = 10 * 60_000;
const emptyBlob = blobIdOf(Buffer.alloc(0));
/** Read before others have a turn. */
const batch = 200;

/** Compares these files with history, which must have everything that the journal has of them. */
export async function compareWithHistory(
  git: GitHistory,
  root: VaultRoot,
  paths: readonly VaultPath[],
  { now, check }: { now: number; check: () => void },
): Promise<{ edits: OutsideEdit[]; same: VaultPath[] }> {
  const edits: OutsideEdit[] = [];
  const same: VaultPath[] = [];
  for (let from = 0; from < paths.length; from += batch) {
    const some = paths.slice(from, from + batch);
    const known = await git.blobIds(some);
    check();
    for (const path of some) {
      const before = known.get(path) ?? null;
      const present = readPresent(root, path);
      if (present === 'passed over') same.push(path);
      else {
        const after = present.bytes === null ? null : blobIdOf(present.bytes);
        const isAwaited = after === emptyBlob && before !== null && now - present.changedAt < emptyFor;
        if (after === before) same.push(path);
        else if (!isAwaited)
          edits.push({
            path,
            before,
            after,
            size: present.bytes?.length ?? 0,
            isBrought: present.isBrought,
          });
      }
    }
  }
  return { edits, same };
}

/**
 * One change each: what a sync service has brought, and all else, to which a moved file belongs, for it keeps its time. What is gone
 * needs no room, so that all of it can come back with one.
 */
export function inGroups(edits: readonly OutsideEdit[]): OutsideEdit[][] {
  const gone = new Set(edits.flatMap(({ before, after }) => (after === null ? (before ?? []) : [])));
  const isArrival = ({ isBrought, after }: OutsideEdit): boolean => isBrought && !gone.has(after ?? '');
  return [
    ...bySize(edits.filter((edit) => !isArrival(edit))),
    ...bySize(edits.filter((edit) => isArrival(edit))),
  ];
}

function bySize(edits: readonly OutsideEdit[]): OutsideEdit[][] {
  const groups: OutsideEdit[][] = [];
  let room = 0;
  for (const edit of edits.toSorted((a, b) => Number(b.after === null) - Number(a.after === null))) {
    if (edit.size > room || groups.length === 0) {
      groups.push([]);
      room = mostBytes;
    }
    groups.at(-1)?.push(edit);
    room -= edit.size;
  }
  return groups;
}

/** The edits as the files are now, from what history knows; without those that are as they were again. */
export function readEdits(
  root: VaultRoot,
  edits: readonly { path: VaultPath; before: string | null }[],
): FoundFile[] {
  return edits.flatMap(({ path, before }) => {
    const present = readPresent(root, path);
    if (present === 'passed over') return [];
    const { bytes: after, isBrought } = present;
    return (after === null ? null : blobIdOf(after)) === before ? [] : [{ path, before, after, isBrought }];
  });
}

/** `changedAt` is when the file last changed in any way. */
type Present = { bytes: Buffer | null; changedAt: number; isBrought: boolean };

/** What is no file, or too large, is passed over. */
export function readPresent(root: VaultRoot, path: VaultPath): Present | 'passed over' {
  const none = { bytes: null, changedAt: 0, isBrought: false };
  const found = enter(root, path);
  if (found.kind === 'missing') return none;
  if (found.kind === 'refused') return 'passed over';
  try {
    if (found.kind === 'folder') return none;
    const { size, ctimeMs: changedAt } = found.stats;
    if (size > largestText) return 'passed over';
    return { bytes: readStart(found.fd, size), changedAt, isBrought: wasBrought(found.stats) };
  } finally {
    closeSync(found.fd);
  }
}

/** A program that writes a file aside and renames it is done within this time, in milliseconds. */
const savedWithin = 2_000;

/** Whether a file was put here some time after it was written: by a sync service, or by whoever copies files with their times. */
export function wasBrought({ mtimeMs, ctimeMs }: { mtimeMs: number; ctimeMs: number }): boolean {
  return ctimeMs - mtimeMs > savedWithin;
}

/** More than so many files gone at once are worth a notice, and so is this part of a vault, unless that is only a few. */
const manyFiles = 100;
const [greatPart, fewFiles] = [1 / 3, 10];

/** How many files are gone and nowhere else, if those are many; null otherwise. */
export async function lossOf(
  edits: readonly OutsideEdit[],
  countKnown: () => Promise<number>,
): Promise<number | null> {
  const kept = new Set(edits.map(({ after }) => after));
  const lost = edits.filter(({ before, after }) => after === null && !kept.has(before)).length;
  if (lost > manyFiles) return lost;
  return lost >= fewFiles && lost >= greatPart * (await countKnown()) ? lost : null;
}

/** `edited vault/a.md`, `moved vault/a.md to vault/b.md`, `edited 3 files, deleted 1 file`. */
export function describeEdits(files: readonly FoundFile[]): string {
  const gone = new Map(files.flatMap(({ path, before, after }) => (after === null ? [[before, path]] : [])));
  const told: Record<string, string[]> = { edited: [], created: [], moved: [], deleted: [] };
  for (const { path, before, after } of files) {
    if (after === null) continue;
    const from = before === null ? gone.get(blobIdOf(after)) : undefined;
    if (from === undefined) told[before === null ? 'created' : 'edited']?.push(showPath(path));
    else told['moved']?.push(`${showPath(from)} to ${showPath(path)}`);
    // Of two copies one was made by moving it.
    if (from !== undefined) gone.delete(blobIdOf(after));
  }
  const left = new Set(gone.values());
  for (const { path } of files) if (left.has(path)) told['deleted']?.push(showPath(path));
  const parts = Object.entries(told).filter(([, each]) => each.length > 0);
  const one = parts.flatMap(([kind, each]) => each.map((what) => `${kind} ${what}`));
  if (one.length === 1) return one.join('');
  return parts.map(([kind, { length }]) => `${kind} ${length} ${length === 1 ? 'file' : 'files'}`).join(', ');
}
