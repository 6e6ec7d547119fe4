import { fstatSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { linkName, linksIn } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import { fileSource, readStart } from './byte-source.ts';
import { imageHeaderBytes, imageTokens, readImageHeader } from './image.ts';
import type { OpenFile } from './jail.ts';
import { kindOf } from './kind.ts';
import type { FileKind } from './kind.ts';
import { measureBytes, measureSource } from './measure.ts';
import { originalOf } from './original.ts';
import type { VaultPath } from './path.ts';
import type { Revision } from './revision.ts';

/** What is held in memory of every file: how to see that it changed, and what the tree shows. */
export type FileEntry = {
  size: number;
  mtime: number;
  /** Null when the file had changed so recently that a further change could carry the same times. */
  ctime: number | null;
  /** Null for what is neither text nor an image. */
  tokens: number | null;
  /** From the frontmatter. */
  updated: LocalTime | null;
};

/** All that is known of a file. Text fields are null for what is not text, `width` and `height` for no image. */
export type FileRecord = FileEntry & {
  kind: FileKind;
  inode: number;
  lines: number | null;
  title: string | null;
  revision: Revision | null;
  width: number | null;
  height: number | null;
  /** By which names it links to others, each on a line of its own; null for a text too large to be looked at for them. */
  links: string | null;
};

export type FolderEntry = {
  path: VaultPath;
  folders: Map<string, FolderEntry>;
  files: Map<string, FileEntry>;
};

/** Files up to this size are read in one piece. */
export const readAtOnce = 1024 * 1024;

/** Coarser than the timestamps of any file system in use (FAT: two seconds). */
const settlingTime = 2000;

/** Whether the entry still describes a file with these stats. */
export function isCurrent(entry: FileEntry, stats: Stats): boolean {
  return entry.ctime === stats.ctimeMs && entry.mtime === stats.mtimeMs && entry.size === stats.size;
}

export function entryOf({ size, mtime, ctime, tokens, updated }: FileRecord): FileEntry {
  return { size, mtime, ctime, tokens, updated };
}

/** Reads an open file as far as its kind asks for. */
export async function recordFile(name: string, file: OpenFile, now: number): Promise<FileRecord> {
  const { fd, stats } = file;
  const kind = kindOf(name);
  const record: FileRecord = {
    kind,
    size: stats.size,
    mtime: stats.mtimeMs,
    ctime: stats.ctimeMs,
    inode: stats.ino,
    lines: null,
    tokens: null,
    title: null,
    updated: null,
    revision: null,
    width: null,
    height: null,
    links: '',
  };
  if (kind === 'markdown') Object.assign(record, await measureFile(file));
  if (kind === 'image') {
    const header = readImageHeader(readStart(fd, Math.min(stats.size, imageHeaderBytes)));
    if (header !== null) {
      Object.assign(record, { width: header.width, height: header.height, tokens: imageTokens(header) });
    }
  }
  const latest = Math.max(stats.mtimeMs, stats.ctimeMs);
  const isSettled = now - latest > settlingTime && isCurrent(record, fstatSync(fd));
  return isSettled ? record : { ...record, ctime: null };
}

async function measureFile({ fd, stats }: OpenFile): Promise<Partial<FileRecord>> {
  if (stats.size > readAtOnce) return { ...(await measureSource(fileSource(fd, stats.size))), links: null };
  const bytes = readStart(fd, stats.size);
  const measure = measureBytes(bytes);
  return measure === null ? {} : { ...measure, links: [...linkNamesIn(bytes)].join('\n') };
}

/** By which names a text leads to other files: with its links, and with its original. */
export function linkNamesIn(bytes: Buffer): Set<string> {
  const text = bytes.toString();
  const original = originalOf(text);
  const targets = linksIn(text).map(({ target }) => target);
  return new Set([...targets, ...(original === null ? [] : [original])].map(linkName));
}
