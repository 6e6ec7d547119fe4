import { describe, expect, it } from 'vitest';
import { parseSearchParams, toScopes } from './search-params.ts';

const names = { changelog: 'changelog.md', tasks: 'tasks.md' };

describe('search parameters', () => {
  it('are parsed, and invalid values are dropped', () => {
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

  it('are converted to path patterns', () => {
    expect(toScopes({ q: '' }, names)).toEqual([]);
    expect(toScopes({ q: '', in: 'projects/x' }, names)).toEqual(['projects/x/**']);
    expect(toScopes({ q: '', kind: 'changelog' }, names)).toEqual(['**/changelog.md']);
    expect(toScopes({ q: '', kind: 'bucket', in: 'projects/x' }, names)).toEqual(['projects/x/**/bucket/**']);
  });
});
