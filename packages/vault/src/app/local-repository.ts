import { join } from 'node:path';
import { openSyncRepository, readSyncSettings } from '../sync/index.ts';
import type { SyncRepository } from '../sync/index.ts';
import type { Environment } from './environment.ts';
import type { State } from './state.ts';

/** The git repository in the state folder that a vault is synced with a remote through. */
export type LocalRepository = {
  /** Moves with the state folder, which becomes another one when the folder becomes a vault. */
  folder: () => string;
  /** Creates the repository if there is none. `signal` ends transfers with the remote. */
  open: (signal?: AbortSignal) => Promise<SyncRepository>;
  /** Null when the vault is not synced. */
  settings: () => ReturnType<typeof readSyncSettings>;
};

/** The variables that git needs to reach a remote; none of them can make it start a program other than ssh. */
const passedVariables = [
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
      const variables = passedVariables.flatMap((name) => {
        const value = variable(name);
        return value === undefined ? [] : [[name, value]];
      });
      return openSyncRepository({
        folder: folder(),
        searchPath,
        variables: Object.fromEntries(variables) as Record<string, string>,
        signal,
      });
    },
    settings: () => readSyncSettings({ folder: folder(), searchPath }),
  };
}
