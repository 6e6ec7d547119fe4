import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { AppError } from '../app/index.ts';
import type { Clock } from '../contract/index.ts';
import { unifiedDiff } from '../vault/index.ts';
import type { Client } from './client.ts';
import type { ConfigLocation } from './config-location.ts';
import type { ServerEndpoint } from './server.ts';
import { addEntry, removeEntry } from './with-entry.ts';

/** A planned change of a client's configuration file. */
export type ConfigChange = {
  outcome: 'created' | 'changed' | 'unchanged';
  /** The configuration file, and the file that its symbolic links resolve to. */
  file: string;
  target: string;
  isElsewhere: boolean;
  before: Buffer | null;
  after: Buffer;
  /** Unified diff; empty if nothing changes. */
  diff: string;
};

/**
 * Computes how connecting a client, or disconnecting it if `server` is null, changes its configuration. Writes nothing.
 */
export function planConfigChange(
  client: Client,
  server: ServerEndpoint | null,
  place: ConfigLocation,
): ConfigChange {
  return planFileChange(place, (text, target) => {
    const changed = applyEntry(client, server, text, place.file);
    return server === null && changed !== text ? (findOriginal(client, target, changed) ?? changed) : changed;
  });
}

/**
 * The newest backup of a file without an entry of Keepsake, if connecting and disconnecting it gives `disconnected`: then
 * nothing else was changed since, and it has the formatting that the file had before.
 */
function findOriginal(client: Client, target: string, disconnected: string): string | undefined {
  const prefix = `${basename(target)}.backup-`;
  const backups = readdirSync(dirname(target)).filter((name) => name.startsWith(prefix));
  return backups
    .toSorted()
    .toReversed()
    .map((name) => readFileSync(join(dirname(target), name), 'utf8').replace(/^\uFEFF/, ''))
    .find((text) => isOriginal(client, text, disconnected));
}

function isOriginal(client: Client, text: string, disconnected: string): boolean {
  const server: ServerEndpoint = { kind: 'stdio', command: 'keepsake', args: [] };
  try {
    const again = removeEntry(client, addEntry(client, server, text));
    return removeEntry(client, text) === text && again === disconnected;
  } catch (error) {
    // Connecting refuses invalid files, so this is the backup of another program.
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Computes how `edit` changes a configuration file, which need not exist. Writes nothing. */
export function planFileChange(
  place: ConfigLocation,
  edit: (text: string, target: string) => string,
): ConfigChange {
  const { target, isElsewhere } = resolveLinks(place);
  const before = existsSync(target) ? readFile(target) : null;
  const { bom, text } = before === null ? { bom: '', text: '' } : decode(before, place.file);
  const after = Buffer.from(bom + edit(text, target));
  const isSame = before?.equals(after) ?? false;
  return {
    outcome: isSame ? 'unchanged' : before === null ? 'created' : 'changed',
    file: place.file,
    target,
    isElsewhere,
    before,
    after,
    diff: isSame ? '' : unifiedDiff(place.file, before, after),
  };
}

/** Backs up the file, then replaces it atomically. Returns the path of the backup, or null if there was no file. */
export function writeConfigChange({ target, before, after }: ConfigChange, clock: Clock): string | null {
  if (before === null) mkdirSync(dirname(target), { recursive: true });
  const backup = before === null ? null : toBackupPath(target, clock());
  if (backup !== null) copyFileSync(target, backup, constants.COPYFILE_EXCL);
  const temporaryFile = join(dirname(target), `.${basename(target)}.keepsake-${process.pid}`);
  try {
    // The file may contain secrets of other programs, so it is private until it gets the mode of the old file.
    writeFileSync(temporaryFile, after, { flag: 'wx', flush: true, mode: before === null ? 0o666 : 0o600 });
    if (before !== null) chmodSync(temporaryFile, statSync(target).mode & 0o7777);
    const current = existsSync(target) ? readFileSync(target) : null;
    if (current === null ? before !== null : before === null || !current.equals(before))
      throw new AppError('bad-target', `${target} changed during the operation; nothing was written`, {
        hint: 'try again',
      });
    renameSync(temporaryFile, target);
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  return backup;
}

/** Configuration files are often symbolic links into a dotfiles folder. Links are followed, but the caller is told about it. */
function resolveLinks({ file, within, isProject }: ConfigLocation): { target: string; isElsewhere: boolean } {
  const existing = findNearestExisting(file);
  const target = join(realpathSync(existing), relative(existing, file));
  const expected = existsSync(within) ? join(realpathSync(within), relative(within, file)) : file;
  const isElsewhere = target !== expected;
  if (isElsewhere && isProject && relative(realpathSync(within), target).startsWith('..'))
    throw new AppError('bad-target', `${file} is a symbolic link to ${target}, outside the project`, {
      hint: 'remove the link or edit the target yourself',
    });
  return { target, isElsewhere };
}

function findNearestExisting(path: string): string {
  if (existsSync(path)) return path;
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new AppError('bad-target', `${path} is a broken symbolic link`, {
      hint: 'remove or fix it',
    });
  return findNearestExisting(dirname(path));
}

function readFile(target: string): Buffer {
  if (!statSync(target).isFile())
    throw new AppError('bad-target', `${target} is not a file`, { hint: 'move it away' });
  return readFileSync(target);
}

function decode(bytes: Buffer, file: string): { bom: string; text: string } {
  const decoded = bytes.toString('utf8');
  if (!Buffer.from(decoded).equals(bytes))
    throw new AppError('bad-target', `${file} is not UTF-8`, {
      hint: 'save it as UTF-8, then try again',
    });
  return decoded.startsWith('\uFEFF')
    ? { bom: '\uFEFF', text: decoded.slice(1) }
    : { bom: '', text: decoded };
}

function applyEntry(client: Client, server: ServerEndpoint | null, text: string, file: string): string {
  try {
    return server === null ? removeEntry(client, text) : addEntry(client, server, text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !(cause instanceof RangeError)) throw cause;
    // The message of a stack overflow does not help the user.
    const reason = cause.name === 'RangeError' ? 'it is nested too deeply or too long' : cause.message;
    throw new AppError(
      'bad-target',
      `${file} is not valid ${client.format.toUpperCase()} (${reason}); nothing was changed`,
      { hint: `fix it, or add the output of keepsake connect ${client.name} by hand`, cause },
    );
  }
}

/** A name that no earlier backup has, not even one of the same millisecond. */
function toBackupPath(target: string, now: number): string {
  const path = `${target}.backup-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
  let count = 1;
  while (existsSync(count === 1 ? path : `${path}-${count}`)) count += 1;
  return count === 1 ? path : `${path}-${count}`;
}
