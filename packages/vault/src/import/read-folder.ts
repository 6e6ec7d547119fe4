import { constants, createReadStream, lstatSync, readdirSync, realpathSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../app/index.ts';
import { byPath, isHidden, limits } from './source.ts';
import type { LeftOut, Source, SourceFile } from './source.ts';

/**
 * Lists a folder. Links are not followed, and what is no file is not opened. `apart` are folders that are never read:
 * the vault itself, when it lies in there.
 */
export function readFolder(folder: string, apart: readonly string[]): Source {
  const root = realpathSync(folder);
  const files: SourceFile[] = [];
  const leftOut: LeftOut[] = [];
  const hidden: string[] = [];

  const visit = (path: string, depth: number): void => {
    const full = join(root, path);
    if (apart.includes(full)) {
      leftOut.push({ path, reason: 'it is the vault itself' });
      return;
    }
    if (depth > limits.depth) {
      leftOut.push({ path, reason: `it lies more than ${limits.depth} folders deep` });
      return;
    }
    for (const name of namesIn(full, (reason) => leftOut.push({ path, reason }))) {
      const child = path === '' ? name : `${path}/${name}`;
      if (isHidden(name)) hidden.push(name);
      else look(child, depth);
    }
  };
  const look = (path: string, depth: number): void => {
    const full = join(root, path);
    const stats = lstatSync(full, { throwIfNoEntry: false });
    if (stats === undefined)
      leftOut.push({ path, reason: 'its name is not UTF-8, or it is gone; rename it' });
    else if (stats.isDirectory()) visit(path, depth + 1);
    else if (stats.isSymbolicLink())
      leftOut.push({ path, reason: 'it is a link to something elsewhere; import that by itself' });
    else if (!stats.isFile()) leftOut.push({ path, reason: 'it is no file: a device, a pipe or a socket' });
    else {
      files.push(fileOf(path, full, stats));
      if (files.length > limits.files) throw tooMany(folder);
    }
  };

  visit('', 0);
  return {
    name: basename(root),
    place: root,
    files: files.toSorted(byPath),
    hidden,
    leftOut,
    close: () => undefined,
  };
}

export function readSingle(file: string): Source {
  const name = basename(file);
  return {
    name: name.replace(/(?<=.)\.[^.]+$/, ''),
    place: file,
    files: [fileOf(name, file, lstatSync(file))],
    hidden: [],
    leftOut: [],
    close: () => undefined,
  };
}

function fileOf(path: string, full: string, { size, mtimeMs }: Stats): SourceFile {
  return {
    path,
    size,
    mtime: Math.floor(mtimeMs),
    read: () => readFile(full, { flag: readOnly }),
    stream: () => createReadStream(full) as AsyncIterable<Buffer>,
  };
}

export function tooMany(source: string): AppError {
  return new AppError('bad-input', `${source} holds more than ${limits.files.toLocaleString('en')} files`, {
    mend: 'import its folders one by one',
  });
}

/** A pipe or a link that took a file's place since it was listed must neither hang us nor lead elsewhere. */
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function namesIn(folder: string, onFailure: (reason: string) => void): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    onFailure(`it cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return [];
  }
}
