import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findNearestVault } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { toVaultSlug } from './vault-host.ts';
import { ServerError } from './server-error.ts';

/** Finds the vaults in a folder; returns their paths by URL name. */
export function discoverVaults(folder: string): Map<string, string> {
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
