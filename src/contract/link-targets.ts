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
    const name = lastPart(fold(path));
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else same.push(path);
  }
  return {
    find({ kind, target }, from) {
      if (kind === 'path') return findPath(target, from, (path) => byPath.get(path), { isRoot });
      const name = lastPart(fold(target.trim()));
      const named = [name, `${name}.md`].flatMap((each) => byName.get(each) ?? []);
      return findName(target, from, named);
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
  if (target === '' || (!isRoot && target.startsWith('/'))) return null;
  for (const path of [joinPath(from, target), isRoot ? joinPath('', target) : null]) {
    const found = path === null ? undefined : (lookUp(path) ?? lookUp(`${path}.md`));
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * The file that a wikilink means: its name with folders before it or not, with or without `.md`, in upper or lower case.
 * Of several it is the nearest one; of those that are equally near, the one that is spelt alike.
 */
export function findName(name: string, from: string, paths: readonly string[]): string | null {
  const wanted = name.trim().normalize('NFC');
  if (wanted === '') return null;
  const spelt = [`/${wanted}`, `/${wanted}.md`];
  const folded = spelt.map((each) => each.toLowerCase());
  let nearest: { path: string; far: number } | null = null;
  for (const path of paths) {
    const whole = `/${path.normalize('NFC')}`;
    const lower = whole.toLowerCase();
    if (!folded.some((end) => lower.endsWith(end))) continue;
    const far = distance(path, from) + (spelt.some((end) => whole.endsWith(end)) ? 0 : 0.5);
    if (nearest === null || far < nearest.far) nearest = { path, far };
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

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** The name of a file in a path or in the target of a link. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
