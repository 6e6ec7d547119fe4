import { createLinkTargets } from '../contract/index.ts';
import {
  belowRoot,
  decodeText,
  imageLine,
  kindOf,
  parseVaultPath,
  readImageHeader,
  revisionOf,
  splitLines,
} from '../vault/index.ts';
import type { Revision, VaultPath, VaultView } from '../vault/index.ts';
import type { Ranked } from './rank.ts';
import type { IndexedSection } from './section-index.ts';
import { frontmatterLines, searchedLines } from './sections.ts';
import type { ImageLink } from './sections.ts';

/** A section with its file as it is now. */
export type CurrentSection = Ranked<IndexedSection> & { file: CurrentFile };

export type CurrentFile = {
  lines: string[];
  /** The first line behind the frontmatter. */
  bodyStart: number;
  revision: Revision;
};

/** Gives the current sections of a list, in its order, and tells which files are no longer as they were indexed. */
export type LookAt = (ranked: readonly Ranked<IndexedSection>[]) => Promise<Looked>;
type Looked = { current: CurrentSection[]; stale: VaultPath[] };

/** What an image counts beside the note that shows it. */
const imageShare = 0.8;

/**
 * A section is served only if its file is still the one that was indexed. One that stands for an image becomes that image,
 * if there is one that may be shown. Each file is read once.
 */
export function currentSections(
  view: VaultView,
  images: { paths: () => Iterable<VaultPath>; isWanted: (path: VaultPath) => boolean },
): LookAt {
  const files = new Map<VaultPath, Promise<CurrentFile | null>>();
  const fileAt = (path: VaultPath): Promise<CurrentFile | null> => {
    const known = files.get(path) ?? readFile(view, path);
    files.set(path, known);
    return known;
  };
  const imageOf = createImageFinder(images.paths);
  const lookAt = async (each: Ranked<IndexedSection>): Promise<CurrentSection | 'stale' | null> => {
    const { kind, path } = each.item;
    const file = await fileAt(path);
    // What is called an image and is none is indexed by its name all the same.
    if (file === null && kindOf(path) === 'image') return null;
    if (file === null || !isSame(each.item, file)) return 'stale';
    if (typeof kind !== 'object') return { ...each, file };
    const image = imageOf(kind, path);
    const shown = image !== null && images.isWanted(image) ? await fileAt(image) : null;
    return image === null || shown === null ? null : asImage(each, image, shown);
  };
  return async (ranked) => {
    const looked = await Promise.all(ranked.map(lookAt));
    const stale = ranked.filter((_, index) => looked[index] === 'stale').map(({ item }) => item.path);
    const current = looked.filter((each) => each !== null && each !== 'stale');
    return { current, stale: [...new Set(stale)] };
  };
}

/** A damaged index may name other lines than it holds. */
function isSame({ path, lines, body, revision }: IndexedSection, file: CurrentFile): boolean {
  if (kindOf(path) === 'image') return true;
  return file.revision === revision && searchedLines(file.lines, lines, file.bodyStart).join('\n') === body;
}

/** The image as a file of one line, which names it. */
function asImage(ranked: Ranked<IndexedSection>, path: VaultPath, file: CurrentFile): CurrentSection {
  const { item, score, lineScores } = ranked;
  const most = (of: 'own' | 'near'): number => lineScores.reduce((best, each) => Math.max(best, each[of]), 0);
  return {
    item: { ...item, path, revision: file.revision, lines: { start: 1, end: 1 }, headings: [] },
    score: imageShare * score,
    lineScores: [{ own: most('own'), near: most('near') }],
    file,
  };
}

/** The image that a link leads to, among those there are; they are looked through once, and only when there is a link. */
function createImageFinder(
  paths: () => Iterable<VaultPath>,
): (link: ImageLink, from: VaultPath) => VaultPath | null {
  let targets: ReturnType<typeof createLinkTargets> | null = null;
  return (link, from) => {
    if (kindOf(from) === 'image') return from;
    targets ??= createLinkTargets([...paths()].filter((path) => kindOf(path) === 'image').map(belowRoot));
    const found = targets.find(link, belowRoot(from));
    const parsed = found === null ? null : parseVaultPath(found);
    return parsed?.ok === true ? parsed.path : null;
  };
}

async function readFile(view: VaultView, path: VaultPath): Promise<CurrentFile | null> {
  const read = await view.read(path);
  if (read.kind !== 'file') return null;
  const revision = revisionOf(read.bytes);
  if (kindOf(path) === 'image') {
    const header = readImageHeader(read.bytes);
    return header && { lines: [imageLine(path, header)], bodyStart: 1, revision };
  }
  const decoded = decodeText(read.bytes);
  if (decoded.kind !== 'text') return null;
  return { lines: splitLines(decoded.text), bodyStart: frontmatterLines(decoded.text) + 1, revision };
}
