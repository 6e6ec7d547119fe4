import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findNearestVault } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { toVaultSlug } from './vault-host.ts';
import { ServerError } from './server-error.ts';

export type VaultDirectory = {
  /** Lists the URL names of all vaults. */
  names(): string[];
  /** Returns the path of a vault. */
  find(name: string): string | undefined;
};

type DirectoryOptions = { clock?: Clock; discover?: typeof discoverVaults };

const minListIntervalMs = 1_000;

/**
 * Finds vaults by URL name. Listing the folder takes time that grows with the number of vaults, and anyone can request
 * an unknown name, so `find` lists it at most once per second.
 */
export function openVaultDirectory(
  folder: string,
  { clock = () => performance.now(), discover = discoverVaults }: DirectoryOptions = {},
): VaultDirectory {
  let vaults = discover(folder);
  let listedAt = clock();
  const list = (): void => {
    listedAt = clock();
    vaults = discover(folder);
  };
  const get = (name: string): string | undefined => {
    const vault = vaults.get(name);
    return vault !== undefined && findNearestVault(vault) === vault ? vault : undefined;
  };
  return {
    names() {
      list();
      return [...vaults.keys()];
    },
    find(name) {
      if (get(name) === undefined && clock() - listedAt >= minListIntervalMs) list();
      return get(name);
    },
  };
}

/** Finds the vaults in a folder; returns their paths by URL name. */
function discoverVaults(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const called of entriesOf(folder).toSorted()) {
    const vault = join(resolve(folder), called);
    if (findNearestVault(vault) !== vault) continue;
    const name = toVaultSlug(vault);
    const other = found.get(name);
    if (other !== undefined)
      throw new ServerError('same-name', `${other} and ${vault} map to the same URL /v/${name}/`, {
        hint: 'rename one of them',
      });
    found.set(name, vault);
  }
  return found;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw new ServerError('bad-folder', `${folder} cannot be read (${describeError(cause)})`, {
      hint: 'pass the folder that contains your vaults',
      cause,
    });
  }
}
