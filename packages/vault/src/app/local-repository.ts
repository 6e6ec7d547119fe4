import { join } from 'node:path';
import { openSyncRepository, readSyncSettings } from '../sync/index.ts';
import type { SyncRepository } from '../sync/index.ts';
import type { Environment } from './environment.ts';
import type { State } from './state.ts';

/** The git repository in the state folder through which a vault is synced with its remote. */
export type LocalRepository = {
  /** The path of the repository. It changes when the folder becomes a vault, because the state folder then changes. */
  folder: () => string;
  /** Creates the repository if there is none. `signal` aborts transfers with the remote. */
  open: (signal?: AbortSignal) => Promise<SyncRepository>;
  /** Null when the vault is not synced. */
  settings: () => ReturnType<typeof readSyncSettings>;
};

/** The variables that git needs to reach a remote; none of them can make it start a program other than ssh. */
const gitEnvironmentVariables = [
  'HOME',
  'GIT_SSH_COMMAND',
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]),
];

export function createLocalRepository(
  state: Pick<State, 'folder'>,
  { searchPath, variable }: Pick<Environment, 'searchPath' | 'variable'>,
): LocalRepository {
  const folder = (): string => join(state.folder(), 'sync.git');
  return {
    folder,
    open(signal) {
      const variables = gitEnvironmentVariables.flatMap((name) => {
        const value = variable(name);
        return value === undefined ? [] : [[name, value]];
      });
      return openSyncRepository({
        folder: folder(),
        searchPath,
        env: Object.fromEntries(variables) as Record<string, string>,
        signal,
      });
    },
    settings: () => readSyncSettings({ folder: folder(), searchPath }),
  };
}
