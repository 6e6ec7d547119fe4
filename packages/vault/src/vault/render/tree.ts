import { localTime } from '../../contract/index.ts';
import type { LocalTime } from '../../contract/index.ts';
import type { FileEntry, FolderEntry } from '../entry.ts';
import { childPath, escapeInvisible, showFolder, showPath } from '../path.ts';
import type { VaultPath } from '../path.ts';
import { count, showTime, showTokens } from './quantities.ts';

/** One line of the tree. A line that only counts what is not shown has no `item`. */
export type TreeRow = { left: string; item: TreeItem | null };

type TreeItem = {
  /** As shown: a folder ends in `/`. */
  path: string;
  kind: 'file' | 'folder';
  tokens: number | null;
  updated: LocalTime | null;
};

export type TreeOptions = {
  /** How many levels below the folder are unfolded; null for all. */
  depth: number | null;
  /** How many entries of one folder are listed; null for all. */
  entries?: number | null;
};

type Sums = { tokens: number; files: number; folders: number; updated: LocalTime | null; mtime: number };

/** The rows of a folder; stops early and gives null once their text is sure to be longer than `room`. */
export function treeRows(folder: FolderEntry, options: TreeOptions, room = Infinity): TreeRow[] | null {
  const sums = new Map<FolderEntry, Sums>();
  const rows: TreeRow[] = [];
  let used = 0;
  const add = (row: TreeRow): void => {
    rows.push(row);
    used += row.left.length + 1;
  };

  const addChildren = (parent: FolderEntry, indent: string, depth: number): void => {
    const { files, folders, more } = childrenOf(parent, options.entries ?? Infinity);
    const lines = files.length + folders.length + (more === '' ? 0 : 1);
    let line = 0;
    const branch = (): string => `${indent}${(line += 1) < lines ? '├── ' : '└── '}`;
    for (const name of files) {
      if (used > room) return;
      add({
        left: branch() + escapeInvisible(name),
        item: fileItem(childPath(parent.path, name), parent.files.get(name)!),
      });
    }
    for (const name of folders) {
      if (used > room) return;
      const child = parent.folders.get(name)!;
      add({ left: `${branch()}${escapeInvisible(name)}/`, item: folderItem(child, sumsOf(child, sums)) });
      addBelow(child, `${indent}${line < lines ? '│   ' : '    '}`, depth);
    }
    if (more !== '') add({ left: `${branch()}… ${more}`, item: null });
  };

  const addBelow = (child: FolderEntry, indent: string, depth: number): void => {
    if (options.depth === null || depth < options.depth) return addChildren(child, indent, depth + 1);
    const { files, folders } = sumsOf(child, sums);
    if (files + folders > 0) add({ left: `${indent}└── … ${countBoth(files, folders)}`, item: null });
  };

  add({ left: showFolder(folder.path), item: folderItem(folder, sumsOf(folder, sums)) });
  if (options.depth !== 0) addChildren(folder, '', 1);
  return used > room ? null : rows;
}

/** The line of a file on its own. */
export function fileRow(path: VaultPath, entry: FileEntry): TreeRow {
  return { left: showPath(path), item: fileItem(path, entry) };
}

const widestLeft = 72;

/** Name, tokens and date of last modification, the brackets aligned on the right. */
export function renderTree(rows: readonly TreeRow[]): string {
  const notes = rows.map(({ item }) => (item === null ? '' : noteOf(item)));
  const width = rows.reduce((widest, { left }, index) => {
    return left.length > widestLeft ? widest : Math.max(widest, left.length + 2 + notes[index]!.length);
  }, 0);
  return rows
    .map(({ left }, index) => {
      const note = notes[index]!;
      return note === '' ? left : left + note.padStart(Math.max(note.length + 2, width - left.length));
    })
    .join('\n');
}

function noteOf({ tokens, updated }: TreeItem): string {
  return `[${showTokens(tokens)} · ${updated === null ? '—' : showTime(updated)}]`;
}

function fileItem(path: VaultPath, entry: FileEntry): TreeItem {
  return {
    path: showPath(path),
    kind: 'file',
    tokens: entry.tokens,
    updated: entry.updated ?? localTime(entry.mtime),
  };
}

function folderItem(folder: FolderEntry, { tokens, updated, mtime }: Sums): TreeItem {
  const latest = mtime === 0 ? null : localTime(mtime);
  return {
    path: showFolder(folder.path),
    kind: 'folder',
    tokens,
    updated: latest === null || (updated ?? '') > latest ? updated : latest,
  };
}

/** What is below a folder, taken together. Dates without a frontmatter are compared before they are formatted. */
function sumsOf(folder: FolderEntry, known: Map<FolderEntry, Sums>): Sums {
  const found = known.get(folder);
  if (found !== undefined) return found;
  const sums: Sums = {
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
    const below = sumsOf(child, known);
    sums.tokens += below.tokens;
    sums.files += below.files;
    sums.folders += below.folders;
    sums.mtime = Math.max(sums.mtime, below.mtime);
    if ((below.updated ?? '') > (sums.updated ?? '')) sums.updated = below.updated;
  }
  known.set(folder, sums);
  return sums;
}

/** Files first, then folders, each by name; past `limit` only their number. */
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
    more: hidden[0] + hidden[1] > 0 ? `${countBoth(...hidden)} more` : '',
  };
}

function countBoth(files: number, folders: number): string {
  const parts = [files > 0 ? count(files, 'file') : '', folders > 0 ? count(folders, 'folder') : ''];
  return parts.filter((part) => part !== '').join(', ');
}
