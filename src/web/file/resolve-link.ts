import type { Tree } from '../tree/build-tree.ts';

export type LinkTarget =
  | { kind: 'file'; path: string; hash: string }
  | { kind: 'missing'; path: string }
  | { kind: 'outside'; url: string }
  | { kind: 'here'; hash: string }
  | { kind: 'nowhere' };

/** Where a link in a note leads. Nothing but pages, mail and files of the vault can be reached. */
export function resolveLink(url: string, from: string, tree: Tree | undefined): LinkTarget {
  if (url.startsWith('#')) return { kind: 'here', hash: url.slice(1) };
  if (/^(?:https?:|mailto:)/i.test(url)) return { kind: 'outside', url };
  if (/^[a-z][a-z\d+.-]*:/i.test(url) || url.startsWith('//')) return { kind: 'nowhere' };
  const [target = '', hash = ''] = url.split('#');
  const path = joinPath(from, decoded(target.split('?')[0] ?? ''));
  return path === null ? { kind: 'nowhere' } : existing(path, hash, tree);
}

/** `[[name]]` names a file without its folder; `[[folder/name]]` with it. The nearest one is meant. */
export function resolveWikilink(text: string, from: string, tree: Tree | undefined): LinkTarget {
  const [name = '', hash = ''] = text.split('#');
  const wanted = name.trim().replace(/^vault\//, '');
  if (wanted === '') return { kind: 'here', hash };
  const names = [wanted, `${wanted}.md`].map((each) => each.toLowerCase());
  const found = tree?.files.filter(({ path }) => {
    const lower = path.toLowerCase();
    return names.some((each) => lower === each || lower.endsWith(`/${each}`));
  });
  const nearest = found?.toSorted((a, b) => distance(a.path, from) - distance(b.path, from))[0];
  if (nearest !== undefined) return { kind: 'file', path: nearest.path, hash };
  return { kind: 'missing', path: /\.\w+$/.test(wanted) ? wanted : `${wanted}.md` };
}

/** From the folder of a file; null when it leads out of the vault. */
export function joinPath(from: string, target: string): string | null {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

function existing(path: string, hash: string, tree: Tree | undefined): LinkTarget {
  const isThere = tree === undefined || tree.byPath.has(path);
  if (isThere) return { kind: 'file', path, hash };
  const withEnding = `${path}.md`;
  return tree.byPath.has(withEnding) ? { kind: 'file', path: withEnding, hash } : { kind: 'missing', path };
}

/** How many folders lie between two files. */
function distance(a: string, b: string): number {
  const [one, other] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)];
  const shared = one.findIndex((part, index) => part !== other[index]);
  return one.length + other.length - 2 * (shared < 0 ? one.length : shared);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
