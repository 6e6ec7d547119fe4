import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Keepsake keeps what belongs to a person, and to none of their vaults. */
export type Homes = { state: string; data: string; configuration: string };

export function homesOf(variables: NodeJS.ProcessEnv, home = homedir(), platform = process.platform): Homes {
  const usual = {
    darwin: {
      state: 'Library/Application Support',
      data: 'Library/Application Support',
      configuration: 'Library/Preferences',
    },
    win32: { state: 'AppData/Local', data: 'AppData/Local', configuration: 'AppData/Roaming' },
  }[platform as string] ?? { state: '.local/state', data: '.local/share', configuration: '.config' };
  return {
    state: join(variables['XDG_STATE_HOME'] || join(home, usual.state), 'keepsake'),
    data: join(variables['XDG_DATA_HOME'] || join(home, usual.data), 'keepsake'),
    configuration: join(variables['XDG_CONFIG_HOME'] || join(home, usual.configuration), 'keepsake'),
  };
}
