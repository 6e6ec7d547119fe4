import { inTurn, localTime } from '../contract/index.ts';
import {
  changelogEntries,
  childPath,
  decodeText,
  fileIn,
  filesBelow,
  largestText,
  markedConflicts,
} from '../vault/index.ts';
import type {
  Catalogue,
  FileEntry,
  FolderEntry,
  Layout,
  Revision,
  VaultPath,
  VaultView,
} from '../vault/index.ts';
import { layoutKeyOf } from './section-index.ts';
import type { IndexedFile, SectionIndex } from './section-index.ts';
import { imageSection, sectionsOf } from './sections.ts';
import type { Section } from './sections.ts';

/** Keeps the index true to the files. */
export type Indexer = {
  /** Compares every file with the index, and indexes what differs. */
  reconcile(onProgress?: (done: number, total: number) => void): Promise<Indexed>;
  /** Indexes these files, of whose change the catalogue knows. */
  update(paths: readonly VaultPath[]): Promise<Indexed>;
  /** The same for files that turned out to have changed: the catalogue looks first. */
  lookAgain(paths: readonly VaultPath[]): Promise<Indexed>;
  /** When everything was last compared, in milliseconds; null before that, and when the vault has other names for its files since. */
  reconciledAt(): number | null;
};

export type Indexed = { files: number; sections: number };

type Parts = { index: SectionIndex; catalogue: Catalogue; view: VaultView; clock: () => number };
type Read = { file: IndexedFile; sections: Section[] | 'same'; replacesIn?: Set<VaultPath> };

/** Read ahead together and written in one transaction, which nobody else may wait for long. */
const batch = { files: 200, bytes: 4_000_000 };

export function createIndexer({ index, catalogue, view, clock }: Parts): Indexer {
  let reconciled: { at: number; layout: string } | null = null;

  /** One batch at a time: what was read before a commit must not be written after it. */
  const indexing = inTurn();

  const indexBatch = async (
    paths: readonly VaultPath[],
    entryOf: (path: VaultPath) => FileEntry | undefined,
    indexed: Indexed,
  ): Promise<number> => {
    const reads: [VaultPath, Read | null][] = [];
    const layout = view.layout();
    for (let bytes = 0; reads.length < batch.files && reads.length < paths.length && bytes < batch.bytes;) {
      const path = paths[reads.length] as VaultPath;
      const read = await readFile(view, index, path, entryOf(path), layout);
      reads.push([path, read]);
      bytes += read?.file.size ?? 0;
    }
    index.batch(() => {
      for (const [path, read] of reads) {
        if (read === null) index.remove(path);
        else if (read.sections === 'same') index.touch(path, read.file);
        else indexed.sections += index.put(path, read.file, read.sections, read.replacesIn).added;
        if (read?.sections !== 'same') indexed.files += 1;
      }
    });
    return reads.length;
  };

  const indexFiles = async (
    paths: readonly VaultPath[],
    entryOf: (path: VaultPath) => FileEntry | undefined,
    onProgress: (done: number) => void,
  ): Promise<Indexed> => {
    const indexed = { files: 0, sections: 0 };
    for (let start = 0; start < paths.length;) {
      start += await indexing(() => indexBatch(paths.slice(start, start + batch.files), entryOf, indexed));
      onProgress(start);
    }
    return indexed;
  };

  const update = async (paths: readonly VaultPath[]): Promise<Indexed> => {
    const contents = await catalogue.contents();
    return indexFiles(
      [...new Set(paths)].filter(view.layout().isSearchable),
      (path) => fileIn(contents, path),
      () => undefined,
    );
  };

  return {
    reconciledAt: () => (reconciled?.layout === layoutKeyOf(view.layout()) ? reconciled.at : null),
    async reconcile(onProgress = () => undefined) {
      const now = clock();
      await catalogue.refresh();
      const layout = view.layout();
      const key = layoutKeyOf(layout);
      if (index.layout() !== key) await indexing(async () => index.beginLayout(key));
      const present = searchableFiles(await catalogue.contents(), layout);
      const changed = [...present].flatMap(([path, entry]) =>
        isUnchanged(index.files().get(path), entry) ? [] : [path],
      );
      const gone = [...index.files().keys()].filter((path) => !present.has(path));
      const all = [...changed, ...gone];
      const indexed = await indexFiles(
        all,
        (path) => present.get(path),
        (done) => onProgress(done, all.length),
      );
      reconciled = { at: now, layout: key };
      return indexed;
    },
    update,
    async lookAgain(paths) {
      for (const path of paths) await catalogue.changed(path);
      return update(paths);
    },
  };
}

function isUnchanged(indexed: IndexedFile | undefined, entry: FileEntry): boolean {
  if (indexed === undefined || entry.ctime === null) return false;
  return indexed.ctime === entry.ctime && indexed.mtime === entry.mtime && indexed.size === entry.size;
}

function searchableFiles(contents: FolderEntry, { isSearchable }: Layout): Map<VaultPath, FileEntry> {
  const found = new Map<VaultPath, FileEntry>();
  for (const { folder, name, entry } of filesBelow(contents)) {
    const path = childPath(folder, name);
    if (isSearchable(path)) found.set(path, entry);
  }
  return found;
}

/** Of an image only the name is indexed; what it holds is read when it is shown. */
const unknownRevision = '' as Revision;

/** Null when there is nothing at the path to be found by its words. */
function readFile(
  view: VaultView,
  index: SectionIndex,
  path: VaultPath,
  entry: FileEntry | undefined,
  layout: Layout,
): Promise<Read | null> {
  return view.look(path, async (viewed) => {
    if (viewed.kind !== 'file' || entry === undefined) return null;
    if (viewed.fileKind === 'image')
      return { file: indexedFile(entry, unknownRevision), sections: [imageSection(path, layout)] };
    if (viewed.source.size > largestText) return null;
    const measure = await viewed.measure();
    if (measure === null) return null;
    const file = indexedFile(entry, measure.revision);
    if (index.files().get(path)?.revision === measure.revision) return { file, sections: 'same' };
    const decoded = decodeText(await viewed.source.read(0, viewed.source.size));
    if (decoded.kind !== 'text') return null;
    // Both sides of what git could not merge: nobody knows which one is true.
    if (markedConflicts(decoded.text).length > 0) return { file, sections: [] };
    const sections = sectionsOf(path, decoded.text, layout);
    return { file, sections, replacesIn: replacesIn(path, decoded.text, layout) };
  });
}

function replacesIn(path: VaultPath, text: string, { isChangelog }: Layout): Set<VaultPath> {
  const entries = isChangelog(path) ? changelogEntries(text) : [];
  return new Set(entries.flatMap(({ replaces }) => replaces.map((named) => named.path)));
}

function indexedFile({ size, mtime, ctime, updated }: FileEntry, revision: Revision): IndexedFile {
  return { revision, size, mtime, ctime, updated: updated ?? localTime(mtime) };
}
