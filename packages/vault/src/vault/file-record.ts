import { fstatSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { linkKey, parseLinks } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import { createFileSource, readPrefixSync } from './byte-source.ts';
import { maxImageHeaderBytes, estimateImageTokens, readImageHeader } from './image-header.ts';
import type { OpenFile } from './open-path.ts';
import { fileKindOf } from './file-kind.ts';
import type { FileKind } from './file-kind.ts';
import { computeTextStats, computeTextStatsOf } from './text-stats.ts';
import { readOriginal } from './original-field.ts';
import type { VaultPath } from './path.ts';
import type { Revision } from './revision.ts';
import { parseNoteMarks } from './note-marks.ts';
import { parseTaskGroups, readTaskGroups } from './tasks.ts';
import type { StoredTask, TaskGroups } from './tasks.ts';

/** The data kept in memory for every file: for detecting changes and for the tree. */
export type FileEntry = {
  size: number;
  mtime: number;
  /** Null when the file changed so recently that another change could have the same timestamps. */
  ctime: number | null;
  /** Null if the file is neither text nor an image. */
  tokens: number | null;
  /** From the frontmatter. */
  updated: LocalTime | null;
};

/** The complete record of a file. Text fields are null if it is not text, `width` and `height` if it is not an image. */
export type FileRecord = FileEntry & {
  kind: FileKind;
  inode: number;
  lines: number | null;
  title: string | null;
  revision: Revision | null;
  width: number | null;
  height: number | null;
  /** The keys of its links, one per line; null for a text that is too large to be searched for links. */
  links: string | null;
  /** Its dated tasks as JSON; empty if it has none. */
  tasks: string;
  /** Its other tasks as JSON; empty if it has none. */
  otherTasks: string;
  /** Its tags, pin and date in the form of `parseNoteMarks`; empty if it has none. */
  marks: string;
};

export type FolderEntry = {
  path: VaultPath;
  folders: Map<string, FolderEntry>;
  files: Map<string, FileEntry>;
};

/** Files up to this size are read into memory. */
export const maxInMemoryBytes = 1024 * 1024;

/** Coarser than the timestamps of any file system in use (FAT: two seconds). */
const timestampResolutionMs = 2000;

/** Whether the entry still describes a file with these stats. */
export function matchesStats(entry: FileEntry, stats: Stats): boolean {
  return entry.ctime === stats.ctimeMs && entry.mtime === stats.mtimeMs && entry.size === stats.size;
}

export function toFileEntry({ size, mtime, ctime, tokens, updated }: FileRecord): FileEntry {
  return { size, mtime, ctime, tokens, updated };
}

/** Creates the record of an open file; reads only as much as its kind requires. */
export async function createFileRecord(name: string, file: OpenFile, now: number): Promise<FileRecord> {
  const { fd, stats } = file;
  const kind = fileKindOf(name);
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
    tasks: '',
    otherTasks: '',
    marks: '',
  };
  if (kind === 'markdown') Object.assign(record, await measureFile(file));
  if (kind === 'image') {
    const header = readImageHeader(readPrefixSync(fd, Math.min(stats.size, maxImageHeaderBytes)));
    if (header !== null) {
      Object.assign(record, {
        width: header.width,
        height: header.height,
        tokens: estimateImageTokens(header),
      });
    }
  }
  const latest = Math.max(stats.mtimeMs, stats.ctimeMs);
  const isSettled = now - latest > timestampResolutionMs && matchesStats(record, fstatSync(fd));
  return isSettled ? record : { ...record, ctime: null };
}

async function measureFile({ fd, stats }: OpenFile): Promise<Partial<FileRecord>> {
  if (stats.size > maxInMemoryBytes) {
    const source = createFileSource(fd, stats.size);
    const measure = await computeTextStatsOf(source);
    return { ...measure, links: null, ...(measure !== null && formatGroups(await readTaskGroups(source))) };
  }
  const bytes = readPrefixSync(fd, stats.size);
  const measure = computeTextStats(bytes);
  if (measure === null) return {};
  const links = [...extractLinkKeys(bytes)].join('\n');
  const text = bytes.toString();
  return { ...measure, links, ...formatGroups(parseTaskGroups(text)), marks: parseNoteMarks(text) };
}

function formatGroups({ dated, other }: TaskGroups): Pick<FileRecord, 'tasks' | 'otherTasks'> {
  return { tasks: formatTasks(dated), otherTasks: formatTasks(other) };
}

function formatTasks(tasks: StoredTask[]): string {
  return tasks.length === 0 ? '' : JSON.stringify(tasks);
}

/** The link keys of a text: of its links and of its `original` field. */
export function extractLinkKeys(bytes: Buffer): Set<string> {
  const text = bytes.toString();
  const original = readOriginal(text);
  const targets = parseLinks(text).map(({ target }) => target);
  return new Set([...targets, ...(original === null ? [] : [original])].map(linkKey));
}
