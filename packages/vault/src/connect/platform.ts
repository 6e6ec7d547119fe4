import { existsSync, readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { PlatformPath } from 'node:path';
import type { Environment } from '../app/index.ts';

/** The properties of a machine that determine where clients store their configuration. */
export type Platform = {
  platform: NodeJS.Platform;
  home: string;
  variable: (name: string) => string | undefined;
  /** On Windows: the folders of packaged applications, which have a private file system view. */
  packages: string[];
};

export function readPlatform(environment: Environment, platform = process.platform): Platform {
  const machine: Platform = {
    platform,
    home: environment.home,
    variable: environment.variable,
    packages: [],
  };
  const folder = packagesFolder(machine);
  return platform === 'win32' && existsSync(folder) ? { ...machine, packages: readdirSync(folder) } : machine;
}

/** The path module for a machine, which may have a different operating system from the current one. */
export function getPathModule({ platform }: Platform): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/** The folder for the user's application configuration. */
export function getUserConfigFolder(machine: Platform): string {
  const path = getPathModule(machine);
  if (machine.platform === 'darwin') return path.join(machine.home, 'Library', 'Application Support');
  if (machine.platform === 'win32')
    return machine.variable('APPDATA') ?? path.join(machine.home, 'AppData', 'Roaming');
  return machine.variable('XDG_CONFIG_HOME') ?? path.join(machine.home, '.config');
}

export function packagesFolder(machine: Platform): string {
  const path = getPathModule(machine);
  return path.join(
    machine.variable('LOCALAPPDATA') ?? path.join(machine.home, 'AppData', 'Local'),
    'Packages',
  );
}
