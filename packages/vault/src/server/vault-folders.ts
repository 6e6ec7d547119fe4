import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearestVault } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { vaultNameOf } from './host.ts';
import { ServerError } from './auth/error.ts';

/** The vaults that lie in a folder, by the name they have in addresses. */
export function vaultsIn(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const called of entriesOf(folder).toSorted()) {
    const vault = join(resolve(folder), called);
    if (nearestVault(vault) !== vault) continue;
    const name = vaultNameOf(vault);
    const other = found.get(name);
    if (other !== undefined)
      throw new ServerError('same-name', `${other} and ${vault} would have the same address, /v/${name}/`, {
        mend: 'rename one of them',
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
      mend: 'name the folder in which your vaults lie',
      cause,
    });
  }
}
