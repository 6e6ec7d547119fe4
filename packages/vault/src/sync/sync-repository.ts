import { removeStaleLocks, removeUnfinishedObjects, runGit, streamGit } from '../changes/index.ts';
import type { RunGit } from '../changes/index.ts';
import { allowedProtocols, folderOf } from './remote-url.ts';
import { SyncError } from './sync-error.ts';
import { createSyncObjects } from './sync-objects.ts';
import type { SyncObjects } from './sync-objects.ts';
import { openSyncRefs } from './sync-refs.ts';
import type { SyncRefs } from './sync-refs.ts';
import { isInitialized, openSyncSettings } from './sync-settings.ts';
import type { SyncSettings } from './sync-settings.ts';
import { createSyncTransport } from './sync-transport.ts';
import type { SyncTransport } from './sync-transport.ts';

/** The local bare repository used to sync one vault. Keepsake owns it, so its git config also stores the sync settings. */
export type SyncRepository = SyncSettings &
  SyncRefs &
  SyncTransport &
  SyncObjects & {
    /** Runs `git gc --auto`. */
    gc(): Promise<void>;
    /** Deletes all objects that no ref leads to. */
    purge(): Promise<void>;
    /** Does the same in the remote. Returns false if that is not possible, for example because it is on another host. */
    purgeRemote(): Promise<boolean>;
  };

type Parts = {
  folder: string;
  searchPath: string;
  /** Environment variables for ssh, proxies and certificates. */
  env: Record<string, string>;
  /** Aborts git commands that are waiting for the remote. */
  signal?: AbortSignal | undefined;
};

/** Git settings for every command on this repository. */
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
  env,
  signal,
}: Parts): Promise<SyncRepository> {
  const git: RunGit = (args, input = []) =>
    runGit({ folder, searchPath, settings: gitSettings }, args, input);
  const remoteVariables = {
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=30',
    ...env,
    GIT_ALLOW_PROTOCOL: allowedProtocols,
  };
  const runNetworkGit: RunGit = (args, input = []) =>
    runGit({ folder, searchPath, settings: gitSettings, signal, variables: remoteVariables }, args, input);
  await initialize(folder, git);
  removeStaleLocks(folder);

  const { refs, noteMoved, readAgain } = openSyncRefs(git);
  const settings = openSyncSettings({ folder, searchPath }, git, () => refs.forget());
  return {
    ...settings,
    ...refs,
    ...createSyncTransport({
      runNetworkGit,
      settings,
      refs,
      readRefsAgain: readAgain,
      onFirstPush: async () => repairHead(folderOf((await settings.remoteUrl()) ?? ''), searchPath),
    }),
    ...createSyncObjects(
      git,
      (args, onOutput) => streamGit({ folder, searchPath, settings: gitSettings }, args, onOutput),
      noteMoved,
    ),
    async gc() {
      await runGit(
        { folder, searchPath, settings: ['gc.autoDetach=false'] },
        ['gc', '--auto', '--quiet'],
        [],
      );
    },
    purge: () => purgeRepository({ folder, searchPath }),
    async purgeRemote() {
      const remote = folderOf((await settings.remoteUrl()) ?? '');
      if (remote === null) return false;
      try {
        await purgeRepository({ folder: remote, searchPath });
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Lets the HEAD of a remote on this machine point to `main` if its branch does not exist: a clone would be empty. */
async function repairHead(folder: string | null, searchPath: string): Promise<void> {
  if (folder === null) return;
  const git = (...args: string[]): Promise<Buffer> => runGit({ folder, searchPath }, args, []);
  const exists = await git('rev-parse', '--quiet', '--verify', 'HEAD').then(
    () => true,
    () => false,
  );
  // Without it, only clones by hand are empty.
  if (!exists) await git('symbolic-ref', 'HEAD', 'refs/heads/main').catch(() => undefined);
}

async function purgeRepository(place: { folder: string; searchPath: string }): Promise<void> {
  removeUnfinishedObjects(place.folder);
  await runGit(place, ['reflog', 'expire', '--expire=now', '--all'], []);
  await runGit(place, ['gc', '--quiet', '--prune=now'], []);
}

async function initialize(folder: string, git: RunGit): Promise<void> {
  try {
    if (!isInitialized(folder)) await git(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new SyncError('no-git', 'git was not found', {
      hint: 'install git and add it to PATH',
      cause,
    });
  }
}
