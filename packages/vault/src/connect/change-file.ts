import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
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
import type { Place } from './place.ts';
import type { Server } from './server.ts';
import { withEntry, withoutEntry } from './with-entry.ts';

/** What would become of a client's configuration. */
export type Change = {
  outcome: 'created' | 'changed' | 'unchanged';
  /** The file that is meant, and the one that links lead to, if that is another. */
  file: string;
  target: string;
  isElsewhere: boolean;
  before: Buffer | null;
  after: Buffer;
  /** In the unified form; empty when nothing changes. */
  diff: string;
};

/** Reads a client's configuration and says what connecting would change, or, without a server, disconnecting. Writes nothing. */
export function planChange(client: Client, server: Server | null, place: Place): Change {
  const { target, isElsewhere } = resolveLinks(place);
  const before = existsSync(target) ? readFile(target) : null;
  const { mark, text } = before === null ? { mark: '', text: '' } : decode(before, place.file);
  const after = Buffer.from(mark + withEntryOrRefuse(client, server, text, place.file));
  const isSame = before?.equals(after) ?? false;
  return {
    outcome: before === null ? 'created' : isSame ? 'unchanged' : 'changed',
    file: place.file,
    target,
    isElsewhere,
    before,
    after,
    diff: isSame ? '' : unifiedDiff(place.file, before, after),
  };
}

/** Makes a change: a copy of the file first, then the new one in its place at once. Gives the copy's path, if any. */
export function writeChange({ target, before, after }: Change, clock: Clock): string | null {
  if (before === null) mkdirSync(dirname(target), { recursive: true });
  const backup = before === null ? null : backupOf(target, clock());
  if (backup !== null) copyFileSync(target, backup, constants.COPYFILE_EXCL);
  const fresh = join(dirname(target), `.${basename(target)}.keepsake-${process.pid}`);
  try {
    // Others may have put secrets into it: nobody else sees it before it has the mode of the old one.
    writeFileSync(fresh, after, { flag: 'wx', flush: true, mode: before === null ? 0o666 : 0o600 });
    if (before !== null) chmodSync(fresh, statSync(target).mode & 0o7777);
    const present = existsSync(target) ? readFileSync(target) : null;
    if (present === null ? before !== null : before === null || !present.equals(before))
      throw new AppError('bad-target', `${target} was changed meanwhile; nothing was written`, {
        mend: 'run it again',
      });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
  }
  return backup;
}

/** Files of settings are often links into a folder of dotfiles; those are followed, but not silently. */
function resolveLinks({ file, within, isProject }: Place): { target: string; isElsewhere: boolean } {
  const existing = nearestExisting(file);
  const target = join(realpathSync(existing), relative(existing, file));
  const expected = existsSync(within) ? join(realpathSync(within), relative(within, file)) : file;
  const isElsewhere = target !== expected;
  if (isElsewhere && isProject && relative(realpathSync(within), target).startsWith('..'))
    throw new AppError('bad-target', `${file} is a link that leads out of the project, to ${target}`, {
      mend: 'remove the link, or change that file yourself',
    });
  return { target, isElsewhere };
}

function nearestExisting(path: string): string {
  if (existsSync(path)) return path;
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new AppError('bad-target', `${path} is a link to something that is not there`, {
      mend: 'remove or mend it',
    });
  return nearestExisting(dirname(path));
}

function readFile(target: string): Buffer {
  if (!statSync(target).isFile())
    throw new AppError('bad-target', `${target} is not a file`, { mend: 'move it away' });
  return readFileSync(target);
}

function decode(bytes: Buffer, file: string): { mark: string; text: string } {
  const whole = bytes.toString('utf8');
  if (!Buffer.from(whole).equals(bytes))
    throw new AppError('bad-target', `${file} is not UTF-8`, {
      mend: 'save it as such, then run this again',
    });
  return whole.startsWith('\uFEFF') ? { mark: '\uFEFF', text: whole.slice(1) } : { mark: '', text: whole };
}

function withEntryOrRefuse(client: Client, server: Server | null, text: string, file: string): string {
  try {
    return server === null ? withoutEntry(client, text) : withEntry(client, server, text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !(cause instanceof RangeError)) throw cause;
    // A parser that runs out of stack says nothing that helps.
    const reason = cause.name === 'RangeError' ? 'it is nested too deeply, or too long' : cause.message;
    throw new AppError(
      'bad-target',
      `${file} cannot be read as ${client.format.toUpperCase()} (${reason}); nothing was changed`,
      { mend: `mend it, or add by hand what this prints: keepsake connect ${client.name}`, cause },
    );
  }
}

function backupOf(target: string, now: number): string {
  return `${target}.backup-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
}
