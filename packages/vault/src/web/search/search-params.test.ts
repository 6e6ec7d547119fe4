import { describe, expect, it } from 'vitest';
import { parseSearchParams, scopesOf } from './search-params.ts';

const names = { changelog: 'changelog.md', tasks: 'tasks.md' };

describe('the address of a search', () => {
  it('is read as far as it means something', () => {
    expect(
      parseSearchParams({ q: 2026, in: 'projects/x', kind: 'tasks', from: '2026-01-02', deep: true }),
    ).toEqual({
      q: '2026',
      in: 'projects/x',
      kind: 'tasks',
      from: '2026-01-02',
      deep: true,
    });
    expect(parseSearchParams({ kind: 'all', from: 'yesterday', to: ['x'], deep: 'yes', in: '' })).toEqual({
      q: '',
    });
  });

  it('becomes path patterns', () => {
    expect(scopesOf({ q: '' }, names)).toEqual([]);
    expect(scopesOf({ q: '', in: 'projects/x' }, names)).toEqual(['projects/x/**']);
    expect(scopesOf({ q: '', kind: 'changelog' }, names)).toEqual(['**/changelog.md']);
    expect(scopesOf({ q: '', kind: 'bucket', in: 'projects/x' }, names)).toEqual(['projects/x/**/bucket/**']);
  });
});
