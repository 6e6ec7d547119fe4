import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's base folders for data that belongs to no single vault. */
export type BaseFolders = { state: string; data: string; configuration: string; cache: string };

export function resolveBaseFolders(
  variables: NodeJS.ProcessEnv,
  home = homedir(),
  platform = process.platform,
): BaseFolders {
  const defaults = defaultFolders(variables, home, platform);
  return {
    state: join(variables['XDG_STATE_HOME'] || defaults.state, 'keepsake'),
    data: join(variables['XDG_DATA_HOME'] || defaults.data, 'keepsake'),
    configuration: join(variables['XDG_CONFIG_HOME'] || defaults.configuration, 'keepsake'),
    cache: join(variables['XDG_CACHE_HOME'] || defaults.cache, 'keepsake'),
  };
}

function defaultFolders(variables: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): BaseFolders {
  if (platform === 'darwin')
    return {
      state: join(home, 'Library/Application Support'),
      data: join(home, 'Library/Application Support'),
      configuration: join(home, 'Library/Preferences'),
      cache: join(home, 'Library/Caches'),
    };
  if (platform === 'win32') {
    // An administrator can redirect these folders to another drive.
    const local = variables['LOCALAPPDATA'] || join(home, 'AppData/Local');
    return {
      state: local,
      data: local,
      configuration: variables['APPDATA'] || join(home, 'AppData/Roaming'),
      // Apart from the state, which can be deleted while the program runs from the cache.
      cache: join(local, 'Cache'),
    };
  }
  return {
    state: join(home, '.local/state'),
    data: join(home, '.local/share'),
    configuration: join(home, '.config'),
    cache: join(home, '.cache'),
  };
}
