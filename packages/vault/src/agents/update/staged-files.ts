import { updateLinks } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { childPath, findFolder, findFreeName, baseName, extractBody, splitLines } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';

/** Reads a file of any size, because users may put large files into the inbox. Null if there is no readable file. */
export async function readBytes({ view }: WriteRun, path: VaultPath): Promise<Buffer | null> {
  const read = await view.read(path, Infinity);
  return read.kind === 'file' ? read.bytes : null;
}

export async function readText(run: WriteRun, path: VaultPath): Promise<string | null> {
  return (await readBytes(run, path))?.toString() ?? null;
}

/** Stages the text of a file; `before` is the text it was derived from. */
export function stageText(run: WriteRun, path: VaultPath, before: string | null, after: string): void {
  const base = before === null ? null : Buffer.from(before);
  const staged = run.transaction.write(path, base, Buffer.from(after));
  if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
}

/** Inserts a text at the top of a log; `before` is its current text. */
export function addOnTop(run: WriteRun, path: VaultPath, before: string, text: string): void {
  const staged = run.transaction.append(path, Buffer.from(before), { text, position: 'top', isLog: true });
  if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
}

/** The lines of a staged file that it did not have before. */
export function addedLines({ transaction }: WriteRun, path: VaultPath): string[] {
  const before = new Set(splitLines(transaction.before(path)?.toString() ?? ''));
  const after = splitLines(transaction.staged().get(path)?.toString() ?? '');
  return after.filter((line) => !before.has(line));
}

/** Whether a staged file still has every line of its text, in any order. */
export function onlyAddsLines({ transaction }: WriteRun, path: VaultPath): boolean {
  const lines = (bytes: Buffer | null | undefined): string[] =>
    splitLines(extractBody(bytes?.toString() ?? ''));
  const left = lines(transaction.staged().get(path));
  return lines(transaction.before(path)).every((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at !== -1 || line.trim() === '';
  });
}

/**
 * Moves a file into a folder, under another name if its own is taken. Returns the new path, or null if the file is
 * gone.
 */
export async function moveInto(run: WriteRun, folder: VaultPath, path: VaultPath): Promise<VaultPath | null> {
  const bytes = await readBytes(run, path);
  if (bytes === null) return null;
  const target = await uniquePath(run, folder, baseName(path));
  const staged = run.transaction.move(path, target, bytes);
  if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
  await updateLinks(run, new Map([[path, target]]));
  return target;
}

/** Stages a new file in a folder, under another name if this one is taken. Returns its path. */
export async function stageBytes(
  run: WriteRun,
  folder: VaultPath,
  name: string,
  bytes: Buffer,
): Promise<VaultPath> {
  const target = await uniquePath(run, folder, name);
  const staged = run.transaction.create(target, bytes);
  if (!staged.ok) throw new Error(`${target}: ${staged.reason}`);
  return target;
}

async function uniquePath(run: WriteRun, folder: VaultPath, fileName: string): Promise<VaultPath> {
  const folderEntry = findFolder(await run.view.contents(folder), folder);
  const isTaken = (name: string): boolean =>
    folderEntry?.files.has(name) === true || folderEntry?.folders.has(name) === true;
  return childPath(folder, findFreeName(fileName, isTaken));
}

/** Whether a staged input file is neither in place nor moved. */
export function isUndone({ transaction }: WriteRun, path: VaultPath): boolean {
  return transaction.before(path) === undefined && transaction.movedTo(path) === undefined;
}
