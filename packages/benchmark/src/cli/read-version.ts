import { readFileSync } from 'node:fs';

/** The version of the package, whether it runs from source or from a bundle. */
export function readBenchmarkVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
