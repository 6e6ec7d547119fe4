import { setImmediate } from 'node:timers/promises';
import { parseTreeRow } from '../changes/index.ts';
import type { StreamGit } from '../changes/index.ts';
import { SyncError } from './sync-error.ts';

/** An entry of a git tree. The keys of a tree are paths from its root, as git spells them. */
type GitTreeEntry = { mode: string; id: string };
export type GitTree = ReadonlyMap<string, GitTreeEntry>;

/** A few objects of a remote can name more files, and longer paths, than fit in memory. */
export const treeLimits = { files: 1_000_000, bytes: 128_000_000 };

/** Number of rows parsed before yielding to the event loop. */
const rowsPerTick = 5_000;

/** Lists the files of a commit. Ends git as soon as the output exceeds a limit; nothing is parsed before it is complete. */
export async function readTree(
  streamGit: StreamGit,
  commit: string,
  limits: typeof treeLimits = treeLimits,
): Promise<GitTree> {
  const pieces: Buffer[] = [];
  const seen = { files: 0, bytes: 0 };
  await streamGit(['ls-tree', '-r', '-z', '--full-tree', commit], (piece) => {
    pieces.push(piece);
    seen.bytes += piece.length;
    for (let at = piece.indexOf(0); at >= 0; at = piece.indexOf(0, at + 1)) seen.files += 1;
    if (seen.files > limits.files)
      throw new SyncError('too-large', `the remote has more than ${limits.files} files`);
    if (seen.bytes > limits.bytes)
      throw new SyncError('too-large', `the file list of the remote exceeds ${limits.bytes / 1e6} MB`);
  });
  return parseTree(pieces);
}

/** Takes the pieces out of the array, so that their memory is freed while the tree grows. */
async function parseTree(pieces: Buffer[]): Promise<GitTree> {
  const tree = new Map<string, GitTreeEntry>();
  let row: Buffer[] = [];
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    let start = 0;
    for (let end = piece.indexOf(0); end >= 0; end = piece.indexOf(0, start)) {
      const { path, mode, id } = parseTreeRow(
        Buffer.concat([...row, piece.subarray(start, end)]).toString('utf8'),
      );
      tree.set(path, { mode, id });
      row = [];
      start = end + 1;
      if (tree.size % rowsPerTick === 0) await setImmediate();
    }
    if (start < piece.length) row.push(piece.subarray(start));
  }
  return tree;
}
