import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { packArchive } from '../../packages/vault/src/executable/archive.ts';
import { importScript } from '../../packages/vault/src/executable/single-executable.ts';
import { findSignatureProblem, signMachO } from './mach-o.ts';
import { fetchNode } from './node-programs.ts';
import type { ExecutablePlatform } from './node-programs.ts';
import { programFiles } from './program-files.ts';

type Options = {
  platform: ExecutablePlatform;
  version: string;
  /** The folder into which npm installed the package for this platform. */
  installed: string;
  /** The folder for the executable and the files it is made of. */
  folder: string;
  /** The folder in which programs of Node.js are kept for the next build. */
  nodes: string;
};

/** Builds the single executable of a platform and returns its path: Node.js with the installed package as an asset. */
export async function buildExecutable(options: Options): Promise<string> {
  const { platform, version, installed, nodes } = options;
  const folder = resolve(options.folder, platform);
  mkdirSync(folder, { recursive: true });
  const files = [
    ...programFiles(installed, platform),
    { name: `node_modules/keepsake-vault/${importScript}`, mode: 0o600, bytes: Buffer.from(importSource) },
  ];
  if (platform.startsWith('darwin')) requireSignatures(files);
  const archive = packArchive(files);
  const assets = {
    program: archive,
    hash: createHash('sha256').update(archive).digest('hex'),
    main: 'node_modules/keepsake-vault/dist/cli/main.js',
    version,
  };
  for (const [name, content] of Object.entries(assets)) writeFileSync(join(folder, name), content);
  await bundleBoot(join(folder, 'boot.cjs'));
  const output = join(folder, platform.startsWith('win32') ? 'keepsake.exe' : 'keepsake');
  const configuration = {
    main: join(folder, 'boot.cjs'),
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    useCodeCache: false,
    // Flags of Node.js come by NODE_OPTIONS only, never by arguments.
    execArgvExtension: 'env',
    assets: Object.fromEntries(Object.keys(assets).map((name) => [name, join(folder, name)])),
  };
  const node = fetchNode(platform, nodes);
  if (platform === 'darwin-arm64') buildSigned(configuration, node, output, fetchNode('builder-26', nodes));
  else inject(configuration, node, output, fetchNode('linux-x64', nodes));
  chmodSync(output, 0o755);
  return output;
}

const injector = 'postject@1.0.0-alpha.6';
const importSource = `module.exports = (address) => import(address);\n`;

/** `builder` is Node.js of the same version as `node`, for the system that builds. */
function inject(configuration: object, node: string, output: string, builder: string): void {
  const blob = `${output}.blob`;
  writeFileSync(`${output}.json`, JSON.stringify({ ...configuration, output: blob }));
  execFileSync(builder, ['--experimental-sea-config', `${output}.json`], { stdio: 'pipe' });
  copyFileSync(node, output);
  chmodSync(output, 0o755);
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
  const args = ['--yes', injector, output, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse];
  execFileSync('npx', args, { stdio: 'pipe' });
}

/** Node.js 26 makes the executable itself; adding the program removes the signature. */
function buildSigned(configuration: object, node: string, output: string, builder: string): void {
  writeFileSync(`${output}.json`, JSON.stringify({ ...configuration, output, executable: node }));
  execFileSync(builder, ['--build-sea', `${output}.json`], { stdio: 'pipe' });
  const signed = signMachO(readFileSync(output), 'keepsake');
  const problem = findSignatureProblem(signed);
  if (problem !== null) throw new Error(`the signature of ${output} is wrong: ${problem}`);
  writeFileSync(output, signed);
}

async function bundleBoot(file: string): Promise<void> {
  const bundled = await rolldown({
    input: 'packages/vault/src/executable/boot.ts',
    platform: 'node',
    treeshake: { moduleSideEffects: false },
  });
  await bundled.write({ file, format: 'cjs', codeSplitting: false });
  await bundled.close();
}

/** macOS loads no native addon without a signature. */
function requireSignatures(files: readonly { name: string; bytes: Buffer }[]): void {
  const addons = files.filter(({ name }) => /\.(?:node|dylib)$/.test(name));
  for (const { name, bytes } of addons) {
    const problem = findSignatureProblem(bytes);
    if (problem !== null) throw new Error(`the signature of ${name} is wrong: ${problem}`);
  }
}
