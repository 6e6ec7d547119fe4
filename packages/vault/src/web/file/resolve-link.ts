import {
  resolveWikilinkTargets,
  resolvePathTarget,
  resolvePath,
  parseLinkDestination,
} from '../../contract/index.ts';
import type { Tree } from '../tree/build-tree.ts';

export type LinkTarget =
  | { kind: 'file'; path: string; hash: string }
  /** Several files match equally well, and the user has to choose. */
  | { kind: 'several'; link: string; from: string; paths: string[] }
  | { kind: 'missing'; path: string }
  | { kind: 'outside'; url: string }
  | { kind: 'here'; hash: string }
  | { kind: 'nowhere' };

/** Resolves a link in a note. Only web pages, mail addresses and files of the vault are allowed as targets. */
export function resolveLink(url: string, from: string, tree: Tree | undefined): LinkTarget {
  if (/^(?:https?:|mailto:)/i.test(url)) return { kind: 'outside', url };
  const address = parseLinkDestination(url);
  if (address === null) return { kind: 'nowhere' };
  const hash = address.anchor.slice(1);
  if (address.target === '') return { kind: 'here', hash };
  // A question mark may be part of the file name or start a query.
  const withoutQuery = parseLinkDestination(url.split(/[?#]/)[0] ?? '')?.target ?? '';
  for (const target of [address.target, withoutQuery]) {
    const found = resolvePathTarget(target, from, (path) => tree?.byPath.get(path)?.path);
    if (found !== null) return { kind: 'file', path: found, hash };
  }
  const path = resolvePath(from, withoutQuery);
  if (path === null) return { kind: 'nowhere' };
  return tree === undefined ? { kind: 'file', path, hash } : { kind: 'missing', path };
}

/** Resolves `[[name]]` or `[[folder/name]]` to the nearest matching file, if there is exactly one. */
export function resolveWikilink(text: string, from: string, tree: Tree | undefined): LinkTarget {
  const [, name = '', anchor = ''] = /^([^#^]*)(.*)$/s.exec(text) ?? [];
  const hash = anchor.replace(/^#/, '');
  const target = name.trim().replace(/^(?:vault)?\//, '');
  if (target === '') return { kind: 'here', hash };
  const paths = resolveWikilinkTargets(name, from, tree?.files.map(({ path }) => path) ?? []);
  const [found, ...others] = paths;
  if (found !== undefined)
    return others.length === 0
      ? { kind: 'file', path: found, hash }
      : { kind: 'several', link: text, from, paths };
  return { kind: 'missing', path: /\.\w+$/.test(target) ? target : `${target}.md` };
}
