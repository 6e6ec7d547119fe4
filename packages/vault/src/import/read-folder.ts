import { constants, createReadStream, lstatSync, readdirSync, realpathSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../app/index.ts';
import { compareByPath, isIgnored, importLimits } from './source.ts';
import type { SkippedItem, Source, SourceFile } from './source.ts';

/**
 * Lists a folder. Symbolic links are not followed, and only regular files are opened. `excludedFolders` are never read,
 * such as the vault itself if it is inside the folder.
 */
export function readFolder(folder: string, excludedFolders: readonly string[]): Source {
  const root = realpathSync(folder);
  const files: SourceFile[] = [];
  const leftOut: SkippedItem[] = [];
  const hidden: string[] = [];

  const visit = (path: string, depth: number): void => {
    const full = join(root, path);
    if (excludedFolders.includes(full)) {
      leftOut.push({ path, reason: 'this is the vault itself' });
      return;
    }
    if (depth > importLimits.depth) {
      leftOut.push({ path, reason: `nested deeper than ${importLimits.depth} folders` });
      return;
    }
    const names = listNames(full, (reason) => leftOut.push({ path, reason }));
    const isMaildir = listMessageFolders(full).length > 0;
    for (const name of names) {
      const child = path === '' ? name : `${path}/${name}`;
      // The mail folders in a Maildir are Maildirs with a hidden name, such as `.Sent`.
      const parts = isMaildir ? listMessageFolders(join(full, name)) : [];
      if (!isIgnored(name)) visitEntry(child, depth);
      else if (parts.length === 0) hidden.push(name);
      else for (const part of parts) visitEntry(`${child}/${part}`, depth + 1);
    }
  };
  const visitEntry = (path: string, depth: number): void => {
    const full = join(root, path);
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (stats === undefined)
      leftOut.push({ path, reason: 'deleted during the import, or its name is not UTF-8; rename it' });
    else if (stats.isDirectory()) visit(path, depth + 1);
    else if (stats.isSymbolicLink())
      leftOut.push({ path, reason: 'symbolic link; import its target separately' });
    else if (!stats.isFile()) leftOut.push({ path, reason: 'not a regular file (device, pipe or socket)' });
    else {
      files.push(fileOf(path, full, stats));
      if (files.length > importLimits.files) throw tooManyFilesError(folder);
    }
  };

  visit('', 0);
  return {
    name: basename(root),
    location: root,
    files: files.toSorted(compareByPath),
    hidden,
    leftOut,
    close: () => undefined,
  };
}

export function readSingleFile(file: string): Source {
  const name = basename(file);
  return {
    name: name.replace(/(?<=.)\.[^.]+$/, ''),
    location: file,
    files: [fileOf(name, file, lstatSync(file))],
    hidden: [],
    leftOut: [],
    close: () => undefined,
  };
}

/** The folders of a Maildir that contain messages; none if the folder is no Maildir. */
function listMessageFolders(folder: string): string[] {
  return ['cur', 'new'].filter((name) =>
    lstatSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory(),
  );
}

function fileOf(path: string, full: string, { size, mtimeMs }: Stats): SourceFile {
  return {
    path,
    size,
    mtime: Math.floor(mtimeMs),
    read: () => readFile(full, { flag: safeReadFlags }),
    stream: () => createReadStream(full) as AsyncIterable<Buffer>,
  };
}

export function tooManyFilesError(source: string): AppError {
  return new AppError(
    'bad-input',
    `${source} contains more than ${importLimits.files.toLocaleString('en')} files`,
    {
      hint: 'import its subfolders one by one',
    },
  );
}

/** A pipe or a symbolic link that replaced a file since it was listed must neither block the import nor be followed. */
const safeReadFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function listNames(folder: string, onFailure: (reason: string) => void): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    onFailure(`unreadable (${(error as NodeJS.ErrnoException).code})`);
    return [];
  }
}
