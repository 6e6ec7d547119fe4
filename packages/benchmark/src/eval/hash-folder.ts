import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** SHA-256 over the paths and bytes of all files in a folder, in the order of their paths. */
export function hashFolder(folder: string): { files: number; sha256: string } {
  const paths = globSync('**/*', { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(join(folder, path)).isFile())
    .toSorted();
  const hash = createHash('sha256');
  for (const path of paths) {
    const bytes = readFileSync(join(folder, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return { files: paths.length, sha256: hash.digest('hex') };
}
