import { fileURLToPath } from 'node:url';

/** The path of a bundled dataset. */
export function bundledData(name: string): string {
  return fileURLToPath(new URL(`../../data/${name}`, import.meta.url));
}
