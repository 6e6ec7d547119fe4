import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readPrefix } from './read-prefix.ts';

/** How a folder relates to projects: linked to one, excluded by the user, or unknown. */
export type ProjectLink =
  | { kind: 'project'; project: string; by: string }
  | { kind: 'none'; by: string }
  | { kind: 'unknown' };

/** Resolves the link of the folder or its nearest linked ancestor, otherwise that of its repository. */
export function resolveProjectLink(
  folder: string,
  remote: string | null,
  links: Readonly<Record<string, string | null>>,
): ProjectLink {
  const by = [...listAncestors(folder), ...(remote === null ? [] : [remote])].find((key) =>
    Object.hasOwn(links, key),
  );
  if (by === undefined) return { kind: 'unknown' };
  const project = links[by];
  return project == null ? { kind: 'none', by } : { kind: 'project', project, by };
}

/** The `origin` of the folder's repository as `github.com/owner/name`; null if unknown. */
export function readGitRemote(folder: string): string | null {
  for (const around of listAncestors(folder)) {
    const config = readGitConfig(join(around, '.git'));
    if (config === null) continue;
    const section = /^\[remote "origin"\]\s*$([^[]*)/m.exec(config)?.[1] ?? '';
    const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section)?.[1];
    return url === undefined ? null : normalizeRemoteUrl(url);
  }
  return null;
}

/** The checked-out branch of the folder's repository; null if there is none. */
export function readGitBranch(folder: string): string | null {
  for (const around of listAncestors(folder)) {
    const git = join(around, '.git');
    try {
      const gitFolder = statSync(git).isDirectory() ? git : readWorktreeFolder(git);
      const head = gitFolder === null ? '' : readPrefix(join(gitFolder, 'HEAD'), maxHeadBytes);
      return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? null;
    } catch {
      // Not a repository; a parent folder may be one.
    }
  }
  return null;
}

const maxHeadBytes = 1_024;

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

const maxGitConfigBytes = 64 * 1024;

/** Follows a worktree to its main repository. */
function readGitConfig(git: string): string | null {
  try {
    if (statSync(git).isDirectory()) return readPrefix(join(git, 'config'), maxGitConfigBytes);
    const worktreeGit = readWorktreeFolder(git);
    if (worktreeGit === null) return null;
    const common = resolve(worktreeGit, readPrefix(join(worktreeGit, 'commondir'), maxGitConfigBytes).trim());
    return readPrefix(join(common, 'config'), maxGitConfigBytes);
  } catch {
    return null;
  }
}

function readWorktreeFolder(git: string): string | null {
  const named = /^gitdir: (.+)$/m.exec(readPrefix(git, maxGitConfigBytes))?.[1];
  return named === undefined ? null : resolve(dirname(git), named);
}

function listAncestors(folder: string): string[] {
  const above: string[] = [];
  for (let at = resolve(folder); above.at(-1) !== at; at = dirname(at)) above.push(at);
  return above;
}
