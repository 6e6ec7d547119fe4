import { hasAnchor, linksIn } from '../contract/index.ts';
import type { LinkTargets } from '../contract/index.ts';
import { bodyOf, decodeText, parseVaultPath, rootPath } from '../vault/index.ts';
import type { VaultView } from '../vault/index.ts';

/** Of more files of one name the headings are not read. */
const maxCandidates = 50;

/**
 * Tells which files have a heading or block, for the links of these notes that several files could be meant by. Only those files are
 * read, each once.
 */
export async function readAnchors(
  view: VaultView,
  notes: Iterable<{ path: string; text: string }>,
  targets: Pick<LinkTargets, 'candidates'>,
): Promise<(path: string, anchor: string) => boolean> {
  const wanted = new Set<string>();
  for (const { path, text } of notes)
    for (const link of linksIn(text)) {
      const found = link.kind === 'wiki' && link.anchor !== '' ? targets.candidates(link, path) : [];
      if (found.length > 1 && found.length <= maxCandidates) for (const each of found) wanted.add(each);
    }
  const bodies = new Map<string, string>();
  for (const path of wanted) {
    const parsed = parseVaultPath(`${rootPath}/${path}`);
    const read = parsed.ok ? await view.read(parsed.path) : null;
    const decoded = read?.kind === 'file' ? decodeText(read.bytes) : null;
    if (decoded?.kind === 'text') bodies.set(path, bodyOf(decoded.text));
  }
  return (path, anchor) => {
    const body = bodies.get(path);
    return body !== undefined && hasAnchor(body, anchor);
  };
}
