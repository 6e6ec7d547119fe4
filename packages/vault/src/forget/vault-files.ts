import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createFileChange, isTemporaryFile, sortDeepestFirst } from '../changes/index.ts';
import type { Change, FileChange, Writer } from '../changes/index.ts';
import type { ForgetEffect, ForgetPassage, PlannedPlace, UnreachablePlace } from '../contract/index.ts';
import { errorCode, isTreeFile, parentPath, parseVaultPath, rootPath } from '../vault/index.ts';
import type { VaultPath, VaultRoot, VaultView } from '../vault/index.ts';
import { hasText } from './has-text.ts';
import type { DescribeText, Redactor } from './redactor.ts';

type Dependencies = { view: VaultView; writer: Pick<Writer, 'write'> };

/** The files of a vault that contain the words in their text or name. */
export type FilesWithWords = {
  files: VaultPath[];
  /** Folders with the words in their own names. */
  folders: VaultPath[];
  /** Files that Keepsake must not change, such as settings of other programs, and repositories. */
  unreachable: UnreachablePlace[];
};

export function findFiles(root: VaultRoot, redactor: Redactor): FilesWithWords {
  const found: FilesWithWords = { files: [], folders: [], unreachable: [] };
  for (const { path: file, isFolder } of walk(root)) {
    const name = relative(root, file).split(sep).join('/');
    if (isFolder) {
      const folder = parseVaultPath(name);
      if (folder.ok && redactor.matches(name.slice(name.lastIndexOf('/') + 1)))
        found.folders.push(folder.path);
      continue;
    }
    if (/(?:^|\/)\.git\/HEAD$/.test(name))
      found.unreachable.push({ kind: 'repository', name: name.slice(0, -5) });
    if (/(?:^|\/)\.git\//.test(name)) continue;
    if (!redactor.matches(name) && !redactor.matchesBytes(readIfPresent(file))) continue;
    const parsed = parseVaultPath(name);
    if (isTemporaryFile(file)) continue;
    if (parsed.ok) found.files.push(parsed.path);
    else found.unreachable.push({ kind: 'file', name });
  }
  return found;
}

/** Temporary files of Keepsake in the vault that contain the words. */
export function findTemporaryFiles(root: VaultRoot, redactor: Redactor): string[] {
  const files = [...walk(root)].flatMap(({ path, isFolder }) => (isFolder ? [] : [path]));
  return files.filter((file) => isTemporaryFile(file) && redactor.matchesBytes(readIfPresent(file)));
}

/** What becomes of these files and folders. */
export function planFiles(
  root: VaultRoot,
  { files, folders }: FilesWithWords,
  redactor: Redactor,
  describe: DescribeText,
): PlannedPlace[] {
  const empty = folders.filter((folder) => !files.some((file) => file.startsWith(`${folder}/`)));
  return [
    ...files.map((path) => {
      const bytes = readIfPresent(join(root, toName(path)));
      return toPlace(path, effectOn(path, bytes, redactor), isTreeFile(path) ? [] : describe(bytes));
    }),
    ...empty.map((path) => toPlace(path, 'removed', [])),
  ];
}

function toName(path: VaultPath): string {
  return path.slice(rootPath.length + 1);
}

function toPlace(path: VaultPath, effect: ForgetEffect, passages: ForgetPassage[]): PlannedPlace {
  return { store: 'files', name: toName(path), count: 1, effect, passages };
}

function effectOn(path: VaultPath, bytes: Buffer, redactor: Redactor): ForgetEffect {
  if (isTreeFile(path)) return 'rebuilt';
  const redacted = redactFile(path, bytes, redactor);
  if (redacted === null) return 'removed';
  if (redacted.toString() === `${redactor.marker}\n`) return 'replaced';
  return redactor.redactPath(path) === path ? 'edited' : 'renamed';
}

/** Removes the words from files in one change; returns its id, or null if there was nothing to change. */
export async function redactFiles(
  { view, writer }: Dependencies,
  { files, folders }: FilesWithWords,
  redactor: Redactor,
): Promise<string | null> {
  const changes: Change[] = [];
  for (const path of files) {
    // Keepsake generates this file again.
    if (isTreeFile(path)) continue;
    const read = await view.read(path, maxFileBytes);
    if (read.kind !== 'file') continue;
    const after = redactFile(path, read.bytes, redactor);
    const target = redactor.redactPath(path) as VaultPath;
    if (target === path) changes.push(...toList(createFileChange(path, read.bytes, after)));
    else
      changes.push(
        ...toList(createFileChange(path, read.bytes, null)),
        ...toList(createFileChange(target, null, after)),
      );
  }
  for (const path of sortDeepestFirst(folders)) changes.push({ kind: 'remove-folder', path });
  if (changes.length === 0) return null;
  const isFrench = redactor.rules.language === 'fr';
  const summary = isFrench ? 'mots oubliés à votre demande' : 'forgot words at your request';
  const result = await writer.write(changes, { origin: 'keepsake forget', summary });
  return result.kind === 'written' ? result.id : null;
}

const maxFileBytes = 1_000_000_000;

/** Null if nothing is left of the file. Files at the top of a vault have a role and stay. */
export function redactFile(path: VaultPath, bytes: Buffer, redactor: Redactor): Buffer | null {
  if (redactor.removesContent(bytes)) return null;
  const redacted = redactor.redactBytes(bytes);
  if (redacted === bytes) return bytes;
  const isMarker = redacted.toString() === `${redactor.marker}\n`;
  const isEmpty = isMarker || !hasText(redacted);
  return isEmpty && parentPath(path) !== rootPath ? null : redacted;
}

function toList(change: FileChange | null): FileChange[] {
  return change === null ? [] : [change];
}

/** Every folder and regular file below a folder, including hidden ones. */
function* walk(folder: string): Generator<{ path: string; isFolder: boolean }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield { path, isFolder: true };
      yield* walk(path);
    } else if (entry.isFile()) yield { path, isFolder: false };
  }
}

/** Empty if the file was deleted meanwhile or cannot be read. */
function readIfPresent(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return Buffer.alloc(0);
  }
}
