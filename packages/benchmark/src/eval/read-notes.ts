import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads every note below a folder. Returns the texts by their path relative to the folder. */
export function markdownIn(folder: string): Map<string, string> {
  const paths = globSync('**/*.md', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
