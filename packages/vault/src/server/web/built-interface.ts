import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the built interface: beside the bundle in the package; where the build puts it when the sources run. */
export function builtInterface(): string {
  const places = ['../web', '../../../dist/web'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(join(place, 'assets'))) ?? '';
}
