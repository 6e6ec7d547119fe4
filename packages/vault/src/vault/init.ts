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
import { formatLocalTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { errorCode, VaultError } from './vault-error.ts';
import { createFolders } from './create-folders.ts';
import { setTimes } from './frontmatter.ts';
import { adoptedIdentity, identityFile, identityFolder, isScaffolded, readIdentity } from './identity.ts';
import type { VaultIdentity } from './identity.ts';
import { resolveRoot } from './open-path.ts';
import type { VaultRoot } from './open-path.ts';
import { customNames, parseLayout, suggestNames } from './parse-layout.ts';
import { bucketPath } from './layout.ts';
import type { Layout, LayoutNames } from './layout.ts';
import { baseName } from './path.ts';
import { rootFiles, rootFileText } from './root-files.ts';
import type { Language } from './root-files.ts';

export type InitResult = {
  root: VaultRoot;
  outcome: 'created' | 'adopted' | 'already';
  /** The custom names of the vault. */
  names: Partial<LayoutNames>;
  /** Existing files that could serve as the standard files; they are only suggested. */
  suggestedNames: Partial<LayoutNames>;
};

/**
 * Makes a folder a vault. A new or empty folder gets the root files; any other folder gets only `.keepsake/`, with a
 * setting that prevents stamps from being added to notes without them. `names` are custom names and `chosenLanguage` is the
 * language that the user asked for; both are also applied to an existing vault. The root files are in `language` if none was chosen.
 */
export function initVault(
  folder: string,
  {
    language,
    home,
    clock,
    names = {},
    chosenLanguage,
  }: {
    language: Language;
    home: string;
    clock: Clock;
    names?: Partial<LayoutNames>;
    chosenLanguage?: Language | undefined;
  },
): InitResult {
  const target = resolve(folder);
  if (target === parse(target).root || target === resolve(home)) {
    throw new VaultError('unsafe-folder', `${target} cannot be a vault`, {
      hint: `choose a separate folder, for example: keepsake init ${join(home, 'vault')}`,
    });
  }
  const root = createRoot(target);
  if (lstatSync(join(root, identityFolder), { throwIfNoEntry: false })?.isSymbolicLink())
    throw new VaultError('unsafe-folder', `${join(root, identityFolder)} is a symbolic link`, {
      hint: 'remove it first',
    });
  const identity = readIdentity(root);
  const layout = resolveNames(root, identity, names);
  const chosen = customNames(layout.names);
  const described = (outcome: InitResult['outcome']): InitResult => ({
    root,
    outcome,
    names: chosen,
    suggestedNames: outcome === 'created' ? {} : suggestNames(listTopLevel(root), layout),
  });
  if (identity !== null) {
    const isChanged = Object.keys(names).length > 0 || chosenLanguage !== undefined;
    if (isChanged) replaceIdentity(root, setLanguage(setNames(identity, chosen), chosenLanguage));
    return described('already');
  }
  const isFresh = readdirSync(root).every((name) => name.startsWith('.'));
  const spoken = chosenLanguage ?? (isFresh ? language : undefined);
  if (isFresh) createRootFiles(root, spoken ?? language, clock, layout);
  writeIdentity(root, setLanguage(setNames(isFresh ? {} : adoptedIdentity, chosen), spoken));
  return described(isFresh ? 'created' : 'adopted');
}

/** Merges the existing names with the given ones. Invalid existing names are replaced. */
function resolveNames(root: VaultRoot, identity: VaultIdentity | null, names: Partial<LayoutNames>): Layout {
  const currentLayout = parseLayout(identity?.layout);
  const layout = parseLayout({ ...customNames(currentLayout.names), ...names });
  if (layout.problem === null) return layout;
  throw new VaultError('bad-name', `invalid names for ${root}: ${layout.problem}`, {
    hint: 'use the name of a note or folder at the top of the vault, for example: --map changelog=Log.md',
  });
}

function setNames<Identity extends object>(identity: Identity, chosen: Partial<LayoutNames>): Identity {
  const { layout: _, ...rest } = identity as Identity & { layout?: unknown };
  return (Object.keys(chosen).length === 0 ? rest : { ...rest, layout: chosen }) as Identity;
}

function setLanguage<Identity extends object>(identity: Identity, language: Language | undefined): Identity {
  return language === undefined ? identity : { ...identity, language };
}

/** Lists the files and folders at the top level, without hidden entries and symbolic links. */
function listTopLevel(root: VaultRoot): { name: string; isFolder: boolean }[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

function createRoot(target: string): VaultRoot {
  try {
    createFolders(target);
  } catch (cause) {
    throw new VaultError('not-a-folder', `cannot create the folder ${target} (${errorCode(cause)})`, {
      hint: 'choose another location',
      cause,
    });
  }
  return resolveRoot(target);
}

/** Makes a folder a vault without changing its files; called before its first write. */
export function adoptVault(root: VaultRoot): void {
  if (readIdentity(root) === null) writeIdentity(root, adoptedIdentity);
}

/** Initializes an empty folder as a copy of a vault on another machine, with the same identity. */
export function joinVault(root: VaultRoot, identity: VaultIdentity): void {
  if (isScaffolded(identity)) makeFolders(root, parseLayout(identity.layout));
  createFile(join(root, identityFile), `${JSON.stringify(identity, null, 2)}\n`);
}

/**
 * Gives a copy of a vault a new id and keeps the rest of the identity. Returns false and changes nothing if the new
 * identity file also appears in the original folder, because then both paths are the same folder.
 */
export function regenerateIdentity(root: VaultRoot, original: string): boolean {
  const identity = { ...readIdentity(root), id: randomUUID() };
  const renewed = `${identityFile}.${identity.id}`;
  createFile(join(root, renewed), `${JSON.stringify(identity, null, 2)}\n`);
  if (existsSync(join(original, renewed))) {
    rmSync(join(root, renewed));
    return false;
  }
  renameSync(join(root, renewed), join(root, identityFile));
  return true;
}

function replaceIdentity(root: VaultRoot, identity: VaultIdentity): void {
  const renewed = join(root, `${identityFile}.${randomUUID()}`);
  createFile(renewed, `${JSON.stringify(identity, null, 2)}\n`);
  renameSync(renewed, join(root, identityFile));
}

function writeIdentity(root: VaultRoot, more: Pick<VaultIdentity, 'upkeep' | 'layout' | 'language'>): void {
  const identity = { id: randomUUID(), version: 1, ...more };
  createFile(join(root, identityFile), `${JSON.stringify(identity, null, 2)}\n`);
}

function makeFolders(root: VaultRoot, { names }: Layout): void {
  for (const folder of [names.inbox, baseName(bucketPath), names.projects])
    mkdirSync(join(root, folder), { recursive: true });
}

function createRootFiles(root: VaultRoot, language: Language, clock: Clock, layout: Layout): void {
  makeFolders(root, layout);
  const now = formatLocalTime(clock());
  for (const name of Object.keys(rootFiles[language])) {
    const stamped = setTimes(rootFileText(name, language), { created: now, updated: now });
    if (!stamped.ok) throw new VaultError('io', stamped.reason);
    createFile(join(root, layout.substituteNames(name)), stamped.text);
  }
}

/** Creates a file and never replaces one. Removes the partial file if the write fails. */
function createFile(file: string, text: string): void {
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
