import type { MarkdownLink } from './markdown-links.ts';

/** A link in a note; without an anchor it refers to a whole file. */
type Link = Pick<MarkdownLink, 'kind' | 'target'> & Partial<Pick<MarkdownLink, 'anchor'>>;

/** Resolves links to a set of files. All paths are relative to one root, without a leading slash. */
export type LinkResolver = {
  /** Returns the file that a link in the note `from` refers to; null when there is none or the link is ambiguous. */
  resolve(link: Link, from: string): string | null;
  /** Returns every file that the link may refer to, sorted by path: several when it is ambiguous, none when it is broken. */
  candidates(link: Link, from: string): string[];
};

type Options = {
  /** False if it is unknown which folder is the root, so that only relative links can refer to the files. */
  allowsRootPaths?: boolean;
  /** Whether a file has the heading or block that a link names; called only to choose among files of the same name. */
  hasAnchor?: (path: string, anchor: string) => boolean;
};

export function createLinkResolver(
  paths: Iterable<string>,
  { allowsRootPaths = true, hasAnchor = () => false }: Options = {},
): LinkResolver {
  const byPath = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    byPath.set(path.normalize('NFC'), path);
    const name = linkKey(path);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else same.push(path);
  }
  const candidates: LinkResolver['candidates'] = ({ kind, target, anchor = '' }, from) => {
    if (kind === 'path') {
      const found = resolvePathTarget(target, from, (path) => byPath.get(path), { allowsRootPaths });
      return found === null ? [] : [found];
    }
    if (!allowsRootPaths && target.trim().startsWith('/')) return [];
    const named = resolveWikilinkTargets(target, from, byName.get(linkKey(target)) ?? []);
    const having = named.length > 1 && anchor !== '' ? named.filter((path) => hasAnchor(path, anchor)) : [];
    return having.length > 0 ? having : named;
  };
  return {
    candidates,
    resolve(link, from) {
      const [first = null, ...others] = candidates(link, from);
      return others.length === 0 ? first : null;
    },
  };
}

/**
 * Resolves a path in a note, with or without `.md`, relative to the note. If there is no such file, the path is tried from the
 * root, because some editors write it that way.
 */
export function resolvePathTarget(
  target: string,
  from: string,
  lookUp: (path: string) => string | undefined,
  { allowsRootPaths = true } = {},
): string | null {
  // A path that ends in `.` or `..` is a folder.
  if (target === '' || (!allowsRootPaths && target.startsWith('/')) || /(?:^|\/)\.\.?\/*$/.test(target))
    return null;
  for (const path of [resolvePath(from, target), allowsRootPaths ? resolvePath('', target) : null]) {
    const found = path === null ? undefined : (lookUp(path) ?? lookUp(`${path}.md`));
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Returns the files that a wikilink may refer to. The name may have leading folders and may omit `.md`; case is ignored; with a
 * leading `/` it is the whole path. Matches are ranked by the number of folders between the note and the file, then by equal
 * case, by whether the link names the whole path, by whether it needs no added `.md`, and by the number of shared folders.
 * Returns all matches of the best rank, sorted by path.
 */
export function resolveWikilinkTargets(name: string, from: string, paths: readonly string[]): string[] {
  const trimmedName = name.trim().normalize('NFC');
  if (trimmedName === '') return [];
  const isWhole = trimmedName.startsWith('/');
  const start = isWhole ? '' : '/';
  const suffixes = [`${start}${trimmedName}`, `${start}${trimmedName}.md`];
  const lowerCaseSuffixes = suffixes.map((each) => each.toLowerCase());
  const matches = (path: string, end: string): boolean => (isWhole ? path === end : path.endsWith(end));
  let nearest: { paths: string[]; rank: number[] } | null = null;
  for (const path of paths) {
    const whole = `/${path.normalize('NFC')}`;
    const lower = whole.toLowerCase();
    if (!lowerCaseSuffixes.some((end) => matches(lower, end))) continue;
    const { foldersBetween, shared } = isWhole ? { foldersBetween: 0, shared: 0 } : distance(path, from);
    const isSameCase = suffixes.some((end) => matches(whole, end));
    const isWholePath = lowerCaseSuffixes.includes(lower);
    const hasExtension = matches(lower, lowerCaseSuffixes[0] ?? '');
    const rank = [foldersBetween, Number(!isSameCase), Number(!isWholePath), Number(!hasExtension), -shared];
    const order = nearest === null ? -1 : compareRanks(rank, nearest.rank);
    if (order < 0) nearest = { paths: [path], rank };
    else if (order === 0) nearest?.paths.push(path);
  }
  if (nearest !== null) return nearest.paths.toSorted();
  // Tool results show paths with `vault/` in front, so users and models write them in links.
  return trimmedName.startsWith('vault/')
    ? resolveWikilinkTargets(trimmedName.slice('vault/'.length), from, paths)
    : [];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Resolves `target` against the folder of `from`, or against the root if it begins with `/`; null when it leaves the root. */
export function resolvePath(from: string, target: string): string | null {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/').normalize('NFC');
}

/** The path of `to` relative to the folder of `from`. */
export function relativePath(from: string, to: string): string {
  const [here, there] = [from.split('/').slice(0, -1), to.split('/')];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
}

/** Counts the folders between two files and those they share. Allocates nothing, because thousands of files may share a name. */
function distance(a: string, b: string): { foldersBetween: number; shared: number } {
  let [start, shared] = [0, 0];
  for (let index = 0; index < a.length && a[index] === b[index]; index += 1)
    if (a[index] === '/') [start, shared] = [index + 1, shared + 1];
  return { foldersBetween: slashes(a, start) + slashes(b, start), shared };
}

function slashes(path: string, start: number): number {
  let count = 0;
  for (let at = path.indexOf('/', start); at >= 0; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

/** The key by which links and files are matched: a link can only resolve to a file with the same key. */
export function linkKey(path: string): string {
  let name =
    path
      .split('/')
      .findLast((part) => part.trim() !== '')
      ?.trim() ?? '';
  while (name.slice(-3).toLowerCase() === '.md') name = name.slice(0, -3);
  return name.normalize('NFC').toLowerCase();
}

/** The last segment of a path or of a link target. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
