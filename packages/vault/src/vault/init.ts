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
import { chosenOf, layoutFrom, proposeNames } from './layout-names.ts';
import type { Layout, LayoutNames } from './layout.ts';
import { rootFiles, rootFileText, rootFolders } from './root-files.ts';
import type { Language } from './root-files.ts';

export type Initialised = {
  root: VaultRoot;
  outcome: 'created' | 'adopted' | 'already';
  /** The names that it has chosen. */
  names: Partial<LayoutNames>;
  /** Files it holds that may be meant for what would be files of other names; nothing is done about them. */
  proposed: Partial<LayoutNames>;
};

/**
 * Makes a folder a vault. A new or empty one gets the root files; one that holds anything gets nothing but
 * `.keepsake/`, which says that notes without stamps are to stay so. `names` are those that the person has chosen, also for
 * what is a vault already.
 */
export function initVault(
  folder: string,
  {
    language,
    home,
    clock,
    names = {},
  }: { language: Language; home: string; clock: Clock; names?: Partial<LayoutNames> },
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
  const identity = readIdentity(root);
  const layout = chooseNames(root, identity, names);
  const chosen = chosenOf(layout.names);
  const described = (outcome: Initialised['outcome']): Initialised => ({
    root,
    outcome,
    names: chosen,
    proposed: outcome === 'created' ? {} : proposeNames(topOf(root), layout),
  });
  if (identity !== null) {
    if (Object.keys(names).length > 0) replaceIdentity(root, withNames(identity, chosen));
    return described('already');
  }
  const isFresh = readdirSync(root).every((name) => name.startsWith('.'));
  if (isFresh) layOut(root, language, clock, layout);
  writeIdentity(root, withNames(isFresh ? {} : adopted, chosen));
  return described(isFresh ? 'created' : 'adopted');
}

/** Those of the vault, with these in their place. What is wrong with them keeps nobody from choosing others. */
function chooseNames(root: VaultRoot, identity: VaultIdentity | null, names: Partial<LayoutNames>): Layout {
  const present = layoutFrom(identity?.layout);
  const layout = layoutFrom({ ...chosenOf(present.names), ...names });
  if (layout.problem === null) return layout;
  throw new VaultError('bad-name', `${root} cannot have these names: ${layout.problem}`, {
    mend: 'name a note or a folder at the top of the vault, for example: --map changelog=Log.md',
  });
}

function withNames<Identity extends object>(identity: Identity, chosen: Partial<LayoutNames>): Identity {
  const { layout: _, ...rest } = identity as Identity & { layout?: unknown };
  return (Object.keys(chosen).length === 0 ? rest : { ...rest, layout: chosen }) as Identity;
}

/** What is at the top of a folder, but for what is hidden or linked. */
function topOf(root: VaultRoot): { name: string; isFolder: boolean }[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
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
  if (isLaidOut(identity)) makeFolders(root, layoutFrom(identity.layout));
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

function replaceIdentity(root: VaultRoot, identity: VaultIdentity): void {
  const renewed = join(root, `${identityFile}.${randomUUID()}`);
  writeNew(renewed, `${JSON.stringify(identity, null, 2)}\n`);
  renameSync(renewed, join(root, identityFile));
}

function writeIdentity(root: VaultRoot, more: Pick<VaultIdentity, 'upkeep' | 'layout'>): void {
  const identity = { id: randomUUID(), version: 1, ...more };
  writeNew(join(root, identityFile), `${JSON.stringify(identity, null, 2)}\n`);
}

function makeFolders(root: VaultRoot, { names }: Layout): void {
  for (const folder of [...rootFolders, names.projects]) mkdirSync(join(root, folder), { recursive: true });
}

function layOut(root: VaultRoot, language: Language, clock: Clock, layout: Layout): void {
  makeFolders(root, layout);
  const now = localTime(clock());
  for (const name of Object.keys(rootFiles[language])) {
    const stamped = setTimes(rootFileText(name, language), { created: now, updated: now });
    if (!stamped.ok) throw new VaultError('io', stamped.reason);
    writeNew(join(root, layout.inWords(name)), stamped.text);
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
