import { createLinkResolver, linkKey, parseLinks } from '../contract/index.ts';
import { toRelativePath, decodeText, walkFilePaths, baseName, splitLines } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import { readAnchors } from './read-anchors.ts';

/** A note that links to another one, with the first line that contains the link. */
export type Backlink = { path: VaultPath; line: number; text: string };

/** Finds notes that link to a file, each once. Reads only the notes that contain a link with its name. */
export async function findBacklinks(view: VaultView, target: VaultPath, limit: number): Promise<Backlink[]> {
  const name = linkKey(baseName(target));
  const candidates = (await view.findLinkingNotes(new Set([name])))
    .filter((path) => path !== target)
    .toSorted();
  if (candidates.length === 0) return [];
  const named = [...walkFilePaths(await view.contents())].filter((path) => linkKey(baseName(path)) === name);
  const paths = named.map(toRelativePath);
  const byName = createLinkResolver(paths);
  const found: Backlink[] = [];
  for (const path of candidates) {
    if (found.length === limit) break;
    const read = await view.read(path);
    const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
    if (decoded?.kind !== 'text') continue;
    const from = toRelativePath(path);
    const hasAnchor = await readAnchors(view, [{ path: from, text: decoded.text }], byName);
    const targets = createLinkResolver(paths, { hasAnchor });
    // An ambiguous link counts as a link to each of its candidates.
    const link = parseLinks(decoded.text).find((each) =>
      targets.candidates(each, from).includes(toRelativePath(target)),
    );
    if (link === undefined) continue;
    const text = splitLines(decoded.text)[link.line - 1] ?? '';
    found.push({ path, line: link.line, text: text.trim().slice(0, 300) });
  }
  return found;
}
