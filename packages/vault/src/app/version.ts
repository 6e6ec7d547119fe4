import { readFileSync } from 'node:fs';

/** The version in package.json, which lies at the same distance from `src/` and `dist/`. */
export function packageVersion(): string {
  const file = new URL('../../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
