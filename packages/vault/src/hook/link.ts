import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What a folder belongs to: a project, none by the word of the person, or nothing that is known. */
export type Linked =
  | { kind: 'project'; project: string; by: string }
  | { kind: 'none'; by: string }
  | { kind: 'unknown' };

/** A link of the folder or the nearest above it, else one of its repository. */
export function linkOf(
  folder: string,
  remote: string | null,
  links: Readonly<Record<string, string | null>>,
): Linked {
  const by = [...foldersAround(folder), ...(remote === null ? [] : [remote])].find((key) =>
    Object.hasOwn(links, key),
  );
  if (by === undefined) return { kind: 'unknown' };
  const project = links[by];
  return project == null ? { kind: 'none', by } : { kind: 'project', project, by };
}

/** Where the repository of a folder comes from, as `github.com/owner/name`; null where that is not known. */
export function remoteOf(folder: string): string | null {
  for (const around of foldersAround(folder)) {
    const config = configOf(join(around, '.git'));
    if (config === null) continue;
    const section = /^\[remote "origin"\]\s*$([^[]*)/m.exec(config)?.[1] ?? '';
    const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section)?.[1];
    return url === undefined ? null : normalised(url);
  }
  return null;
}

/** Without scheme, user, port, ending and case: the same for every way to reach it. A path on this machine is none. */
export function normalised(url: string): string | null {
  const [, host, path] =
    /^[a-z+]+:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(url) ??
    /^(?:[^/@]+@)?([^/:]{2,}):(.+)$/.exec(url) ??
    [];
  if (host === undefined || path === undefined) return null;
  return `${host}/${path.replace(/^\/+/, '').replace(/\/*(?:\.git)?\/*$/, '')}`.toLowerCase();
}

/** A worktree leads to the repository it belongs to. */
function configOf(git: string): string | null {
  try {
    if (statSync(git).isDirectory()) return readFileSync(join(git, 'config'), 'utf8');
    const named = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1];
    if (named === undefined) return null;
    const own = resolve(dirname(git), named);
    const common = resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim());
    return readFileSync(join(common, 'config'), 'utf8');
  } catch {
    return null;
  }
}

function foldersAround(folder: string): string[] {
  const above: string[] = [];
  for (let at = resolve(folder); above.at(-1) !== at; at = dirname(at)) above.push(at);
  return above;
}
