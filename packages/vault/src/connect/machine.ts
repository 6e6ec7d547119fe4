import { existsSync, readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { PlatformPath } from 'node:path';
import type { Environment } from '../app/index.ts';

/** What decides where a client keeps its configuration. */
export type Machine = {
  platform: NodeJS.Platform;
  home: string;
  variable: (name: string) => string | undefined;
  /** On Windows: the folders of applications that came as packages, which see files of their own. */
  packages: string[];
};

export function readMachine(environment: Environment, platform = process.platform): Machine {
  const machine: Machine = {
    platform,
    home: environment.home,
    variable: environment.variable,
    packages: [],
  };
  const folder = packagesFolder(machine);
  return platform === 'win32' && existsSync(folder) ? { ...machine, packages: readdirSync(folder) } : machine;
}

/** The path rules of a machine, which need not be those of the present one. */
export function pathsOf({ platform }: Machine): PlatformPath {
  return platform === 'win32' ? win32 : posix;
}

/** Where applications keep what belongs to a person. */
export function configurationFolder(machine: Machine): string {
  const path = pathsOf(machine);
  if (machine.platform === 'darwin') return path.join(machine.home, 'Library', 'Application Support');
  if (machine.platform === 'win32')
    return machine.variable('APPDATA') ?? path.join(machine.home, 'AppData', 'Roaming');
  return machine.variable('XDG_CONFIG_HOME') ?? path.join(machine.home, '.config');
}

export function packagesFolder(machine: Machine): string {
  const path = pathsOf(machine);
  return path.join(
    machine.variable('LOCALAPPDATA') ?? path.join(machine.home, 'AppData', 'Local'),
    'Packages',
  );
}
