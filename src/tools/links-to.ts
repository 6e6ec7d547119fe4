import { childPath, decodeText, kindOf, linksIn, nameOf, showPath } from '../vault/index.ts';
import type { FolderEntry, VaultPath } from '../vault/index.ts';
import type { WriteRun } from './run.ts';

const mostListed = 20;

/** Lines in other files that point to one of these paths; they are listed, not rewritten. */
export async function linksTo(run: WriteRun, moved: ReadonlySet<VaultPath>): Promise<string> {
  const names = new Set([...moved].map((path) => nameOf(path).replace(/\.md$/, '')));
  const found = new Set<string>();
  for (const path of markdownIn(await run.view.contents())) {
    if (moved.has(path)) continue;
    const text = await textOf(run, path);
    for (const { line, target } of linksIn(text, path)) {
      const isHit =
        typeof target === 'string' ? moved.has(target) : names.has(target.name.replace(/\.md$/, ''));
      if (isHit) found.add(`${showPath(path)} line ${line}`);
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

function* markdownIn(folder: FolderEntry): Generator<VaultPath> {
  for (const name of folder.files.keys()) if (kindOf(name) === 'markdown') yield childPath(folder.path, name);
  for (const child of folder.folders.values()) yield* markdownIn(child);
}
