import { existsSync } from 'node:fs';
import { removeStaleLocks, runGit } from '../changes/index.ts';
import type { Git } from '../changes/index.ts';
import { allowedProtocols } from './address.ts';
import { SyncError } from './error.ts';
import { createSyncObjects } from './sync-objects.ts';
import type { SyncObjects } from './sync-objects.ts';
import { openSyncRefs } from './sync-refs.ts';
import type { SyncRefs } from './sync-refs.ts';
import { openSyncSettings } from './sync-settings.ts';
import type { SyncSettings } from './sync-settings.ts';
import { createSyncTransport } from './sync-transport.ts';
import type { SyncTransport } from './sync-transport.ts';

/** The repository that carries one vault, on this machine. It is nobody else's, so its files are its settings, too. */
export type SyncRepository = SyncSettings &
  SyncRefs &
  SyncTransport &
  SyncObjects & {
    /** Packs what has become many files. */
    tidy(): Promise<void>;
  };

type Parts = {
  folder: string;
  searchPath: string;
  /** What ssh, proxies and certificates need. */
  variables: Record<string, string>;
  /** Ends what waits for the remote. */
  signal?: AbortSignal | undefined;
};

/** Of every git that is started here. */
const gitSettings = [
  'core.hooksPath=/dev/null',
  'fetch.fsckObjects=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'credential.helper=',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=60',
];

export async function openSyncRepository({
  folder,
  searchPath,
  variables,
  signal,
}: Parts): Promise<SyncRepository> {
  const git: Git = (args, input = []) => runGit({ folder, searchPath, settings: gitSettings }, args, input);
  const remoteVariables = {
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=30',
    ...variables,
    GIT_ALLOW_PROTOCOL: allowedProtocols,
  };
  const withRemote: Git = (args, input = []) =>
    runGit({ folder, searchPath, settings: gitSettings, signal, variables: remoteVariables }, args, input);
  await initialize(folder, git);
  removeStaleLocks(folder);

  const { refs, noteMoved, readAgain } = openSyncRefs(git);
  const settings = openSyncSettings({ folder, searchPath }, git, () => refs.forget());
  return {
    ...settings,
    ...refs,
    ...createSyncTransport({ withRemote, settings, refs, readRefsAgain: readAgain }),
    ...createSyncObjects(git, (commit) => noteMoved('local', commit)),
    async tidy() {
      await runGit(
        { folder, searchPath, settings: ['gc.autoDetach=false'] },
        ['gc', '--auto', '--quiet'],
        [],
      );
    },
  };
}

async function initialize(folder: string, git: Git): Promise<void> {
  try {
    if (!existsSync(folder)) await git(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new SyncError('no-git', 'git was not found', {
      mend: 'install git and make sure that it is in PATH',
      cause,
    });
  }
}
