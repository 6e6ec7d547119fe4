import { createLinkTargets, linkName, relativePath, rewriteLinks } from '../contract/index.ts';
import type { LinkTargets, Moves } from '../contract/index.ts';
import {
  belowRoot,
  decodeText,
  filePathsBelow,
  kindOf,
  linkNamesIn,
  nameOf,
  originalOf,
  withOriginal,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { readAnchors } from './read-anchors.ts';
import type { WriteRun } from './run.ts';

/** How many links were rewritten, and the files that they stand in as they are now. */
export type Relinked = { links: number; files: ReadonlyMap<VaultPath, Buffer> };

/**
 * Makes every link lead to the file that it led to before these were moved: links to them, links in them, and links by name
 * that would lead to one of them now. To be called as soon as they are staged.
 */
export async function relink(
  run: WriteRun,
  moves: ReadonlyMap<VaultPath, VaultPath>,
  /** In these files only, which were not moved. */
  only?: readonly VaultPath[],
): Promise<Relinked> {
  const to = new Map([...moves].map(([before, after]) => [belowRoot(before), belowRoot(after)]));
  const cameFrom = new Map([...to].map(([before, after]) => [after, before]));
  const names = new Set([...to].flat().map(linkName));
  const moved = [...moves.values()].filter((path) => kindOf(nameOf(path)) === 'markdown');
  const notes = await textsOf(run, new Set(only ?? [...moved, ...(await run.view.linking(names))]));
  for (const path of moved) {
    const note = notes.get(path);
    if (note !== undefined) for (const name of linkNamesIn(note.bytes)) names.add(name);
  }
  const paths = await pathsNamed(run, names);
  const formerly = paths.map((path) => cameFrom.get(path) ?? path);
  const { hasAnchorBefore, hasAnchorAfter } = await anchorsIn(run, notes, { paths, formerly, to });
  const after = createLinkTargets(paths, { hasAnchor: hasAnchorAfter });
  const before = createLinkTargets(formerly, { hasAnchor: hasAnchorBefore });
  const files = new Map<VaultPath, Buffer>();
  let links = 0;
  for (const [path, { bytes, text }] of notes) {
    const note = cameFrom.get(belowRoot(path)) ?? belowRoot(path);
    const linked = rewriteLinks(text, note, { to, before, after });
    const whole = rewriteOriginal(linked.text, note, { to, before, after });
    if (whole === text) continue;
    const staged = run.transaction.relink(path, bytes, whole);
    if (!staged.ok) continue;
    files.set(path, staged.bytes);
    links += linked.rewritten + (whole === linked.text ? 0 : 1);
  }
  return { links, files };
}

/** Takes back what is staged for these files; where only links were rewritten, that is done anew for the moves that are left. */
export async function dropAndRelink(run: WriteRun, paths: readonly VaultPath[]): Promise<void> {
  const all = [...paths, ...run.transaction.relinked()];
  run.transaction.drop(all);
  await relink(run, run.transaction.moves(), all);
}

/** What links by one of these names can lead to. */
export async function linkTargets(run: WriteRun, names: ReadonlySet<string>): Promise<LinkTargets> {
  return createLinkTargets(await pathsNamed(run, names));
}

async function pathsNamed({ view }: WriteRun, names: ReadonlySet<string>): Promise<string[]> {
  const paths = [...filePathsBelow(await view.contents())];
  return paths.filter((path) => names.has(linkName(nameOf(path)))).map(belowRoot);
}

type Note = { bytes: Buffer; text: string };

/** Which files have the headings that links name, by what they were called and by what they are called now. */
async function anchorsIn(
  { view }: WriteRun,
  notes: ReadonlyMap<VaultPath, Note>,
  { paths, formerly, to }: { paths: string[]; formerly: string[]; to: ReadonlyMap<string, string> },
) {
  const [now, then] = [createLinkTargets(paths), createLinkTargets(formerly)];
  const cameFrom = new Map([...to].map(([before, after]) => [after, before]));
  const present = (path: string): string => to.get(path) ?? path;
  const hasAnchorAfter = await readAnchors(
    view,
    [...notes].map(([path, { text }]) => ({ path: belowRoot(path), text })),
    {
      candidates: (link, from) => {
        const former = then.candidates(link, cameFrom.get(from) ?? from).map(present);
        return [...new Set([...now.candidates(link, from), ...former])];
      },
    },
  );
  const hasAnchorBefore = (path: string, anchor: string): boolean => hasAnchorAfter(present(path), anchor);
  return { hasAnchorBefore, hasAnchorAfter };
}

/** Without those that are gone, too large or no text. */
async function textsOf({ view }: WriteRun, paths: Iterable<VaultPath>): Promise<Map<VaultPath, Note>> {
  const texts = new Map<VaultPath, Note>();
  for (const path of paths) {
    const read = await view.read(path);
    const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
    if (read.kind === 'file' && decoded?.kind === 'text')
      texts.set(path, { bytes: read.bytes, text: decoded.text });
  }
  return texts;
}

function rewriteOriginal(text: string, note: string, { to, before, after }: Moves): string {
  const target = originalOf(text);
  const aim = target === null ? null : before.find({ kind: 'path', target }, note);
  if (target === null || aim === null) return text;
  const [from, present] = [to.get(note) ?? note, to.get(aim) ?? aim];
  return after.find({ kind: 'path', target }, from) === present
    ? text
    : withOriginal(text, relativePath(from, present));
}
