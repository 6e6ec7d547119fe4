import { createHash } from 'node:crypto';
import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Git } from './run-git.ts';

const mostAtOnce = 64 * 1024 * 1024;

/** The id git gives to these bytes. */
export function blobIdOf(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export async function blobSizes(git: Git, ids: readonly string[]): Promise<number[]> {
  const rows = (await git(['cat-file', '--batch-check=%(objectsize)'], [linesOf(ids)])).toString();
  const sizes = rows.split('\n').slice(0, ids.length).map(Number);
  if (sizes.some(Number.isNaN)) throw new VaultError('damaged-history', 'history lacks a file that it names');
  return sizes;
}

export async function readBlobs(git: Git, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const bytes = new Map<string, Buffer>();
  if (ids.length > 0)
    await eachBlob(git, ids, await blobSizes(git, ids), (id, blob) => void bytes.set(id, blob));
  return bytes;
}

/** Hands over all of them, with few calls, none of which holds more than a part in memory twice. */
export async function eachBlob(
  git: Git,
  ids: readonly string[],
  sizes: readonly number[],
  take: (id: string, bytes: Buffer) => void,
): Promise<void> {
  for (let from = 0; from < ids.length;) {
    let to = from;
    for (let bytes = 0; to < ids.length && (to === from || bytes < mostAtOnce); to += 1)
      bytes += sizes[to] ?? 0;
    const answer = await git(['cat-file', '--batch=%(objectsize)'], [linesOf(ids.slice(from, to))]);
    let at = 0;
    for (; from < to; from += 1) {
      const start = answer.indexOf('\n', at) + 1;
      at = start + (sizes[from] ?? 0) + 1;
      take(ids[from] ?? '', answer.subarray(start, at - 1));
    }
  }
}

/** As git reads ids from its input. */
export function linesOf(ids: readonly string[]): Buffer {
  return Buffer.from(ids.map((id) => `${id}\n`).join(''));
}

/** One row of `ls-tree -z`; the path is below the root of the tree. */
export function parseTreeRow(row: string): { mode: string; id: string; path: string } {
  const [mode = '', , id = ''] = row.split(/[ \t]/, 3);
  return { mode, id, path: row.slice(row.indexOf('\t') + 1) };
}

/** Whether git says with this id that there is no object. */
export function isNoObject(id: string): boolean {
  return /^0+$/.test(id);
}

/** Of a path as git names it, below the root of a tree. */
export function vaultPathOf(path: string): VaultPath {
  return `vault/${path}` as VaultPath;
}
