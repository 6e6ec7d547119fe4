import { describe, expect, it } from 'vitest';
import { buildTree } from '../tree/build-tree.ts';
import { rankFiles } from './rank-files.ts';

const paths = [
  'projects/tidewatch/state.md',
  'projects/tidewatch/tasks.md',
  'projects/bike/state.md',
  'été.md',
];
const { files } = buildTree(
  paths.map((path) => ({ path: `vault/${path}`, kind: 'file' as const, tokens: 1, updated: null })),
);
const rank = (query: string): string[] => rankFiles(files, query, 6).map(({ path }) => path);

describe('rankFiles', () => {
  it.each([
    ['tidestate', ['projects/tidewatch/state.md']],
    ['tide state', ['projects/tidewatch/state.md']],
    ['state', ['projects/bike/state.md', 'projects/tidewatch/state.md']],
    ['biksta', ['projects/bike/state.md']],
    ['ete', ['été.md']],
    ['zz', []],
    ['statetide', []],
    ['', []],
  ])('finds %j', (query, expected) => {
    expect(rank(query)).toEqual(expected);
  });

  it('puts exact matches before letters in order', () => {
    expect(rank('tas')[0]).toBe('projects/tidewatch/tasks.md');
  });
});
