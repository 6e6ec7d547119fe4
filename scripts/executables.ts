// node scripts/executables.ts [--package <tarball>] [--folder <folder>] [--platform <platform>]: builds the single
// executables, by default those of the built package for all platforms.
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable } from './executable/build-executable.ts';
import { executablePlatforms } from './executable/node-programs.ts';
import { installForPlatform, pack } from './install-packed.ts';

const { values } = parseArgs({
  options: {
    package: { type: 'string' },
    folder: { type: 'string' },
    platform: { type: 'string', multiple: true },
  },
});
const folder = resolve(values.folder ?? 'release/executables');
mkdirSync(folder, { recursive: true });
const tarball = resolve(values.package ?? pack('vault', folder).file);
const { version } = JSON.parse(
  execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
) as { version: string };
for (const platform of executablePlatforms.filter((each) => values.platform?.includes(each) ?? true)) {
  const installed = join(folder, `installed-${platform}`);
  mkdirSync(installed, { recursive: true });
  installForPlatform(tarball, platform, installed);
  const nodes = resolve('.tools/executables');
  const made = await buildExecutable({ platform, version, installed, folder, nodes });
  console.log(`made ${made} (${(statSync(made).size / 1e6).toFixed(1)} MB)`);
}
