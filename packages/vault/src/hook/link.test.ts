import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveProjectLink, normalizeRemoteUrl, readGitRemote } from './link.ts';

it.each([
  ['git@github.com:Owner/Name.git', 'github.com/owner/name'],
  ['https://user:secret@GitHub.com/owner/name', 'github.com/owner/name'],
  ['https://user:se@cret@GitHub.com/owner/name?token=x', 'github.com/owner/name'],
  ['ssh://git@git.example.org:2222/owner/name.git/', 'git.example.org/owner/name'],
  ['/srv/git/name.git', null],
  [String.raw`C:\code\name`, null],
])('the URL of a repository is normalized: %s', (url, expected) => {
  expect(normalizeRemoteUrl(url)).toBe(expected);
});

it('the remote of the enclosing repository is found, even in a worktree', () => {
  const root = temporaryFolder();
  const [main, tree] = [join(root, 'main'), join(root, 'tree')];
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', main, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  mkdirSync(join(main, 'below'), { recursive: true });
  git('init', '-q');
  git('remote', 'add', 'fork', 'git@github.com:other/name.git');
  git('remote', 'add', 'origin', 'git@github.com:owner/name.git');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', tree);
  expect([join(main, 'below'), tree, root].map(readGitRemote)).toEqual([
    'github.com/owner/name',
    'github.com/owner/name',
    null,
  ]);
});

it('the link of the nearest folder takes precedence over that of the repository', () => {
  const links = { '/code': 'all', '/code/secret': null, 'github.com/owner/name': 'name' };
  expect(resolveProjectLink('/code/x/y', 'github.com/owner/name', links)).toEqual({
    kind: 'project',
    project: 'all',
    by: '/code',
  });
  expect(resolveProjectLink('/code/secret/y', 'github.com/owner/name', links)).toEqual({
    kind: 'none',
    by: '/code/secret',
  });
  expect(resolveProjectLink('/else', 'github.com/owner/name', links)).toMatchObject({ project: 'name' });
  expect(resolveProjectLink('/else', 'constructor', links)).toEqual({ kind: 'unknown' });
});
