import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';

/** Follows every link, picture and script of a built site to a file of it, and to an element where an anchor is named. */
export function brokenLinks(folder: string, base = '/'): { links: number; broken: string[] } {
  const start = new URL(base.replace(/\/*$/, '/'), 'https://site.invalid');
  const files = new Set(globSync('**/*.*', { cwd: folder }));
  const pages = [...files].filter((file) => file.endsWith('.html'));
  const documents = new Map(
    pages.map((page) => [page, parseHTML(readFileSync(join(folder, page), 'utf8')).document]),
  );
  const broken: string[] = [];
  let links = 0;
  for (const [page, document] of documents)
    for (const element of document.querySelectorAll('[href], [src]')) {
      const link = element.getAttribute('href') ?? element.getAttribute('src') ?? '';
      const { origin, pathname, hash } = new URL(link, new URL(page, start));
      if (origin !== start.origin) continue;
      links += 1;
      const target = decodeURI(pathname)
        .replace(start.pathname, '')
        .replace(/(?<=^|\/)$/, 'index.html');
      const anchor = decodeURIComponent(hash.slice(1));
      if (!files.has(target)) broken.push(`${page} leads to ${link}, which is not there`);
      else if (anchor !== '' && documents.get(target)?.getElementById(anchor) === null)
        broken.push(`${page} leads to ${link}, which has no such heading`);
    }
  return { links, broken };
}
