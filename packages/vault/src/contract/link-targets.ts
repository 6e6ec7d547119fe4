import type { MarkdownLink } from './markdown-links.ts';

/** A link in a note; without an anchor it leads to a whole file. */
type Link = Pick<MarkdownLink, 'kind' | 'target'> & Partial<Pick<MarkdownLink, 'anchor'>>;

/** Files that links can lead to. All paths are below one root, without a slash in front. */
export type LinkTargets = {
  /** The file that a link in another one leads to; null when it is none of these, or may be any of several. */
  find(link: Link, from: string): string | null;
  /** Every file that the link may mean, in the order of their paths: one unless it is ambiguous, none when it leads nowhere. */
  candidates(link: Link, from: string): string[];
};

type Options = {
  /** False when the files are below some folder, so that only links from one to the other can lead to them. */
  isRoot?: boolean;
  /** Whether a file has the heading or block that a link names; asked only to choose among several files of one name. */
  hasAnchor?: (path: string, anchor: string) => boolean;
};

export function createLinkTargets(
  paths: Iterable<string>,
  { isRoot = true, hasAnchor = () => false }: Options = {},
): LinkTargets {
  const byPath = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    byPath.set(path.normalize('NFC'), path);
    const name = linkName(path);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else same.push(path);
  }
  const candidates: LinkTargets['candidates'] = ({ kind, target, anchor = '' }, from) => {
    if (kind === 'path') {
      const found = findPath(target, from, (path) => byPath.get(path), { isRoot });
      return found === null ? [] : [found];
    }
    if (!isRoot && target.trim().startsWith('/')) return [];
    const named = findNames(target, from, byName.get(linkName(target)) ?? []);
    const having = named.length > 1 && anchor !== '' ? named.filter((path) => hasAnchor(path, anchor)) : [];
    return having.length > 0 ? having : named;
  };
  return {
    candidates,
    find(link, from) {
      const [first = null, ...others] = candidates(link, from);
      return others.length === 0 ? first : null;
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
 * The files that a wikilink may mean: its name with folders before it or not, with or without `.md`, in upper or lower case;
 * with `/` in front its whole path. Of several the nearest counts: with the fewest folders between them, so first of all one in the
 * same folder; of those with as many, one spelt alike, then one whose whole path the link names, then one that needs no `.md`,
 * then one that shares more folders, as in the same project. Where more than one is left, all of them are given, in the order of their paths.
 */
export function findNames(name: string, from: string, paths: readonly string[]): string[] {
  const wanted = name.trim().normalize('NFC');
  if (wanted === '') return [];
  const isWhole = wanted.startsWith('/');
  const start = isWhole ? '' : '/';
  const spelt = [`${start}${wanted}`, `${start}${wanted}.md`];
  const folded = spelt.map((each) => each.toLowerCase());
  const is = (path: string, end: string): boolean => (isWhole ? path === end : path.endsWith(end));
  let nearest: { paths: string[]; rank: number[] } | null = null;
  for (const path of paths) {
    const whole = `/${path.normalize('NFC')}`;
    const lower = whole.toLowerCase();
    if (!folded.some((end) => is(lower, end))) continue;
    const { far, shared } = isWhole ? { far: 0, shared: 0 } : distance(path, from);
    const isSpeltAlike = spelt.some((end) => is(whole, end));
    const isAllOfIt = folded.includes(lower);
    const isWithEnding = is(lower, folded[0] ?? '');
    const rank = [far, Number(!isSpeltAlike), Number(!isAllOfIt), Number(!isWithEnding), -shared];
    const order = nearest === null ? -1 : compareRanks(rank, nearest.rank);
    if (order < 0) nearest = { paths: [path], rank };
    else if (order === 0) nearest?.paths.push(path);
  }
  if (nearest !== null) return nearest.paths.toSorted();
  // As paths are shown to people and models.
  return wanted.startsWith('vault/') ? findNames(wanted.slice('vault/'.length), from, paths) : [];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
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

/** How many folders are between two files, and how many they share. Counted in place, as names can be those of thousands of files. */
function distance(a: string, b: string): { far: number; shared: number } {
  let [start, shared] = [0, 0];
  for (let index = 0; index < a.length && a[index] === b[index]; index += 1)
    if (a[index] === '/') [start, shared] = [index + 1, shared + 1];
  return { far: slashes(a, start) + slashes(b, start), shared };
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
