import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Only one process at a time writes into a repository of ours, so a lock that is left was left by a git that was killed. */
export function removeStaleLocks(folder: string): void {
  for (const below of ['', 'refs/heads', 'refs/keepsake', 'objects/info']) {
    const place = join(folder, below);
    const names = existsSync(place) ? readdirSync(place) : [];
    for (const name of names) if (name.endsWith('.lock')) rmSync(join(place, name), { force: true });
  }
}
