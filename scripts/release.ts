// npm run release -- --repository <owner>/<name> [--dry-run]: builds the files of a release in release/ and publishes them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { buildExecutable } from './executable/build-executable.ts';
import { compressExecutable } from './executable/compress-executable.ts';
import { executablePlatforms, nodeComponents } from './executable/node-programs.ts';
import type { ExecutablePlatform } from './executable/node-programs.ts';
import {
  archiveName,
  checksums,
  installScripts,
  scoopManifest,
  wingetManifests,
} from './executable/published-files.ts';
import type { Archive } from './executable/published-files.ts';
import { installForPlatform } from './install-packed.ts';
import { bundledIn } from './licences.ts';
import {
  addressOf,
  bundleManifest,
  formula,
  notesFor,
  platforms,
  publishedPackage,
  serverJson,
} from './release-files.ts';
import type { Package, Platform } from './release-files.ts';

const bundler = '@anthropic-ai/mcpb@2.1.2';
const folder = resolve('release');
const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    platform: { type: 'string', multiple: true },
  },
});
const repository = values.repository ?? '';
if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
  fail('missing --repository <owner>/<name>, the GitHub repository of the release');
const isWanted = (platform: string): boolean => values.platform?.includes(platform) ?? true;
const wanted = platforms.filter(isWanted);
if (![...platforms, ...executablePlatforms].some(isWanted))
  fail(`unknown platform; choose from ${[...new Set([...platforms, ...executablePlatforms])].join(', ')}`);
const source = JSON.parse(readFileSync('packages/vault/package.json', 'utf8')) as Package & {
  engines: { node: string };
};
const { name, version } = source;
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const notes =
  notesFor(changelog, version) ?? (values['dry-run'] ? notesFor(changelog, 'Unreleased') : undefined);
if (notes === undefined) fail(`CHANGELOG.md has no section for ${version}`);
const changed = run('git', ['status', '--porcelain']);
if (changed !== '' && !values['dry-run']) fail(`commit these changes first:\n${changed}`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
say('the program');
run('npm', ['run', '--silent', 'build']);
say('the package');
const tarball = packPackage();
write('server.json', serverJson(source, repository));
writeFileSync(join(folder, 'notes.md'), `${notes}\n`);
const sha256 = hashOf(tarball);
const file = `${name}-${version}.tgz`;
writeFileSync(join(folder, `${name}.rb`), formula(source, repository, { file, sha256 }));
say('the software bill of materials');
write(`${name}-${version}.cdx.json`, listParts());
const bundles = wanted.map(packBundle);
const archives: Archive[] = [];
for (const platform of executablePlatforms.filter(isWanted)) archives.push(await packExecutable(platform));
const home = addressOf(repository);
const scripts = installScripts(version, `${home}/releases/download/v${version}`, archives);
for (const { name: script, text } of scripts) writeFileSync(join(folder, script), text);
const scoop = scoopManifest(source, home, archives);
if (scoop !== null) write('keepsake.json', scoop);
for (const [manifest, content] of Object.entries(wingetManifests(source, home, archives)))
  writeFileSync(join(folder, manifest), stringify(content));
say('the site');
run('npm', ['run', '--silent', 'site', '--', '--repository', repository]);

const release = `v${version}`;
const downloads = [
  tarball,
  join(folder, `${name}-${version}.cdx.json`),
  ...bundles,
  ...archives.map((archive) => join(folder, archive.file)),
  ...scripts.map((script) => join(folder, script.name)),
];
const sums = downloads.map((path) => ({ file: basename(path), sha256: hashOf(path) }));
writeFileSync(join(folder, 'SHA256SUMS'), `${checksums(sums)}\n`);
const files = [...downloads, join(folder, 'SHA256SUMS')];
const publishing = [
  ['npm', 'publish', tarball, '--access', 'public', '--provenance'],
  ['mcp-publisher', 'login', 'github-oidc'],
  ['mcp-publisher', 'publish', join(folder, 'server.json')],
  [
    'gh',
    'release',
    'create',
    release,
    ...files,
    '--title',
    release,
    '--notes-file',
    join(folder, 'notes.md'),
  ],
];
for (const made of files) console.log(`made ${made} (${(statSync(made).size / 1e6).toFixed(1)} MB)`);
for (const [program = '', ...args] of publishing) {
  console.log(`${values['dry-run'] ? 'would run' : 'runs'}: ${[program, ...args].join(' ')}`);
  if (!values['dry-run']) execFileSync(program, args, { stdio: 'inherit' });
}
console.log(
  `The workflow builds the image from the Dockerfile and publishes site/ on the pages of ${repository}; ${name}.rb goes into the tap, keepsake.json into the Scoop bucket, and Keepsake.Keepsake*.yaml into microsoft/winget-pkgs.`,
);

/** Lists the installed dependencies, the bundled packages, and Node.js in the executables. */
function listParts(): object {
  const installed = JSON.parse(
    run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--workspace', name]),
  ) as {
    components: { 'bom-ref': string }[];
  };
  const known = new Set(installed.components.map((part) => part['bom-ref']));
  const bundled = bundledIn(readFileSync('packages/vault/dist/licences.txt', 'utf8'));
  const more = bundled.filter((part) => !known.has(part['bom-ref']));
  return { ...installed, components: [...installed.components, ...more, ...nodeComponents()] };
}

/** Packs with npm, after adding the source repository to package.json. */
function packPackage(): string {
  const [packed] = JSON.parse(
    run('npm', ['pack', '--dry-run', '--json', '--silent', './packages/vault']),
  ) as {
    files: { path: string; mode: number }[];
  }[];
  const staged = join(folder, 'package');
  for (const { path } of packed?.files ?? []) {
    mkdirSync(join(staged, dirname(path)), { recursive: true });
    copyFileSync(join('packages/vault', path), join(staged, path));
  }
  write('package/package.json', publishedPackage(source, repository));
  run('npm', ['pack', '--silent', '--pack-destination', folder, staged]);
  rmSync(staged, { recursive: true });
  return join(folder, `${name}-${version}.tgz`);
}

/** Packs the package with all of its dependencies for one platform. */
function packBundle(platform: Platform): string {
  say(`the bundle for ${platform}`);
  const staged = join(folder, platform);
  mkdirSync(staged);
  installForPlatform(tarball, platform, staged);
  write(`${platform}/manifest.json`, bundleManifest(source, repository, platform, source.engines.node));
  const bundle = join(folder, `${name}-${version}-${platform}.mcpb`);
  run('npx', ['--yes', bundler, 'pack', staged, bundle]);
  rmSync(staged, { recursive: true });
  return bundle;
}

/** Builds the single executable of a platform, as an archive. */
async function packExecutable(platform: ExecutablePlatform): Promise<Archive> {
  say(`the executable for ${platform}`);
  const staged = join(folder, `executable-${platform}`);
  mkdirSync(staged);
  installForPlatform(tarball, platform, staged);
  const nodes = resolve('.tools/executables');
  const program = await buildExecutable({ platform, version, installed: staged, folder: staged, nodes });
  const archive = archiveName(version, platform);
  await compressExecutable(program, join(folder, archive));
  rmSync(staged, { recursive: true });
  return { platform, file: archive, sha256: hashOf(join(folder, archive)) };
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function write(path: string, value: object): void {
  writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`);
}

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e9 });
}

function say(what: string): void {
  console.log(`making ${what}`);
}

function fail(why: string): never {
  console.error(why);
  process.exit(2);
}
