import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { localTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { systemCode, VaultError } from './error.ts';
import { setTimes } from './frontmatter.ts';
import { adopted, identityFile, identityFolder, isLaidOut, readIdentity } from './identity.ts';
import type { VaultIdentity } from './identity.ts';
import { openRoot } from './jail.ts';
import type { VaultRoot } from './jail.ts';
import { rootFiles, rootFileText, rootFolders } from './root-files.ts';
import type { Language } from './root-files.ts';

export type Initialised = { root: VaultRoot; outcome: 'created' | 'adopted' | 'already' };

/**
 * Makes a folder a vault. A new or empty one gets the root files; one that holds anything gets nothing but
 * `.keepsake/`, which says that notes without stamps are to stay so.
 */
export function initVault(
  folder: string,
  { language, home, clock }: { language: Language; home: string; clock: Clock },
): Initialised {
  const target = resolve(folder);
  if (target === parse(target).root || target === resolve(home)) {
    throw new VaultError('unsafe-folder', `${target} is not a place for a vault`, {
      mend: `name a folder of its own, for example: keepsake init ${join(home, 'vault')}`,
    });
  }
  const root = makeRoot(target);
  if (lstatSync(join(root, identityFolder), { throwIfNoEntry: false })?.isSymbolicLink())
    throw new VaultError('unsafe-folder', `${join(root, identityFolder)} is a symbolic link`, {
      mend: 'remove it first',
    });
  if (readIdentity(root) !== null) return { root, outcome: 'already' };
  const isFresh = readdirSync(root).every((name) => name.startsWith('.'));
  if (isFresh) layOut(root, language, clock);
  writeIdentity(root, isFresh ? {} : adopted);
  return { root, outcome: isFresh ? 'created' : 'adopted' };
}

function makeRoot(target: string): VaultRoot {
  try {
    mkdirSync(target, { recursive: true });
  } catch (cause) {
    throw new VaultError('not-a-folder', `${target} cannot be made a folder (${systemCode(cause)})`, {
      mend: 'name another place',
      cause,
    });
  }
  return openRoot(target);
}

/** Makes a folder a vault without touching its files, as its first write does. */
export function adoptVault(root: VaultRoot): void {
  if (readIdentity(root) === null) writeIdentity(root, adopted);
}

/** Makes an empty folder the vault that another machine has: with the same identity, and the folders of a new one. */
export function joinVault(root: VaultRoot, identity: VaultIdentity): void {
  if (isLaidOut(identity))
    for (const folder of rootFolders) mkdirSync(join(root, folder), { recursive: true });
  writeNew(join(root, identityFile), `${JSON.stringify(identity, null, 2)}\n`);
}

/**
 * Gives a copy of a vault an id of its own; everything else in the file stays. False, and nothing is changed, when the new file
 * shows up in the original as well: then they are one folder.
 */
export function renewIdentity(root: VaultRoot, original: string): boolean {
  const identity = { ...readIdentity(root), id: randomUUID() };
  const renewed = `${identityFile}.${identity.id}`;
  writeNew(join(root, renewed), `${JSON.stringify(identity, null, 2)}\n`);
  if (existsSync(join(original, renewed))) {
    rmSync(join(root, renewed));
    return false;
  }
  renameSync(join(root, renewed), join(root, identityFile));
  return true;
}

function writeIdentity(root: VaultRoot, more: Pick<VaultIdentity, 'upkeep'>): void {
  const identity = { id: randomUUID(), version: 1, ...more };
  writeNew(join(root, identityFile), `${JSON.stringify(identity, null, 2)}\n`);
}

function layOut(root: VaultRoot, language: Language, clock: Clock): void {
  for (const folder of rootFolders) mkdirSync(join(root, folder), { recursive: true });
  const now = localTime(clock());
  for (const name of Object.keys(rootFiles[language])) {
    const stamped = setTimes(rootFileText(name, language), { created: now, updated: now });
    if (!stamped.ok) throw new VaultError('io', stamped.reason);
    writeNew(join(root, name), stamped.text);
  }
}

/** Never replaces a file. On a full disk there is none afterwards, instead of half of one. */
function writeNew(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, 'wx');
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
