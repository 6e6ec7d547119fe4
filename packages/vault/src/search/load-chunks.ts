import { createLinkResolver } from '../contract/index.ts';
import {
  toRelativePath,
  baseName,
  decodeText,
  formatDocumentLine,
  formatImageLine,
  fileKindOf,
  maxTextBytes,
  parseVaultPath,
  readImageHeader,
  computeRevision,
  splitLines,
} from '../vault/index.ts';
import type { Revision, VaultPath, VaultView, ViewFile } from '../vault/index.ts';
import type { DocumentTexts } from './document-texts.ts';
import { openText } from './open-text.ts';
import type { Extraction } from './open-text.ts';
import type { IndexedChunk } from './chunk-index.ts';
import { countFrontmatterLines, indexedLines } from './chunker.ts';
import type { ImageLink } from './chunker.ts';

/** A chunk together with the current content of its file. */
export type LoadedChunk = { item: IndexedChunk; file: LoadedFile };

export type LoadedFile = {
  lines: string[];
  /** The first line after the frontmatter, counted from 1. */
  bodyStart: number;
  revision: Revision;
  /** Of the text of a document. */
  extracted: Extraction | null;
  /** Whether the file has no lines of its own: its only line names it. */
  isNamed: boolean;
};

/**
 * Loads a chunk if its file still matches the index; reports `stale` if the file has changed since, and null if there is nothing to
 * show.
 */
export type LoadChunk = (chunk: IndexedChunk) => Promise<LoadedChunk | 'stale' | null>;

/**
 * Creates a function that loads chunks. A chunk that describes an image resolves to that image if it exists and is visible, as a file
 * of one line that names it. Each file is read once.
 */
export function createChunkLoader(
  view: VaultView,
  {
    images,
    isWanted,
    storedText,
  }: {
    /** All files, of which the images are found by links. */
    images: () => Iterable<VaultPath>;
    isWanted: (path: VaultPath) => boolean;
    /** The text that was extracted from a document. */
    storedText: DocumentTexts['stored'];
  },
): LoadChunk {
  const files = new Map<VaultPath, Promise<LoadedFile | null>>();
  const fileAt = (path: VaultPath): Promise<LoadedFile | null> => {
    const known = files.get(path) ?? readFile(view, path, storedText);
    files.set(path, known);
    return known;
  };
  const imageOf = createImageResolver(images);
  return async (item) => {
    const { kind, path } = item;
    const file = await fileAt(path);
    // A file with an image extension but no valid image header is still indexed by its name.
    if (file === null && fileKindOf(path) === 'image') return null;
    if (file === null || !matchesIndex(item, file)) return 'stale';
    if (typeof kind !== 'object') return { item, file };
    const image = imageOf(kind, path);
    const shown = image !== null && isWanted(image) ? await fileAt(image) : null;
    if (image === null || shown === null) return null;
    const { revision } = shown;
    return {
      item: { ...item, path: image, revision, lines: { start: 1, end: 1 }, headings: [] },
      file: shown,
    };
  };
}

/** A damaged index may return lines that differ from the stored text. */
function matchesIndex({ path, lines, body, revision }: IndexedChunk, file: LoadedFile): boolean {
  if (fileKindOf(path) === 'image') return true;
  if (file.isNamed) return file.revision === revision && body === baseName(path);
  return file.revision === revision && indexedLines(file.lines, lines, file.bodyStart).join('\n') === body;
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

/** Null if the content of the file cannot be shown. */
function readFile(
  view: VaultView,
  path: VaultPath,
  storedText: DocumentTexts['stored'],
): Promise<LoadedFile | null> {
  return view.withEntry(path, async (viewed) => {
    if (viewed.kind !== 'file') return null;
    if (viewed.fileKind === 'image') return loadImage(viewed);
    const opened = await openText(
      viewed,
      async ({ revision }) => storedText(revision) ?? { kind: 'unavailable', reason: 'not extracted yet' },
    );
    if (opened.kind === 'unavailable') return null;
    if (opened.kind === 'no-text')
      return toNamedFile(formatDocumentLine(path, opened.reason), opened.revision);
    const { source, extracted } = opened.file;
    if (source.size > maxTextBytes) return null;
    const bytes = await source.read(0, source.size);
    const decoded = decodeText(bytes);
    if (decoded.kind !== 'text') return null;
    const { text } = decoded;
    const revision = extracted?.revision ?? computeRevision(bytes);
    const bodyStart = countFrontmatterLines(text) + 1;
    return { lines: splitLines(text), bodyStart, revision, extracted, isNamed: false };
  });
}

async function loadImage({ path, source }: ViewFile): Promise<LoadedFile | null> {
  if (source.size > maxTextBytes) return null;
  const bytes = await source.read(0, source.size);
  const header = readImageHeader(bytes);
  return header && toNamedFile(formatImageLine(path, header), computeRevision(bytes));
}

function toNamedFile(line: string, revision: Revision): LoadedFile {
  return { lines: [line], bodyStart: 1, revision, extracted: null, isNamed: true };
}
