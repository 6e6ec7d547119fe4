import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';

/** Checks that every link, image and script of a built site leads to an existing file, and every anchor to an element. */
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
      if (!files.has(target)) broken.push(`${page} links to ${link}, which does not exist`);
      else if (anchor !== '' && documents.get(target)?.getElementById(anchor) === null)
        broken.push(`${page} links to ${link}, which has no such heading`);
    }
  return { links, broken };
}
