import { statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readPrefix } from './read-prefix.ts';

/** Where a session runs. A worktree belongs to its repository, and a submodule to the repository that contains it. */
export type Place = {
  folder: string;
  /** The same folder in the main work tree; differs from `folder` only in another worktree. */
  mainFolder: string;
  /** Null outside of git. */
  repository: Repository | null;
  /** The folders and remotes by which it can be linked, nearest first. */
  keys: string[];
  /** The checked-out branch; null if there is none. */
  branch: string | null;
};

export type Repository = {
  /** The main work tree; the repository itself if it is bare. */
  folder: string;
  /** The remote `origin` as `github.com/owner/name`; null if unknown. */
  remote: string | null;
};

/** Reads files of git, and starts no process. */
export function readPlace(folder: string): Place {
  const checkouts = findCheckouts(folder);
  const [nearest, repository] = [checkouts[0], checkouts.at(-1)];
  const mainFolder =
    nearest === undefined || nearest.root === nearest.mainRoot
      ? folder
      : join(nearest.mainRoot, relative(nearest.root, resolve(folder)));
  const above = listAncestors(folder);
  const inCheckout = above.slice(0, above.indexOf(nearest?.root ?? '') + 1);
  const remotes = checkouts.map(({ remote }) => remote).filter((remote) => remote !== null);
  return {
    folder,
    mainFolder,
    repository: repository === undefined ? null : { folder: repository.mainRoot, remote: repository.remote },
    keys: [...new Set([...inCheckout, ...listAncestors(mainFolder), ...above, ...remotes])],
    branch: /^ref: refs\/heads\/(.+)$/m.exec(nearest?.head ?? '')?.[1]?.trim() ?? null,
  };
}

/** The name of a repository: that of its remote, otherwise of its folder. */
export function getRepositoryName({ folder, remote }: Repository): string {
  return basename(remote ?? folder, '.git');
}

/** The folder and the folders around it, nearest first. */
function listAncestors(folder: string): string[] {
  const above: string[] = [];
  for (let at = resolve(folder); above.at(-1) !== at; at = dirname(at)) above.push(at);
  return above;
}

type Checkout = {
  root: string;
  /** The root in the main work tree; the repository itself if it is bare. */
  mainRoot: string;
  head: string;
  remote: string | null;
  isSubmodule: boolean;
};

/** The nearest checkout around a folder; if it is a submodule, the checkouts that contain it follow. */
function findCheckouts(folder: string): Checkout[] {
  const found: Checkout[] = [];
  for (const root of listAncestors(folder)) {
    const checkout = readCheckout(root);
    if (checkout !== null) found.push(checkout);
    if (checkout?.isSubmodule === false) break;
  }
  return found;
}

const maxGitFileBytes = 64 * 1024;

/** Null if the folder is not the root of a checkout. */
function readCheckout(root: string): Checkout | null {
  try {
    const git = join(root, '.git');
    const isFolder = statSync(git).isDirectory();
    const gitFolder = isFolder ? git : resolve(root, readGitFile(git));
    const head = readPrefix(join(gitFolder, 'HEAD'), maxGitFileBytes);
    const commonFolder = resolve(gitFolder, readOrEmpty(join(gitFolder, 'commondir')).trim());
    const isWorktree = commonFolder !== gitFolder;
    const hasMainRoot = basename(commonFolder) === '.git';
    return {
      root,
      mainRoot: !isWorktree ? root : hasMainRoot ? dirname(commonFolder) : commonFolder,
      head,
      remote: readOrigin(readOrEmpty(join(commonFolder, 'config'))),
      // Git keeps the repositories of submodules in the folder `modules` of the containing one.
      isSubmodule: !isFolder && !isWorktree && /[\\/]modules[\\/]/.test(gitFolder),
    };
  } catch {
    return null;
  }
}

/** The folder that a file `.git` names. */
function readGitFile(file: string): string {
  const named = /^gitdir: (.+)$/m.exec(readPrefix(file, maxGitFileBytes))?.[1];
  if (named === undefined) throw new Error(`${file} names no folder`);
  return named;
}

function readOrEmpty(file: string): string {
  try {
    return readPrefix(file, maxGitFileBytes);
  } catch {
    return '';
  }
}

function readOrigin(config: string): string | null {
  const section = /^\[remote "origin"\]\s*$([^[]*)/m.exec(config)?.[1] ?? '';
  const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section)?.[1];
  return url === undefined ? null : normalizeRemoteUrl(url);
}

/**
 * Removes scheme, credentials, port, query and `.git` and lowercases the rest, so that all URLs of a repository are equal. Null for a
 * local path.
 */
export function normalizeRemoteUrl(url: string): string | null {
  const [, host, path] =
    /^[a-z+]+:\/\/(?:[^/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(url) ??
    /^(?:[^/]+@)?([^/:@]{2,}):(.+)$/.exec(url) ??
    [];
  if (host === undefined || path === undefined) return null;
  return `${host}/${path
    .replace(/^\/+/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/*(?:\.git)?\/*$/, '')}`.toLowerCase();
}
