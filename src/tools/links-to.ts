import { createLinkTargets, linksIn } from '../contract/index.ts';
import { belowRoot, decodeText, filePathsBelow, kindOf, nameOf, showPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { WriteRun } from './run.ts';

const mostListed = 20;

/** Lines in other files that point to one of these paths; they are listed, not rewritten. */
export async function linksTo(run: WriteRun, moved: ReadonlySet<VaultPath>): Promise<string> {
  const paths = [...filePathsBelow(await run.view.contents())];
  const targets = createLinkTargets(paths.map(belowRoot));
  const aims = new Set([...moved].map(belowRoot));
  const found = new Set<string>();
  for (const path of paths) {
    if (moved.has(path) || kindOf(nameOf(path)) !== 'markdown') continue;
    for (const link of linksIn(await textOf(run, path))) {
      const aim = targets.find(link, belowRoot(path));
      if (aim !== null && aims.has(aim)) found.add(`${showPath(path)} line ${link.line}`);
    }
  }
  if (found.size === 0) return '';
  const more = found.size > mostListed ? ` and ${found.size - mostListed} more` : '';
  return `links to the old place: ${[...found].slice(0, mostListed).join(', ')}${more}`;
}

async function textOf({ view }: WriteRun, path: VaultPath): Promise<string> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : '';
}
