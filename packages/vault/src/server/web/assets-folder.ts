import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the built web interface: beside the bundle in the package, or the build output when running from source. */
export function resolveAssetsFolder(): string {
  const places = ['../web', '../../../dist/web'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(join(place, 'assets'))) ?? '';
}
