import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveProjectLink } from './link.ts';
import { getRepositoryName, normalizeRemoteUrl, readPlace } from './place.ts';

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

/** Runs git in a folder, which is created. */
function git(folder: string, ...args: string[]): void {
  mkdirSync(folder, { recursive: true });
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
  const { status, stderr } = spawnSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' });
  expect({ args, status, stderr: status === 0 ? '' : stderr }).toEqual({ args, status: 0, stderr: '' });
}

function createRepository(folder: string, remote?: string): void {
  git(folder, 'init', '-q', '-b', 'main');
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote);
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
}

/** Git writes paths without symbolic links. */
const newFolder = (): string => realpathSync(temporaryFolder());

describe('readPlace', () => {
  it('finds the enclosing repository and its remote origin, also from a worktree', () => {
    const root = newFolder();
    const [main, tree] = [join(root, 'main'), join(root, 'tree')];
    createRepository(main, 'git@github.com:owner/name.git');
    git(main, 'remote', 'add', 'fork', 'git@github.com:other/name.git');
    git(main, 'worktree', 'add', '-q', '-b', 'fix', tree);
    const repository = { folder: main, remote: 'github.com/owner/name' };
    expect(readPlace(join(main, 'below'))).toMatchObject({
      repository,
      branch: 'main',
      mainFolder: join(main, 'below'),
    });
    expect(readPlace(join(tree, 'below'))).toMatchObject({
      repository,
      branch: 'fix',
      mainFolder: join(main, 'below'),
    });
    expect(readPlace(root)).toMatchObject({ repository: null, branch: null, mainFolder: root });
  });

  it('lets a link or an exclusion of a repository without a remote apply to its worktrees, which comes before that of a folder around them', () => {
    const root = newFolder();
    const [main, tree] = [join(root, 'main'), join(root, 'trees', 'fix')];
    createRepository(main);
    git(main, 'worktree', 'add', '-q', tree);
    const linkOf = (links: Record<string, string | null>): unknown =>
      resolveProjectLink(readPlace(join(tree, 'src')), links);
    expect(linkOf({ [main]: 'x' })).toEqual({ kind: 'project', project: 'x', by: main });
    expect(linkOf({ [join(main, 'src')]: null, [main]: 'x' })).toMatchObject({ kind: 'none' });
    expect(linkOf({ [main]: null, [join(root, 'trees')]: 'y' })).toMatchObject({ kind: 'none' });
    expect(linkOf({ [main]: 'x', [tree]: null })).toMatchObject({ kind: 'none' });
    expect(linkOf({ [join(root, 'trees')]: 'y' })).toMatchObject({ project: 'y' });
  });

  it('counts the worktrees of a bare repository as one repository', () => {
    const root = newFolder();
    const [first, bare] = [join(root, 'first'), join(root, 'name.git')];
    createRepository(first);
    git(root, 'clone', '-q', '--bare', first, bare);
    for (const name of ['a', 'b']) git(bare, 'worktree', 'add', '-q', '-b', name, join(root, name));
    const [a, b] = [readPlace(join(root, 'a')), readPlace(join(root, 'b'))];
    expect(a.repository).toEqual({ folder: bare, remote: null });
    expect(b.repository).toEqual(a.repository);
    expect(a.repository && getRepositoryName(a.repository)).toBe('name');
  });

  it('counts a submodule as part of the repository that contains it, unless its own remote is linked', () => {
    const root = newFolder();
    const [library, main] = [join(root, 'library'), join(root, 'main')];
    createRepository(library);
    createRepository(main, 'git@github.com:owner/main.git');
    git(main, 'submodule', '--quiet', 'add', library, 'library');
    git(join(main, 'library'), 'remote', 'set-url', 'origin', 'git@github.com:owner/library.git');
    const place = readPlace(join(main, 'library'));
    expect(place.repository).toEqual({ folder: main, remote: 'github.com/owner/main' });
    const links = { 'github.com/owner/main': 'main' };
    expect(resolveProjectLink(place, links)).toMatchObject({ project: 'main' });
    expect(resolveProjectLink(place, { ...links, 'github.com/owner/library': null })).toMatchObject({
      kind: 'none',
    });
  });

  it('reads a repository whose git folder is elsewhere', () => {
    const root = newFolder();
    const main = join(root, 'main');
    git(main, 'init', '-q', '-b', 'main', `--separate-git-dir=${join(root, 'elsewhere')}`);
    git(main, 'remote', 'add', 'origin', 'git@github.com:owner/name.git');
    expect(readPlace(main)).toMatchObject({
      repository: { folder: main, remote: 'github.com/owner/name' },
      mainFolder: main,
      branch: 'main',
    });
  });

  it('ignores a file or folder .git that is no repository', () => {
    const root = newFolder();
    const [main, empty] = [join(root, 'main'), join(root, 'main', 'empty')];
    createRepository(main);
    mkdirSync(join(empty, '.git'), { recursive: true });
    expect(readPlace(empty).repository).toEqual({ folder: main, remote: null });
    rmSync(join(main, '.git', 'HEAD'));
    expect(readPlace(empty).repository).toBeNull();
  });
});
