import { createLinkResolver } from '../contract/index.ts';
import {
  toRelativePath,
  decodeText,
  formatImageLine,
  fileKindOf,
  parseVaultPath,
  readImageHeader,
  computeRevision,
  splitLines,
} from '../vault/index.ts';
import type { Revision, VaultPath, VaultView } from '../vault/index.ts';
import type { Scored } from './score-chunks.ts';
import type { IndexedChunk } from './chunk-index.ts';
import { countFrontmatterLines, indexedLines } from './chunker.ts';
import type { ImageLink } from './chunker.ts';

/** A chunk together with the current content of its file. */
export type LoadedChunk = Scored<IndexedChunk> & { file: LoadedFile };

export type LoadedFile = {
  lines: string[];
  /** The first line after the frontmatter, counted from 1. */
  bodyStart: number;
  revision: Revision;
};

/**
 * Loads the chunks whose files still match the index, in the given order, and reports the files that have changed
 * since.
 */
export type LoadChunks = (ranked: readonly Scored<IndexedChunk>[]) => Promise<LoadResult>;
type LoadResult = { current: LoadedChunk[]; stale: VaultPath[] };

/** Score factor of an image relative to the note that links to it. */
const imageScoreFactor = 0.8;

/**
 * Returns a chunk only if its file still matches the index. A chunk that describes an image resolves to that image if
 * it exists and is visible. Each file is read once.
 */
export function createChunkLoader(
  view: VaultView,
  {
    images,
    isWanted,
    documentText,
  }: {
    /** All files, of which the images are found by links. */
    images: () => Iterable<VaultPath>;
    isWanted: (path: VaultPath) => boolean;
    /** The text that was extracted from a document. */
    documentText: (revision: Revision) => string | null;
  },
): LoadChunks {
  const files = new Map<VaultPath, Promise<LoadedFile | null>>();
  const fileAt = (path: VaultPath): Promise<LoadedFile | null> => {
    const known = files.get(path) ?? readFile(view, path, documentText);
    files.set(path, known);
    return known;
  };
  const imageOf = createImageResolver(images);
  const lookAt = async (each: Scored<IndexedChunk>): Promise<LoadedChunk | 'stale' | null> => {
    const { kind, path } = each.item;
    const file = await fileAt(path);
    // A file with an image extension but no valid image header is still indexed by its name.
    if (file === null && fileKindOf(path) === 'image') return null;
    if (file === null || !matchesIndex(each.item, file)) return 'stale';
    if (typeof kind !== 'object') return { ...each, file };
    const image = imageOf(kind, path);
    const shown = image !== null && isWanted(image) ? await fileAt(image) : null;
    return image === null || shown === null ? null : toImageChunk(each, image, shown);
  };
  return async (ranked) => {
    const looked = await Promise.all(ranked.map(lookAt));
    const stale = ranked.filter((_, index) => looked[index] === 'stale').map(({ item }) => item.path);
    const current = looked.filter((each) => each !== null && each !== 'stale');
    return { current, stale: [...new Set(stale)] };
  };
}

/** A damaged index may return lines that differ from the stored text. */
function matchesIndex({ path, lines, body, revision }: IndexedChunk, file: LoadedFile): boolean {
  if (fileKindOf(path) === 'image') return true;
  return file.revision === revision && indexedLines(file.lines, lines, file.bodyStart).join('\n') === body;
}

/** Represents the image as a file of one line that names it. */
function toImageChunk(ranked: Scored<IndexedChunk>, path: VaultPath, file: LoadedFile): LoadedChunk {
  const { item, score, lineScores } = ranked;
  const maxScore = (of: 'direct' | 'withNeighbors'): number =>
    lineScores.reduce((best, each) => Math.max(best, each[of]), 0);
  return {
    item: { ...item, path, revision: file.revision, lines: { start: 1, end: 1 }, headings: [] },
    score: imageScoreFactor * score,
    lineScores: [{ direct: maxScore('direct'), withNeighbors: maxScore('withNeighbors') }],
    file,
  };
}

/** Resolves an image link to an existing image. The list of images is built once, when the first link is resolved. */
function createImageResolver(
  paths: () => Iterable<VaultPath>,
): (link: ImageLink, from: VaultPath) => VaultPath | null {
  let targets: ReturnType<typeof createLinkResolver> | null = null;
  return (link, from) => {
    if (fileKindOf(from) === 'image') return from;
    targets ??= createLinkResolver(
      [...paths()].filter((path) => fileKindOf(path) === 'image').map(toRelativePath),
    );
    const found = targets.resolve(link, toRelativePath(from));
    const parsed = found === null ? null : parseVaultPath(found);
    return parsed?.ok === true ? parsed.path : null;
  };
}

async function readFile(
  view: VaultView,
  path: VaultPath,
  documentText: (revision: Revision) => string | null,
): Promise<LoadedFile | null> {
  const read = await view.read(path);
  if (read.kind !== 'file') return null;
  const revision = computeRevision(read.bytes);
  if (fileKindOf(path) === 'image') {
    const header = readImageHeader(read.bytes);
    return header && { lines: [formatImageLine(path, header)], bodyStart: 1, revision };
  }
  if (fileKindOf(path) === 'other') {
    const text = documentText(revision);
    return text === null ? null : toLoadedFile(text, revision);
  }
  const decoded = decodeText(read.bytes);
  if (decoded.kind !== 'text') return null;
  return toLoadedFile(decoded.text, revision);
}

function toLoadedFile(text: string, revision: Revision): LoadedFile {
  return { lines: splitLines(text), bodyStart: countFrontmatterLines(text) + 1, revision };
}
