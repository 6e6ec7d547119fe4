import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every note below a folder: path within it to text. */
export function markdownIn(folder: string): Map<string, string> {
  const paths = globSync('**/*.md', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
