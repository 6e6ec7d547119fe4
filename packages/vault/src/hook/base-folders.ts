import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's base folders for data that belongs to no single vault. */
export type BaseFolders = { state: string; data: string; configuration: string; cache: string };

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
      cache: 'Library/Caches',
    },
    // Apart from the state, which can be deleted while the program runs from the cache.
    win32: {
      state: 'AppData/Local',
      data: 'AppData/Local',
      configuration: 'AppData/Roaming',
      cache: 'AppData/Local/Cache',
    },
  }[platform as string] ?? {
    state: '.local/state',
    data: '.local/share',
    configuration: '.config',
    cache: '.cache',
  };
  return {
    state: join(variables['XDG_STATE_HOME'] || join(home, defaults.state), 'keepsake'),
    data: join(variables['XDG_DATA_HOME'] || join(home, defaults.data), 'keepsake'),
    configuration: join(variables['XDG_CONFIG_HOME'] || join(home, defaults.configuration), 'keepsake'),
    cache: join(variables['XDG_CACHE_HOME'] || join(home, defaults.cache), 'keepsake'),
  };
}
