import { readFileSync } from 'node:fs';

/** The version of the package that this code is in, as source or as a bundle. */
export function readPackageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
