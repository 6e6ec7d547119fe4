import { relink } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { childPath, folderIn, freeName, nameOf, splitLines } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';

/** Of any size: what a person laid into the inbox is moved, too. Null when there is no file, or none that can be had. */
export async function bytesAt({ view }: WriteRun, path: VaultPath): Promise<Buffer | null> {
  const read = await view.read(path, Infinity);
  return read.kind === 'file' ? read.bytes : null;
}

export async function textAt(run: WriteRun, path: VaultPath): Promise<string | null> {
  return (await bytesAt(run, path))?.toString() ?? null;
}

/** Gives a file this text; `before` is what it was made from. */
export function putText(run: WriteRun, path: VaultPath, before: string | null, after: string): void {
  const made = before === null ? null : Buffer.from(before);
  const staged = run.transaction.put(path, made, Buffer.from(after));
  if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
}

/** Adds a text on top of a log; `before` is what it is now. */
export function addOnTop(run: WriteRun, path: VaultPath, before: string, text: string): void {
  const staged = run.transaction.append(path, Buffer.from(before), { text, position: 'top', isLog: true });
  if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
}

/** The lines that a staged file has and did not have before. */
export function linesAdded({ transaction }: WriteRun, path: VaultPath): string[] {
  const before = new Set(splitLines(transaction.before(path)?.toString() ?? ''));
  const after = splitLines(transaction.staged().get(path)?.toString() ?? '');
  return after.filter((line) => !before.has(line));
}

/** Moves a file into a folder, under another name if its own is taken there. Gives where it lies; null if it is gone. */
export async function placeIn(run: WriteRun, folder: VaultPath, path: VaultPath): Promise<VaultPath | null> {
  const bytes = await bytesAt(run, path);
  if (bytes === null) return null;
  const target = await freePath(run, folder, nameOf(path));
  const staged = run.transaction.move(path, target, bytes);
  if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
  await relink(run, new Map([[path, target]]));
  return target;
}

/** Puts a file into a folder, under another name if this one is taken there. */
export async function placeBytes(
  run: WriteRun,
  folder: VaultPath,
  wanted: string,
  bytes: Buffer,
): Promise<void> {
  const target = await freePath(run, folder, wanted);
  const staged = run.transaction.place(target, bytes);
  if (!staged.ok) throw new Error(`${target}: ${staged.reason}`);
}

async function freePath(run: WriteRun, folder: VaultPath, wanted: string): Promise<VaultPath> {
  const there = folderIn(await run.view.contents(folder), folder);
  const isTaken = (name: string): boolean =>
    there?.files.has(name) === true || there?.folders.has(name) === true;
  return childPath(folder, freeName(wanted, isTaken));
}

/** Whether a file that was laid out lies neither there nor where it was moved to. */
export function isTakenBack({ transaction }: WriteRun, path: VaultPath): boolean {
  return transaction.before(path) === undefined && transaction.movedTo(path) === undefined;
}
