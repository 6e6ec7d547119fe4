import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { identityFile, parseIdentity } from '../vault/index.ts';
import { formerPathsFileName, isSameFolder, readRecordedVaultPath } from './state-folder.ts';

/** A vault that was used on this machine: its id, its state folder, and the paths it had, the last one first. */
export type KnownVault = { id: string; stateFolder: string; paths: string[] };

/** The vaults that have a state folder. */
export function listKnownVaults(stateHome: string): KnownVault[] {
  return readStateFolders(listFolders(stateHome).map((name) => join(stateHome, name)));
}

function readStateFolders(folders: string[]): KnownVault[] {
  return folders.flatMap((stateFolder) => {
    const path = readRecordedVaultPath(stateFolder);
    if (path === null) return [];
    const id = basename(stateFolder).replace(/-copy-[\da-f]{16}$/, '');
    return [{ id, stateFolder, paths: [path, ...readFormerPaths(stateFolder)] }];
  });
}

/** The known vault that was last in this folder, according to the state folder `named` if that is given; null if there is none. */
export function findVaultKnownAt(folder: string, stateHome: string, named?: string): KnownVault | null {
  const place = resolveExisting(resolve(folder));
  const isHere = (path: string | undefined): boolean =>
    path !== undefined && (path === resolve(folder) || resolveExisting(path) === place);
  const known = named === undefined ? listKnownVaults(stateHome) : readStateFolders([named]);
  return (
    known.find(({ paths: [last] }) => isHere(last)) ?? known.find(({ paths }) => paths.some(isHere)) ?? null
  );
}

/** How many folders are inspected for a vault that was renamed or moved nearby. */
const maxInspectedFolders = 2_000;

/** The folder where a known vault is now: at one of its paths, or near them. Null if it is not found. */
export function locateVault({ id, paths }: KnownVault): string | null {
  const found = paths.find((path) => readIdAt(path) === id);
  if (found !== undefined) return found;
  let inspected = 0;
  for (const parent of new Set(paths.map((path) => dirname(path))))
    for (const folders of [[parent], listFolders(parent).map((name) => join(parent, name))])
      for (const folder of folders)
        for (const name of listFolders(folder)) {
          if ((inspected += 1) > maxInspectedFolders) return null;
          if (readIdAt(join(folder, name)) === id) return join(folder, name);
        }
  return null;
}

/** Null if the folder is no vault, or a damaged one. */
export function readIdAt(folder: string): string | null {
  try {
    return parseIdentity(readFileSync(join(folder, identityFile), 'utf8')).id;
  } catch {
    return null;
  }
}

/** Compares folders that may no longer exist. */
export function isSamePlace(one: string, other: string): boolean {
  return isSameFolder(one, other) || resolveExisting(resolve(one)) === resolveExisting(resolve(other));
}

export function readFormerPaths(stateFolder: string): string[] {
  try {
    return readFileSync(join(stateFolder, formerPathsFileName), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** The names of the folders in a folder without hidden ones; none if it cannot be read. */
function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Resolves the links of the part of a path that exists. */
function resolveExisting(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return dirname(path) === path ? path : join(resolveExisting(dirname(path)), basename(path));
}
