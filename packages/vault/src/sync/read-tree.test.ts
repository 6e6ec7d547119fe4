import { expect, it } from 'vitest';
import type { StreamGit } from '../changes/index.ts';
import { readTree } from './read-tree.ts';

const rows = ['a.md', 'café/ü.md', 'with\ttab.md', 'x'.repeat(300)].map((path, index) => ({
  path,
  mode: index === 1 ? '100755' : '100644',
  id: String(index).repeat(40),
}));
const listing = Buffer.from(rows.map(({ mode, id, path }) => `${mode} blob ${id}\t${path}\0`).join(''));

/** Git with this output, in pieces of `size` bytes; counts the pieces that were read. */
function git(output: Buffer, size: number): { stream: StreamGit; read: () => number } {
  let read = 0;
  return {
    read: () => read,
    stream: async (_args, onOutput) => {
      for (let start = 0; start < output.length; start += size) {
        read += 1;
        onOutput(output.subarray(start, start + size));
      }
    },
  };
}

it.each([1, 3, 7, 64, 10_000])('readTree joins rows that arrive in pieces of %i bytes', async (size) => {
  const tree = await readTree(git(listing, size).stream, 'main');
  expect([...tree].map(([path, entry]) => ({ path, ...entry }))).toEqual(rows);
});

it('readTree parses nothing of an empty tree', async () => {
  expect((await readTree(git(Buffer.alloc(0), 1).stream, 'main')).size).toBe(0);
});

it.each([
  ['files', { files: 3, bytes: 1e6 }, 'the remote has more than 3 files'],
  ['bytes', { files: 1e6, bytes: 2_000 }, 'the file list of the remote exceeds 0.002 MB'],
])('readTree stops reading as soon as the %s exceed the limit', async (_, limits, message) => {
  const endless = git(Buffer.concat(Array.from({ length: 1_000 }, () => listing)), listing.length);
  await expect(readTree(endless.stream, 'main', limits)).rejects.toThrow(message);
  expect(endless.read()).toBeLessThan(10);
});
