import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** Creates a folder that contains only a link to another file, and whatever the program adds to it. */
export function createLinkFolder(folder: string, name: string, target: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const link = join(folder, name);
  // The program may have replaced the link by a file when it renewed the sign-in.
  rmSync(link, { force: true });
  symlinkSync(target, link);
}
