import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file and folder with a hash of its content, except generated files. */
export function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    entries
      .filter((path) => !path.startsWith('.keepsake/') && path !== '.keepsake' && path !== 'tree.md')
      .map((path) => {
        const full = join(folder, path);
        return [path, lstatSync(full).isFile() ? hashOf(readFileSync(full)) : 'folder'];
      }),
  );
}

export function filesIn(folder: string): string[] {
  return Object.entries(snapshot(folder)).flatMap(([path, is]) => (is === 'folder' ? [] : [path]));
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12);
}
