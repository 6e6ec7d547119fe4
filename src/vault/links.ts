import { splitLines } from './lines.ts';
import { parentPath, parseVaultPath, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';

/** A place in a text that points to another file. */
export type Link = { line: number; target: VaultPath | { name: string } };

const inline = /\]\(\s*<?([^)>\s]+)/g;
const reference = /^ {0,3}\[[^\]]+\]:\s*<?([^>\s]+)/g;
const wiki = /\[\[([^\]|#]+)/g;

/** Markdown links, resolved from the file they stand in, and wikilinks, which name a file without its folder. */
export function linksIn(text: string, path: VaultPath): Link[] {
  if (!text.includes('](') && !text.includes(']:') && !text.includes('[[')) return [];
  return splitLines(text).flatMap((content, index) => {
    const urls = [...content.matchAll(inline), ...content.matchAll(reference)].map(([, url = '']) =>
      resolveUrl(url, path),
    );
    const names = [...content.matchAll(wiki)].map(([, name = '']) => wikiTarget(name.trim()));
    return [...urls, ...names].flatMap((target) => (target === null ? [] : [{ line: index + 1, target }]));
  });
}

/** Null for what leads out of the vault, or nowhere. */
function resolveUrl(url: string, path: VaultPath): VaultPath | null {
  if (/^[a-z][a-z0-9+.-]*:|^#/i.test(url)) return null;
  const [target = ''] = url.split('#');
  const parts = target.startsWith('/') ? [] : parentPath(path).split('/').slice(1);
  for (const part of decode(target).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const parsed = parseVaultPath([rootPath, ...parts].join('/'));
  return parsed.ok ? parsed.path : null;
}

function wikiTarget(name: string): VaultPath | { name: string } | null {
  if (!name.includes('/')) return { name };
  const parsed = parseVaultPath(name.endsWith('.md') ? name : `${name}.md`);
  return parsed.ok ? parsed.path : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
