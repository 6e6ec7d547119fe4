import { existsSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { identityFolder } from '../vault/index.ts';
import type { Language } from '../vault/index.ts';

/** Everything Keepsake takes from the process around it. No other module reads the environment. */
export type Environment = {
  home: string;
  stateHome: string;
  /** Models and their runtime: large, the same for all vaults. */
  dataHome: string;
  configFile: string;
  /** `KEEPSAKE_VAULT` */
  vault: string | undefined;
  language: Language;
  /** What the system calls this machine. */
  hostName: string;
  /** `PATH` */
  searchPath: string;
  /** The value of a variable, undefined when it is empty. Keys are read when they are needed, and kept nowhere. */
  variable: (name: string) => string | undefined;
};

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const home = homedir();
  const platform = {
    darwin: {
      state: 'Library/Application Support',
      data: 'Library/Application Support',
      config: 'Library/Preferences',
    },
    win32: { state: 'AppData/Local', data: 'AppData/Local', config: 'AppData/Roaming' },
  }[process.platform as string] ?? { state: '.local/state', data: '.local/share', config: '.config' };
  const locale = variables['LC_ALL'] || variables['LC_MESSAGES'] || variables['LANG'] || '';
  return {
    home,
    stateHome: join(variables['XDG_STATE_HOME'] || join(home, platform.state), 'keepsake'),
    dataHome: join(variables['XDG_DATA_HOME'] || join(home, platform.data), 'keepsake'),
    configFile: join(variables['XDG_CONFIG_HOME'] || join(home, platform.config), 'keepsake', 'config.yaml'),
    vault: variables['KEEPSAKE_VAULT'] || undefined,
    language: locale.startsWith('fr') ? 'fr' : 'en',
    hostName: hostname(),
    searchPath: variables['PATH'] ?? '',
    variable: (name) => variables[name] || undefined,
  };
}

/** The folder itself, or the nearest above it. */
export function nearestVault(folder: string): string | undefined {
  if (existsSync(join(folder, identityFolder))) return folder;
  return dirname(folder) === folder ? undefined : nearestVault(dirname(folder));
}
