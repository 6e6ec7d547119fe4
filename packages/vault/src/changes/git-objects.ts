import { createHash } from 'node:crypto';
import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { RunGit } from './run-git.ts';

const maxBatchBytes = 64 * 1024 * 1024;

/** The blob id that git computes for these bytes. */
export function hashBlob(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export async function blobSizes(git: RunGit, ids: readonly string[]): Promise<number[]> {
  const rows = (await git(['cat-file', '--batch-check=%(objectsize)'], [toInputLines(ids)])).toString();
  const sizes = rows.split('\n').slice(0, ids.length).map(Number);
  if (sizes.some(Number.isNaN))
    throw new VaultError('damaged-history', 'a file version is missing from history');
  return sizes;
}

export async function readBlobs(git: RunGit, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const bytes = new Map<string, Buffer>();
  if (ids.length > 0)
    await forEachBlob(git, ids, await blobSizes(git, ids), (id, blob) => void bytes.set(id, blob));
  return bytes;
}

/**
 * Calls `take` for each blob. Uses few git calls, each limited in size, so that memory holds at most two copies of one
 * batch.
 */
export async function forEachBlob(
  git: RunGit,
  ids: readonly string[],
  sizes: readonly number[],
  take: (id: string, bytes: Buffer) => void,
): Promise<void> {
  for (let from = 0; from < ids.length;) {
    let to = from;
    for (let bytes = 0; to < ids.length && (to === from || bytes < maxBatchBytes); to += 1)
      bytes += sizes[to] ?? 0;
    const answer = await git(['cat-file', '--batch=%(objectsize)'], [toInputLines(ids.slice(from, to))]);
    let at = 0;
    for (; from < to; from += 1) {
      const start = answer.indexOf('\n', at) + 1;
      at = start + (sizes[from] ?? 0) + 1;
      take(ids[from] ?? '', answer.subarray(start, at - 1));
    }
  }
}

/** Formats ids for git's standard input. */
export function toInputLines(ids: readonly string[]): Buffer {
  return Buffer.from(ids.map((id) => `${id}\n`).join(''));
}

/** One row of `ls-tree -z`; the path is relative to the root of the tree. */
export function parseTreeRow(row: string): { mode: string; id: string; path: string } {
  const [mode = '', , id = ''] = row.split(/[ \t]/, 3);
  return { mode, id, path: row.slice(row.indexOf('\t') + 1) };
}

/** Whether this is the null id, by which git means that there is no object. */
export function isNoObject(id: string): boolean {
  return /^0+$/.test(id);
}

/** Converts a path relative to the root of a tree to a vault path. */
export function vaultPathOf(path: string): VaultPath {
  return `vault/${path}` as VaultPath;
}
