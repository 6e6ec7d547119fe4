import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { findSignatureProblem, signMachO } from '../scripts/executable/mach-o.ts';
import { programFiles } from '../scripts/executable/program-files.ts';
import {
  checksums,
  installScripts,
  scoopManifest,
  wingetManifests,
} from '../scripts/executable/published-files.ts';
import type { Archive } from '../scripts/executable/published-files.ts';
import { useTemporaryFolder } from './use-temporary-folder.ts';

const root = useTemporaryFolder();

/** A Mach-O file with a code segment of `size` bytes and a last segment, without a signature. */
function unsignedMachO(size = 10_000): Buffer {
  const file = Buffer.alloc(size);
  file.fill(7, 4096);
  [0xfeedfacf, 0x0100000c, 0, 2, 2, 72 + 80 + 72].forEach((value, index) =>
    file.writeUInt32LE(value, index * 4),
  );
  const segment = (at: number, name: string, sections: number, offset: number, length: number): void => {
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(72 + sections * 80, at + 4);
    file.write(name, at + 8, 'latin1');
    file.writeBigUInt64LE(BigInt(offset), at + 40);
    file.writeBigUInt64LE(BigInt(length), at + 48);
    file.writeUInt32LE(sections, at + 64);
  };
  segment(32, '__TEXT', 1, 0, 8192);
  file.writeUInt32LE(4096, 32 + 72 + 48);
  segment(32 + 72 + 80, '__LINKEDIT', 0, 8192, size - 8192);
  return file;
}

it('a Mach-O program gets a signature of all its pages', () => {
  const unsigned = unsignedMachO();
  expect(findSignatureProblem(unsigned)).toBe('it has no signature');
  const signed = signMachO(unsigned, 'keepsake');
  expect(findSignatureProblem(signed)).toBeNull();
  expect(findSignatureProblem(signMachO(signed, 'keepsake'))).toBeNull();
  const changed = Buffer.from(signed);
  changed[5000] = 8;
  expect(findSignatureProblem(changed)).toBe('1 of 3 pages were changed');
  expect(findSignatureProblem(signed.subarray(0, signed.length - 100))).toBe('the signature is incomplete');
  expect(() => signMachO(Buffer.from('#!/bin/sh\n'), 'keepsake')).toThrow('not a 64-bit Mach-O file');
});

it('an executable contains the files that run on its platform, and the licences', () => {
  const files = [
    'keepsake-vault/dist/cli/main.js',
    'keepsake-vault/demo/vault/overview.md',
    'better-sqlite3/lib/database.js',
    'better-sqlite3/LICENSE.md',
    'better-sqlite3/prebuilds/linux-x64.node',
    'better-sqlite3/prebuilds/linuxmusl-x64.node',
    'better-sqlite3/prebuilds/darwin-arm64.node',
    'better-sqlite3/deps/sqlite3/sqlite3.c',
    'koffi/src/koffi/index.cjs',
    'sqlite-vec-linux-x64/vec0.so',
    '@koromix/koffi-linux-x64/linux_x64/koffi.node',
    '@koromix/koffi-linux-x64/musl_x64/koffi.node',
    'unpdf/README.md',
    'unpdf/dist/index.d.ts',
    '.bin/keepsake',
  ];
  for (const name of files) {
    const file = join(root, 'node_modules', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  expect(programFiles(root, 'linux-x64').map(({ name }) => name.replace('node_modules/', ''))).toEqual([
    '@koromix/koffi-linux-x64/linux_x64/koffi.node',
    'better-sqlite3/LICENSE.md',
    'better-sqlite3/lib/database.js',
    'better-sqlite3/prebuilds/linux-x64.node',
    'keepsake-vault/demo/vault/overview.md',
    'keepsake-vault/dist/cli/main.js',
    'koffi/src/koffi/index.cjs',
    'sqlite-vec-linux-x64/vec0.so',
  ]);
});

const sha256 = 'ab'.repeat(32);
const archives: Archive[] = [
  { platform: 'linux-x64', file: 'keepsake-1.2.3-linux-x64.tar.gz', sha256: 'cd'.repeat(32) },
  { platform: 'win32-x64', file: 'keepsake-1.2.3-win32-x64.zip', sha256 },
];
const source = { name: 'keepsake-vault', version: '1.2.3', description: 'Notes.', license: 'Apache-2.0' };
const home = 'https://github.com/someone/keepsake';
const url = `${home}/releases/download/v1.2.3/keepsake-1.2.3-win32-x64.zip`;

it('Scoop and winget download the released archive of Windows with its hash', () => {
  expect(scoopManifest(source, home, archives)).toMatchObject({
    version: '1.2.3',
    bin: 'keepsake.exe',
    architecture: { '64bit': { url, hash: sha256 } },
    autoupdate: {
      architecture: {
        '64bit': { url: `${home}/releases/download/v$version/keepsake-$version-win32-x64.zip` },
      },
    },
  });
  const manifests = wingetManifests(source, home, archives);
  expect(Object.keys(manifests)).toEqual([
    'Keepsake.Keepsake.yaml',
    'Keepsake.Keepsake.installer.yaml',
    'Keepsake.Keepsake.locale.en-US.yaml',
  ]);
  expect(manifests['Keepsake.Keepsake.installer.yaml']).toMatchObject({
    Installers: [{ InstallerUrl: url, InstallerSha256: sha256.toUpperCase() }],
  });
  const linuxOnly = archives.slice(0, 1);
  expect([scoopManifest(source, home, linuxOnly), wingetManifests(source, home, linuxOnly)]).toEqual([
    null,
    {},
  ]);
});

it('the install scripts contain version, address and checksums of the release', () => {
  const [shell, power] = installScripts('1.2.3', `${home}/releases/download/v1.2.3`, archives);
  expect(shell?.text).toContain(`\n${sha256}  keepsake-1.2.3-win32-x64.zip'\n`);
  expect(shell?.text).toContain(`version='1.2.3'`);
  expect(power?.text).toContain(`$expected = '${sha256}'`);
  expect(`${shell?.text}${power?.text}`).not.toMatch(/@[A-Z]/);
  expect(checksums(archives.slice(1))).toBe(`${sha256}  keepsake-1.2.3-win32-x64.zip`);
});
