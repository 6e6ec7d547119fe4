import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's base folders for data that belongs to no single vault. */
export type BaseFolders = { state: string; data: string; configuration: string };

export function resolveBaseFolders(
  variables: NodeJS.ProcessEnv,
  home = homedir(),
  platform = process.platform,
): BaseFolders {
  const defaults = {
    darwin: {
      state: 'Library/Application Support',
      data: 'Library/Application Support',
      configuration: 'Library/Preferences',
    },
    win32: { state: 'AppData/Local', data: 'AppData/Local', configuration: 'AppData/Roaming' },
  }[platform as string] ?? { state: '.local/state', data: '.local/share', configuration: '.config' };
  return {
    state: join(variables['XDG_STATE_HOME'] || join(home, defaults.state), 'keepsake'),
    data: join(variables['XDG_DATA_HOME'] || join(home, defaults.data), 'keepsake'),
    configuration: join(variables['XDG_CONFIG_HOME'] || join(home, defaults.configuration), 'keepsake'),
  };
}
