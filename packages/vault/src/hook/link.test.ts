import { expect, it } from 'vitest';
import { resolveProjectLink } from './link.ts';

const keysOf = (folder: string): string[] =>
  ['/code/secret/y', '/code/secret', '/code/x', '/code', '/']
    .filter((key) => folder.startsWith(key))
    .concat('github.com/owner/name');

it('the link of the nearest folder takes precedence over that of the repository', () => {
  const links = { '/code': 'all', '/code/secret': null, 'github.com/owner/name': 'name' };
  expect(resolveProjectLink({ keys: keysOf('/code/x/y') }, links)).toEqual({
    kind: 'project',
    project: 'all',
    by: '/code',
  });
  expect(resolveProjectLink({ keys: keysOf('/code/secret/y') }, links)).toEqual({
    kind: 'none',
    by: '/code/secret',
  });
  expect(resolveProjectLink({ keys: keysOf('/else') }, links)).toMatchObject({ project: 'name' });
  expect(resolveProjectLink({ keys: ['constructor'] }, links)).toEqual({ kind: 'unknown' });
});
