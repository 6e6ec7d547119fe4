import { existsSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { resolveBaseFolders } from '../hook/index.ts';
import { identityFolder } from '../vault/index.ts';
import type { ChatGptEndpoints } from '../models/index.ts';
import type { Language } from '../vault/index.ts';
import { chatGptEndpoints } from './chatgpt-endpoints.ts';

/** Everything Keepsake reads from its process environment. No other module reads environment variables. */
export type Environment = {
  home: string;
  stateHome: string;
  /** Models and their runtime: large, the same for all vaults. */
  dataHome: string;
  configurationHome: string;
  /** Files that can be created again at any time. */
  cacheHome: string;
  configFile: string;
  /** Used instead of the text of the configuration file, for a model that is tested before it is stored. */
  candidateConfiguration?: string;
  /** The folder in which temporary files are created. */
  temporaryFolder: string;
  /** The folder in which a command was called. Throws when it was deleted. */
  cwd: () => string;
  /** Makes a path from the user absolute; a relative path starts at `cwd`. */
  resolve: (path: string) => string;
  /** `KEEPSAKE_VAULT` */
  vault: string | undefined;
  language: Language;
  /** The host name of this machine. */
  hostName: string;
  /** `PATH` */
  searchPath: string;
  /** The value of a variable; undefined when it is empty. Keys are read on demand and never stored. */
  variable: (name: string) => string | undefined;
  /** All variables, for programs of the user that are started with the user's own settings. */
  variables: NodeJS.ProcessEnv;
  /** Whether this process serves vaults to other people, who must not use the user's AI tools, plans and sign-ins. */
  servesOthers: boolean;
  /** Where ChatGPT accounts sign in. No variable changes it, because tokens are sent there. */
  chatGpt: ChatGptEndpoints;
};

export function readEnvironment(
  variables: NodeJS.ProcessEnv = process.env,
  cwd: () => string = () => process.cwd(),
): Environment {
  const home = variables[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homedir();
  const homes = resolveBaseFolders(variables, home);
  const locale = variables['LC_ALL'] || variables['LC_MESSAGES'] || variables['LANG'] || '';
  return {
    home,
    stateHome: homes.state,
    dataHome: homes.data,
    configurationHome: homes.configuration,
    cacheHome: homes.cache,
    configFile: join(homes.configuration, 'config.yaml'),
    temporaryFolder: variables['TMPDIR'] || tmpdir(),
    cwd,
    resolve: (path) => (isAbsolute(path) ? resolve(path) : resolve(cwd(), path)),
    vault: variables['KEEPSAKE_VAULT'] || undefined,
    language: locale.startsWith('fr') ? 'fr' : 'en',
    hostName: hostname(),
    searchPath: variables['PATH'] ?? '',
    variable: (name) => variables[name] || undefined,
    variables,
    servesOthers: false,
    chatGpt: chatGptEndpoints,
  };
}

/** The folder itself, or its nearest parent that is a vault. */
export function findNearestVault(folder: string): string | undefined {
  if (existsSync(join(folder, identityFolder))) return folder;
  return dirname(folder) === folder ? undefined : findNearestVault(dirname(folder));
}
