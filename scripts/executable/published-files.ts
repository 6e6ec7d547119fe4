/** Generates the files with which the single executables are installed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from '../release-files.ts';
import type { ExecutablePlatform } from './node-programs.ts';

/** A compressed executable of a release. */
export type Archive = { platform: ExecutablePlatform; file: string; sha256: string };

/** The archive of an executable; it contains only the program, without a folder. */
export function archiveName(version: string, platform: ExecutablePlatform): string {
  return `keepsake-${version}-${platform}.${platform.startsWith('win32') ? 'zip' : 'tar.gz'}`;
}

/** `address` is the folder with the files of the release. */
export function installScripts(
  version: string,
  address: string,
  archives: readonly Archive[],
): { name: 'install.sh' | 'install.ps1'; text: string }[] {
  const values: Record<string, string> = {
    VERSION: version,
    ADDRESS: address,
    CHECKSUMS: checksums(archives),
    SHA256: windows(archives)?.sha256 ?? '',
  };
  return (['install.sh', 'install.ps1'] as const).map((name) => ({
    name,
    text: readFileSync(join(import.meta.dirname, name), 'utf8').replaceAll(
      /@([A-Z\d]+)@/g,
      (match, key: string) => values[key] ?? match,
    ),
  }));
}

/** In the form of `sha256sum`. */
export function checksums(files: readonly { file: string; sha256: string }[]): string {
  return files.map(({ file, sha256 }) => `${sha256}  ${file}`).join('\n');
}

export function scoopManifest(source: Package, home: string, archives: readonly Archive[]): object | null {
  const archive = windows(archives);
  if (archive === null) return null;
  const { version, description, license } = source;
  const address = (of: string): string => `${home}/releases/download/v${of}`;
  return {
    version,
    description,
    homepage: home,
    license,
    architecture: {
      '64bit': { url: `${address(version)}/${archive.file}`, hash: archive.sha256 },
    },
    bin: 'keepsake.exe',
    checkver: { github: home },
    autoupdate: {
      architecture: {
        '64bit': { url: `${address('$version')}/${archive.file.replace(version, '$version')}` },
      },
    },
  };
}

/** The three files of a package in the winget repository, by name. */
export function wingetManifests(
  { version, description, license }: Package,
  home: string,
  archives: readonly Archive[],
): Record<string, object> {
  const archive = windows(archives);
  if (archive === null) return {};
  const PackageIdentifier = 'Keepsake.Keepsake';
  const common = { PackageIdentifier, PackageVersion: version };
  const last = (ManifestType: string): object => ({ ManifestType, ManifestVersion: '1.9.0' });
  return {
    [`${PackageIdentifier}.yaml`]: { ...common, DefaultLocale: 'en-US', ...last('version') },
    [`${PackageIdentifier}.installer.yaml`]: {
      ...common,
      InstallerType: 'zip',
      NestedInstallerType: 'portable',
      NestedInstallerFiles: [{ RelativeFilePath: 'keepsake.exe', PortableCommandAlias: 'keepsake' }],
      Installers: [
        {
          Architecture: 'x64',
          InstallerUrl: `${home}/releases/download/v${version}/${archive.file}`,
          InstallerSha256: archive.sha256.toUpperCase(),
        },
      ],
      ...last('installer'),
    },
    [`${PackageIdentifier}.locale.en-US.yaml`]: {
      ...common,
      PackageLocale: 'en-US',
      Publisher: 'Keepsake',
      PackageName: 'Keepsake',
      PackageUrl: home,
      License: license,
      ShortDescription: description,
      ...last('defaultLocale'),
    },
  };
}

function windows(archives: readonly Archive[]): Archive | null {
  return archives.find(({ platform }) => platform === 'win32-x64') ?? null;
}
