import { findNames, findPath, joinPath, readAddress } from '../../contract/index.ts';
import type { Tree } from '../tree/build-tree.ts';

export type LinkTarget =
  | { kind: 'file'; path: string; hash: string }
  /** Several files are equally near: the person chooses. */
  | { kind: 'several'; link: string; from: string; paths: string[] }
  | { kind: 'missing'; path: string }
  | { kind: 'outside'; url: string }
  | { kind: 'here'; hash: string }
  | { kind: 'nowhere' };

/** Where a link in a note leads. Nothing but pages, mail and files of the vault can be reached. */
export function resolveLink(url: string, from: string, tree: Tree | undefined): LinkTarget {
  if (/^(?:https?:|mailto:)/i.test(url)) return { kind: 'outside', url };
  const address = readAddress(url);
  if (address === null) return { kind: 'nowhere' };
  const hash = address.anchor.slice(1);
  if (address.target === '') return { kind: 'here', hash };
  // A question mark may be part of a name, or begin a query, as on the web.
  const withoutQuery = readAddress(url.split(/[?#]/)[0] ?? '')?.target ?? '';
  for (const target of [address.target, withoutQuery]) {
    const found = findPath(target, from, (path) => tree?.byPath.get(path)?.path);
    if (found !== null) return { kind: 'file', path: found, hash };
  }
  const path = joinPath(from, withoutQuery);
  if (path === null) return { kind: 'nowhere' };
  return tree === undefined ? { kind: 'file', path, hash } : { kind: 'missing', path };
}

/** `[[name]]` names a file without its folder; `[[folder/name]]` with it. The nearest one is meant, if one is nearest. */
export function resolveWikilink(text: string, from: string, tree: Tree | undefined): LinkTarget {
  const [, name = '', anchor = ''] = /^([^#^]*)(.*)$/s.exec(text) ?? [];
  const hash = anchor.replace(/^#/, '');
  const wanted = name.trim().replace(/^(?:vault)?\//, '');
  if (wanted === '') return { kind: 'here', hash };
  const paths = findNames(name, from, tree?.files.map(({ path }) => path) ?? []);
  const [found, ...others] = paths;
  if (found !== undefined)
    return others.length === 0
      ? { kind: 'file', path: found, hash }
      : { kind: 'several', link: text, from, paths };
  return { kind: 'missing', path: /\.\w+$/.test(wanted) ? wanted : `${wanted}.md` };
}
