import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export type RunFolder = {
  /** Contains the given files, readable by the user only. */
  folder: string;
  /**
   * An empty folder with the same path in every run. Tools tell the model where they run, and a new path would make
   * the provider's cache useless.
   */
  workFolder: string;
  remove(): void;
};

/** Older folders are left over from a process that was killed. */
const maxAgeMs = 24 * 60 * 60_000;

/** Creates a private folder with the files of one run. */
export function createRunFolder(base: string, files: Record<string, string>): RunFolder {
  const workFolder = join(base, 'work');
  mkdirSync(workFolder, { recursive: true, mode: 0o700 });
  removeLeftovers(base);
  const folder = mkdtempSync(join(base, 'run-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return { folder, workFolder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function removeLeftovers(base: string): void {
  for (const name of readdirSync(base).filter((each) => each.startsWith('run-'))) {
    const folder = join(base, name);
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - made > maxAgeMs) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Creates a folder that contains only a link to another file, and whatever the program adds to it. If the program has
 * replaced the link by a newer file when it renewed the sign-in, the file stays: the older sign-in no longer works.
 */
export function createLinkFolder(folder: string, name: string, target: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const link = join(folder, name);
  const present = lstatSync(link, { throwIfNoEntry: false });
  if (present?.isSymbolicLink() === true && readlinkSync(link) === target) return;
  if (present?.isFile() === true && present.mtimeMs > statSync(target).mtimeMs) return;
  // Renamed, because a program of another process may be reading the present link.
  const created = `${link}.${randomUUID()}`;
  symlinkSync(target, created);
  renameSync(created, link);
}
