/** A file of what is imported, in a folder or in an archive. */
export type SourceFile = {
  /** `folder/note.md`, as it is spelled there. */
  path: string;
  size: number;
  /** In milliseconds. */
  mtime: number;
  /** Throws when it cannot be read after all. */
  read(): Promise<Buffer>;
  stream(): AsyncIterable<Buffer>;
};

export type LeftOut = { path: string; reason: string };

/** What is to be imported. */
export type Source = {
  /** What it is called, without folders and ending. */
  name: string;
  /** Where it lies: two sources with the same files are still two. */
  place: string;
  /** In the order of their paths. */
  files: SourceFile[];
  /** Names of the folders and files that are hidden; what is in them is not listed. */
  hidden: string[];
  leftOut: LeftOut[];
  close(): void;
};

export const limits = { fileBytes: 25_000_000, bytes: 1_000_000_000, files: 100_000, depth: 60 };

/** What other programs leave behind, and nobody means. */
const clutter = new Set(['node_modules', '__MACOSX', 'Thumbs.db', 'desktop.ini', 'Icon\r']);

export function isHidden(name: string): boolean {
  return name.startsWith('.') || clutter.has(name);
}

/** By the bytes of their names, as everywhere. */
export function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
