// npm run release -- --repository <owner>/<name> [--dry-run]: builds the files of a release in release/ and publishes them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundledIn } from './licences.ts';
import {
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
const wanted = platforms.filter((each) => values.platform?.includes(each) ?? true);
if (wanted.length === 0) fail(`unknown platform; choose from ${platforms.join(', ')}`);
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
const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
const file = `${name}-${version}.tgz`;
writeFileSync(join(folder, `${name}.rb`), formula(source, repository, { file, sha256 }));
say('the software bill of materials');
write(`${name}-${version}.cdx.json`, listParts());
const bundles = wanted.map(packBundle);
say('the site');
run('npm', ['run', '--silent', 'site', '--', '--repository', repository]);

const release = `v${version}`;
const files = [tarball, join(folder, `${name}-${version}.cdx.json`), ...bundles];
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
  `The workflow builds the image from the Dockerfile and publishes site/ on the pages of ${repository}; ${name}.rb goes into the tap.`,
);

/** Lists the installed dependencies and the bundled packages. */
function listParts(): object {
  const installed = JSON.parse(
    run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--workspace', name]),
  ) as {
    components: { 'bom-ref': string }[];
  };
  const known = new Set(installed.components.map((part) => part['bom-ref']));
  const bundled = bundledIn(readFileSync('packages/vault/dist/licences.txt', 'utf8'));
  const more = bundled.filter((part) => !known.has(part['bom-ref']));
  return { ...installed, components: [...installed.components, ...more] };
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
  const [os = '', cpu = ''] = platform.split('-');
  const staged = join(folder, platform);
  const target = [
    '--prefix',
    staged,
    '--os',
    os,
    '--cpu',
    cpu,
    ...(os === 'linux' ? ['--libc', 'glibc'] : []),
  ];
  mkdirSync(staged);
  run('npm', ['install', tarball, ...target, '--ignore-scripts', '--no-audit', '--no-fund', '--silent']);
  write(`${platform}/manifest.json`, bundleManifest(source, repository, platform, source.engines.node));
  const bundle = join(folder, `${name}-${version}-${platform}.mcpb`);
  run('npx', ['--yes', bundler, 'pack', staged, bundle]);
  rmSync(staged, { recursive: true });
  return bundle;
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
