import { createLinkResolver, linkKey, relativePath, rewriteLinks } from '../contract/index.ts';
import type { LinkResolver, Moves } from '../contract/index.ts';
import {
  toRelativePath,
  decodeText,
  walkFilePaths,
  fileKindOf,
  isToolMemory,
  extractLinkKeys,
  baseName,
  readOriginal,
  setOriginal,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { readAnchors } from './read-anchors.ts';
import type { WriteRun } from './run.ts';

/** The number of updated links, and the new content of the files that contain them. */
export type RelinkResult = { links: number; files: ReadonlyMap<VaultPath, Buffer> };

/**
 * Updates links so that each one refers to the same file as before the moves: links to the moved files, links in them, and
 * wikilinks that would now resolve to one of them. Call it right after the moves are staged.
 */
export async function updateLinks(
  run: WriteRun,
  moves: ReadonlyMap<VaultPath, VaultPath>,
  /** Limits the update to these files, which were not moved. */
  only?: readonly VaultPath[],
): Promise<RelinkResult> {
  const destinations = new Map(
    [...moves].map(([before, after]) => [toRelativePath(before), toRelativePath(after)]),
  );
  const cameFrom = new Map([...destinations].map(([before, after]) => [after, before]));
  const names = new Set([...destinations].flat().map(linkKey));
  const moved = [...moves.values()].filter((path) => fileKindOf(baseName(path)) === 'markdown');
  const notes = await readTexts(
    run,
    new Set(
      (only ?? [...moved, ...(await run.view.findLinkingNotes(names))]).filter((path) => !isToolMemory(path)),
    ),
  );
  for (const path of moved) {
    const note = notes.get(path);
    if (note !== undefined) for (const name of extractLinkKeys(note.bytes)) names.add(name);
  }
  const paths = await findByLinkKey(run, names);
  const formerly = paths.map((path) => cameFrom.get(path) ?? path);
  const { hasAnchorBefore, hasAnchorAfter } = await anchorsIn(run, notes, {
    paths,
    formerly,
    to: destinations,
  });
  const after = createLinkResolver(paths, { hasAnchor: hasAnchorAfter });
  const before = createLinkResolver(formerly, { hasAnchor: hasAnchorBefore });
  const files = new Map<VaultPath, Buffer>();
  let links = 0;
  for (const [path, { bytes, text }] of notes) {
    const note = cameFrom.get(toRelativePath(path)) ?? toRelativePath(path);
    const linked = rewriteLinks(text, note, { destinations, before, after });
    const whole = rewriteOriginal(linked.text, note, { destinations, before, after });
    if (whole === text) continue;
    const staged = run.transaction.relink(path, bytes, whole);
    if (!staged.ok) continue;
    files.set(path, staged.bytes);
    links += linked.rewritten + (whole === linked.text ? 0 : 1);
  }
  return { links, files };
}

/** Unstages the changes of these files and updates links again for the remaining moves. */
export async function unstageAndUpdateLinks(run: WriteRun, paths: readonly VaultPath[]): Promise<void> {
  const all = [...paths, ...run.transaction.relinked()];
  run.transaction.unstage(all);
  await updateLinks(run, run.transaction.moves(), all);
}

/** Creates a resolver for the files with one of these names. */
export async function createLinkResolverFor(
  run: WriteRun,
  names: ReadonlySet<string>,
): Promise<LinkResolver> {
  return createLinkResolver(await findByLinkKey(run, names));
}

async function findByLinkKey({ view }: WriteRun, names: ReadonlySet<string>): Promise<string[]> {
  const paths = [...walkFilePaths(await view.contents())];
  return paths.filter((path) => names.has(linkKey(baseName(path)))).map(toRelativePath);
}

type Note = { bytes: Buffer; text: string };

/** Reads the anchors of the files that links may refer to; they can be queried by the old and the new paths. */
async function anchorsIn(
  { view }: WriteRun,
  notes: ReadonlyMap<VaultPath, Note>,
  { paths, formerly, to }: { paths: string[]; formerly: string[]; to: ReadonlyMap<string, string> },
) {
  const [now, then] = [createLinkResolver(paths), createLinkResolver(formerly)];
  const cameFrom = new Map([...to].map(([before, after]) => [after, before]));
  const currentPath = (path: string): string => to.get(path) ?? path;
  const hasAnchorAfter = await readAnchors(
    view,
    [...notes].map(([path, { text }]) => ({ path: toRelativePath(path), text })),
    {
      candidates: (link, from) => {
        const former = then.candidates(link, cameFrom.get(from) ?? from).map(currentPath);
        return [...new Set([...now.candidates(link, from), ...former])];
      },
    },
  );
  const hasAnchorBefore = (path: string, anchor: string): boolean =>
    hasAnchorAfter(currentPath(path), anchor);
  return { hasAnchorBefore, hasAnchorAfter };
}

/** Skips files that are missing, too large or not text. */
async function readTexts({ view }: WriteRun, paths: Iterable<VaultPath>): Promise<Map<VaultPath, Note>> {
  const texts = new Map<VaultPath, Note>();
  for (const path of paths) {
    const read = await view.read(path);
    const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
    if (read.kind === 'file' && decoded?.kind === 'text')
      texts.set(path, { bytes: read.bytes, text: decoded.text });
  }
  return texts;
}

function rewriteOriginal(text: string, note: string, { destinations, before, after }: Moves): string {
  const target = readOriginal(text);
  const file = target === null ? null : before.resolve({ kind: 'path', target }, note);
  if (target === null || file === null) return text;
  const [from, present] = [destinations.get(note) ?? note, destinations.get(file) ?? file];
  return after.resolve({ kind: 'path', target }, from) === present
    ? text
    : setOriginal(text, relativePath(from, present));
}
