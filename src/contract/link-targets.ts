import type { MarkdownLink } from './markdown-links.ts';

/** Files that links can lead to. All paths are below one root, without a slash in front. */
export type LinkTargets = {
  /** The file that a link in another one leads to; null when it is none of these. */
  find(link: Pick<MarkdownLink, 'kind' | 'target'>, from: string): string | null;
};

/** With `isRoot: false` the files lie below some folder, so that only links from one to the other can lead to them. */
export function createLinkTargets(paths: Iterable<string>, { isRoot = true } = {}): LinkTargets {
  const byPath = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    byPath.set(path.normalize('NFC'), path);
    const name = linkName(path);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else same.push(path);
  }
  return {
    find({ kind, target }, from) {
      if (kind === 'path') return findPath(target, from, (path) => byPath.get(path), { isRoot });
      if (!isRoot && target.trim().startsWith('/')) return null;
      return findName(target, from, byName.get(linkName(target)) ?? []);
    },
  };
}

/**
 * What lies at a path that stands in a file, with or without `.md`; where nothing does the path may lead from the root, as
 * some programs write it.
 */
export function findPath(
  target: string,
  from: string,
  lookUp: (path: string) => string | undefined,
  { isRoot = true } = {},
): string | null {
  // What ends in dots is a folder.
  if (target === '' || (!isRoot && target.startsWith('/')) || /(?:^|\/)\.\.?\/*$/.test(target)) return null;
  for (const path of [joinPath(from, target), isRoot ? joinPath('', target) : null]) {
    const found = path === null ? undefined : (lookUp(path) ?? lookUp(`${path}.md`));
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * The file that a wikilink means: its name with folders before it or not, with or without `.md`, in upper or lower case; with
 * `/` in front its whole path. Of several it is the nearest one; of those that are equally near, the one that is spelt alike,
 * and then the one whose path comes first.
 */
export function findName(name: string, from: string, paths: readonly string[]): string | null {
  const wanted = name.trim().normalize('NFC');
  if (wanted === '') return null;
  const isWhole = wanted.startsWith('/');
  const start = isWhole ? '' : '/';
  const spelt = [`${start}${wanted}`, `${start}${wanted}.md`];
  const folded = spelt.map((each) => each.toLowerCase());
  const is = (path: string, end: string): boolean => (isWhole ? path === end : path.endsWith(end));
  let nearest: { path: string; far: number } | null = null;
  for (const path of paths) {
    const whole = `/${path.normalize('NFC')}`;
    const lower = whole.toLowerCase();
    if (!folded.some((end) => is(lower, end))) continue;
    const far = (isWhole ? 0 : distance(path, from)) + (spelt.some((end) => is(whole, end)) ? 0 : 0.5);
    if (nearest === null || far < nearest.far || (far === nearest.far && path < nearest.path))
      nearest = { path, far };
  }
  if (nearest !== null) return nearest.path;
  // As paths are shown to people and models.
  return wanted.startsWith('vault/') ? findName(wanted.slice('vault/'.length), from, paths) : null;
}

/** From the folder of a file, or with `/` in front from the root; null when it leads out of it. */
export function joinPath(from: string, target: string): string | null {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/').normalize('NFC');
}

/** How a file names another one from where it lies. */
export function relativePath(from: string, to: string): string {
  const [here, there] = [from.split('/').slice(0, -1), to.split('/')];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
}

/** How many folders lie between two files. Counted in place, as names can be those of thousands of files. */
function distance(a: string, b: string): number {
  let shared = 0;
  for (let index = 0; index < a.length && a[index] === b[index]; index += 1)
    if (a[index] === '/') shared = index + 1;
  return slashes(a, shared) + slashes(b, shared);
}

function slashes(path: string, start: number): number {
  let count = 0;
  for (let at = path.indexOf('/', start); at >= 0; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

/** By what files and links find each other: a link leads only to a file that has the same one. */
export function linkName(path: string): string {
  let name =
    path
      .split('/')
      .findLast((part) => part.trim() !== '')
      ?.trim() ?? '';
  while (name.slice(-3).toLowerCase() === '.md') name = name.slice(0, -3);
  return name.normalize('NFC').toLowerCase();
}

/** The name of a file in a path or in the target of a link. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
