import { createLinkTargets, linkName, linksIn } from '../contract/index.ts';
import { belowRoot, decodeText, filePathsBelow, nameOf, splitLines } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import { readAnchors } from './read-anchors.ts';

/** A note that leads to another one, and the first line in which it does. */
export type Backlink = { path: VaultPath; line: number; text: string };

/** The notes that link to a file, at most so many, each once. Read are those that link by its name. */
export async function backlinksTo(view: VaultView, target: VaultPath, most: number): Promise<Backlink[]> {
  const name = linkName(nameOf(target));
  const candidates = (await view.linking(new Set([name]))).filter((path) => path !== target).toSorted();
  if (candidates.length === 0) return [];
  const named = [...filePathsBelow(await view.contents())].filter((path) => linkName(nameOf(path)) === name);
  const paths = named.map(belowRoot);
  const byName = createLinkTargets(paths);
  const found: Backlink[] = [];
  for (const path of candidates) {
    if (found.length === most) break;
    const read = await view.read(path);
    const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
    if (decoded?.kind !== 'text') continue;
    const from = belowRoot(path);
    const hasAnchor = await readAnchors(view, [{ path: from, text: decoded.text }], byName);
    const targets = createLinkTargets(paths, { hasAnchor });
    // A link that may mean several files is one to each of them.
    const link = linksIn(decoded.text).find((each) =>
      targets.candidates(each, from).includes(belowRoot(target)),
    );
    if (link === undefined) continue;
    const text = splitLines(decoded.text)[link.line - 1] ?? '';
    found.push({ path, line: link.line, text: text.trim().slice(0, 300) });
  }
  return found;
}
