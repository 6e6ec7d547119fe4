import { formatLocalTime } from '../../contract/index.ts';
import type { LocalTime } from '../../contract/index.ts';
import type { FileEntry, FolderEntry } from '../file-record.ts';
import { childPath, escapeInvisible, formatFolderPath, formatPath } from '../path.ts';
import type { VaultPath } from '../path.ts';
import { pluralize, formatTime, formatTokens } from './format-quantities.ts';

/** One line of the tree. A line that only counts hidden entries has no `item`. */
export type TreeRow = { label: string; item: TreeItem | null };

type TreeItem = {
  /** The formatted path; a folder ends in `/`. */
  path: string;
  kind: 'file' | 'folder';
  tokens: number | null;
  updated: LocalTime | null;
};

export type TreeOptions = {
  /** Number of levels to expand; null for all. */
  depth: number | null;
  /** Number of entries to list per folder; null for all. */
  entries?: number | null;
};

type FolderTotals = {
  tokens: number;
  files: number;
  folders: number;
  updated: LocalTime | null;
  mtime: number;
};

/** Builds the rows of a folder; returns null as soon as their text exceeds `maxCharacters`. */
export function buildTreeRows(
  folder: FolderEntry,
  options: TreeOptions,
  maxCharacters = Infinity,
): TreeRow[] | null {
  const sums = new Map<FolderEntry, FolderTotals>();
  const rows: TreeRow[] = [];
  let used = 0;
  const add = (row: TreeRow): void => {
    rows.push(row);
    used += row.label.length + 1;
  };

  const addChildren = (parent: FolderEntry, indent: string, depth: number): void => {
    const { files, folders, more } = childrenOf(parent, options.entries ?? Infinity);
    const lines = files.length + folders.length + (more === '' ? 0 : 1);
    let line = 0;
    const branch = (): string => `${indent}${(line += 1) < lines ? '├── ' : '└── '}`;
    for (const name of files) {
      if (used > maxCharacters) return;
      add({
        label: branch() + escapeInvisible(name),
        item: fileItem(childPath(parent.path, name), parent.files.get(name)!),
      });
    }
    for (const name of folders) {
      if (used > maxCharacters) return;
      const child = parent.folders.get(name)!;
      add({
        label: `${branch()}${escapeInvisible(name)}/`,
        item: folderItem(child, aggregateFolder(child, sums)),
      });
      addBelow(child, `${indent}${line < lines ? '│   ' : '    '}`, depth);
    }
    if (more !== '') add({ label: `${branch()}… ${more}`, item: null });
  };

  const addBelow = (child: FolderEntry, indent: string, depth: number): void => {
    if (options.depth === null || depth < options.depth) return addChildren(child, indent, depth + 1);
    const { files, folders } = aggregateFolder(child, sums);
    if (files + folders > 0) add({ label: `${indent}└── … ${countBoth(files, folders)}`, item: null });
  };

  add({ label: formatFolderPath(folder.path), item: folderItem(folder, aggregateFolder(folder, sums)) });
  if (options.depth !== 0) addChildren(folder, '', 1);
  return used > maxCharacters ? null : rows;
}

/** Builds the row of a single file. */
export function buildFileRow(path: VaultPath, entry: FileEntry): TreeRow {
  return { label: formatPath(path), item: fileItem(path, entry) };
}

const maxAlignedLabelWidth = 72;

/** Renders name, tokens and modification date, with the brackets aligned on the right. */
export function renderTree(rows: readonly TreeRow[]): string {
  const notes = rows.map(({ item }) => (item === null ? '' : noteOf(item)));
  const width = rows.reduce((widest, { label }, index) => {
    return label.length > maxAlignedLabelWidth
      ? widest
      : Math.max(widest, label.length + 2 + notes[index]!.length);
  }, 0);
  return rows
    .map(({ label }, index) => {
      const note = notes[index]!;
      return note === '' ? label : label + note.padStart(Math.max(note.length + 2, width - label.length));
    })
    .join('\n');
}

function noteOf({ tokens, updated }: TreeItem): string {
  return `[${formatTokens(tokens)} · ${updated === null ? '—' : formatTime(updated)}]`;
}

function fileItem(path: VaultPath, entry: FileEntry): TreeItem {
  return {
    path: formatPath(path),
    kind: 'file',
    tokens: entry.tokens,
    updated: entry.updated ?? formatLocalTime(entry.mtime),
  };
}

function folderItem(folder: FolderEntry, { tokens, updated, mtime }: FolderTotals): TreeItem {
  const latest = mtime === 0 ? null : formatLocalTime(mtime);
  return {
    path: formatFolderPath(folder.path),
    kind: 'folder',
    tokens,
    updated: latest === null || (updated ?? '') > latest ? updated : latest,
  };
}

/** Aggregates the contents of a folder. File times are compared as numbers, because formatting each one would be slow. */
function aggregateFolder(folder: FolderEntry, known: Map<FolderEntry, FolderTotals>): FolderTotals {
  const found = known.get(folder);
  if (found !== undefined) return found;
  const sums: FolderTotals = {
    tokens: 0,
    files: folder.files.size,
    folders: folder.folders.size,
    updated: null,
    mtime: 0,
  };
  for (const { tokens, updated, mtime } of folder.files.values()) {
    sums.tokens += tokens ?? 0;
    if (updated === null) sums.mtime = Math.max(sums.mtime, mtime);
    else if (sums.updated === null || updated > sums.updated) sums.updated = updated;
  }
  for (const child of folder.folders.values()) {
    const below = aggregateFolder(child, known);
    sums.tokens += below.tokens;
    sums.files += below.files;
    sums.folders += below.folders;
    sums.mtime = Math.max(sums.mtime, below.mtime);
    if ((below.updated ?? '') > (sums.updated ?? '')) sums.updated = below.updated;
  }
  known.set(folder, sums);
  return sums;
}

/** Returns files, then folders, each sorted by name; entries beyond `limit` are only counted. */
function childrenOf(
  folder: FolderEntry,
  limit: number,
): { files: string[]; folders: string[]; more: string } {
  const files = [...folder.files.keys()].toSorted();
  const folders = [...folder.folders.keys()].toSorted();
  const shownFolders = folders.slice(0, limit);
  const shownFiles = files.slice(0, Math.max(0, limit - shownFolders.length));
  const hidden = [files.length - shownFiles.length, folders.length - shownFolders.length] as const;
  return {
    files: shownFiles,
    folders: shownFolders,
    more: hidden[0] + hidden[1] > 0 ? countBoth(...hidden, 'more ') : '',
  };
}

function countBoth(files: number, folders: number, adjective = ''): string {
  const parts = [
    files > 0 ? pluralize(files, `${adjective}file`) : '',
    folders > 0 ? pluralize(folders, `${adjective}folder`) : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
