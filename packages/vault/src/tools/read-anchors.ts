import { hasAnchor, parseLinks } from '../contract/index.ts';
import type { LinkResolver } from '../contract/index.ts';
import { extractBody, decodeText, parseVaultPath, rootPath } from '../vault/index.ts';
import type { VaultView } from '../vault/index.ts';

/** If more files than this have the same name, their headings are not read. */
const maxCandidates = 50;

/**
 * Returns a function that tells whether a file has a heading or block. Reads only the candidates of ambiguous links in these
 * notes, each once.
 */
export async function readAnchors(
  view: VaultView,
  notes: Iterable<{ path: string; text: string }>,
  targets: Pick<LinkResolver, 'candidates'>,
): Promise<(path: string, anchor: string) => boolean> {
  const ambiguous = new Set<string>();
  for (const { path, text } of notes)
    for (const link of parseLinks(text)) {
      const found = link.kind === 'wiki' && link.anchor !== '' ? targets.candidates(link, path) : [];
      if (found.length > 1 && found.length <= maxCandidates) for (const each of found) ambiguous.add(each);
    }
  const bodies = new Map<string, string>();
  for (const path of ambiguous) {
    const parsed = parseVaultPath(`${rootPath}/${path}`);
    const read = parsed.ok ? await view.read(parsed.path) : null;
    const decoded = read?.kind === 'file' ? decodeText(read.bytes) : null;
    if (decoded?.kind === 'text') bodies.set(path, extractBody(decoded.text));
  }
  return (path, anchor) => {
    const body = bodies.get(path);
    return body !== undefined && hasAnchor(body, anchor);
  };
}
