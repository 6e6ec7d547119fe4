import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Only one process at a time writes to our repositories, so a remaining lock file belongs to a git process that was killed.
 */
export function removeStaleLocks(folder: string): void {
  for (const below of ['', 'refs/heads', 'refs/keepsake', 'objects/info']) {
    const place = join(folder, below);
    const names = existsSync(place) ? readdirSync(place) : [];
    for (const name of names) if (name.endsWith('.lock')) rmSync(join(place, name), { force: true });
  }
}
