import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes a folder of notes a vault as `keepsake init` creates it, unless it already has an identity. Without one it would count as an
 * adopted folder, and the instructions of the agents would describe it as such.
 */
export function writeVaultIdentity(vault: string): void {
  const file = join(vault, '.keepsake', 'vault.json');
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{"id":"benchmark-vault","version":1}\n');
}
