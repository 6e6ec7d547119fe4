/** A file of the source, in a folder or an archive. */
export type SourceFile = {
  /** Relative path such as `folder/note.md`, as spelled in the source. */
  path: string;
  size: number;
  /** In epoch milliseconds. */
  mtime: number;
  /** Throws if the file cannot be read. */
  read(): Promise<Buffer>;
  stream(): AsyncIterable<Buffer>;
};

export type SkippedItem = { path: string; reason: string };

/** A folder, an archive or a file to import. */
export type Source = {
  /** The name without folders and extension. */
  name: string;
  /** The path of the source: two sources with the same files are still different. */
  location: string;
  /** Sorted by path. */
  files: SourceFile[];
  /** Names of hidden files and folders; their contents are not listed. */
  hidden: string[];
  leftOut: SkippedItem[];
  close(): void;
};

export const importLimits = { fileBytes: 25_000_000, bytes: 1_000_000_000, files: 100_000, depth: 60 };

/** Files and folders that other programs create and that are not worth importing. */
const ignoredNames = new Set(['node_modules', '__MACOSX', 'Thumbs.db', 'desktop.ini', 'Icon\r']);

export function isIgnored(name: string): boolean {
  return name.startsWith('.') || ignoredNames.has(name);
}

/** Compares by UTF-16 code units, independent of the locale. */
export function compareByPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
