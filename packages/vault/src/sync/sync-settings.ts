import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from '../changes/index.ts';
import type { RunGit } from '../changes/index.ts';

/** The sync settings of a vault, stored in the git config of its sync repository, which Keepsake owns. */
export type SyncSettings = {
  remoteUrl(): Promise<string | null>;
  /** Setting a different URL forgets all refs, because they belong to the previous remote. */
  setRemoteUrl(url: string | null): Promise<void>;
  /** Whether `keepsake serve` syncs the vault automatically. */
  setWatched(isWatched: boolean): Promise<void>;
  /** Identifies the folder that is synced with this repository; null until its first sync is complete. */
  folderId(): Promise<string | null>;
  setFolderId(id: string): Promise<void>;
  /** Whether objects with forgotten words may still be in the repository. */
  isPurgePending(): Promise<boolean>;
  setPurgePending(isPending: boolean): Promise<void>;
};

type Place = { folder: string; searchPath: string };

const remoteUrlKey = 'remote.origin.url';
const autoSyncKey = 'keepsake.watch';
const folderKey = 'keepsake.folder';
const purgeKey = 'keepsake.purge';

/** Reads the settings once and caches them: they change only through this object, under the sync lock. */
export function openSyncSettings(place: Place, git: RunGit, forgetRefs: () => Promise<void>): SyncSettings {
  let known: Map<string, string> | null = null;
  const read = async (): Promise<Map<string, string>> => (known ??= await readConfig(place));
  const get = async (key: string): Promise<string | null> => (await read()).get(key) ?? null;
  const set = async (key: string, value: string): Promise<void> => {
    await git(['config', key, value]);
    (await read()).set(key, value);
  };
  return {
    remoteUrl: () => get(remoteUrlKey),
    async setRemoteUrl(url) {
      if (url !== null && (await get(remoteUrlKey)) === url) return;
      await forgetRefs();
      if (url !== null) return set(remoteUrlKey, url);
      if ((await get(remoteUrlKey)) === null) return;
      await git(['config', '--unset-all', remoteUrlKey]);
      (await read()).delete(remoteUrlKey);
    },
    setWatched: (isWatched) => set(autoSyncKey, String(isWatched)),
    folderId: () => get(folderKey),
    setFolderId: (id) => set(folderKey, id),
    isPurgePending: async () => (await get(purgeKey)) === 'true',
    setPurgePending: (isPending) => set(purgeKey, String(isPending)),
  };
}

/** Reads the settings without taking the sync lock; null if the vault is not synced. */
export async function readSyncSettings(
  place: Place,
): Promise<{ address: string; isWatched: boolean } | null> {
  if (!isInitialized(place.folder)) return null;
  const config = await readConfig(place);
  const address = config.get(remoteUrlKey);
  return address === undefined ? null : { address, isWatched: config.get(autoSyncKey) === 'true' };
}

/** If a key is set several times, the last value counts, as in git. */
async function readConfig(place: Place): Promise<Map<string, string>> {
  const rows = (await runGit(place, ['config', '--list', '-z'], [])).toString().split('\0');
  return new Map(
    rows.flatMap((row) => {
      const newline = row.indexOf('\n');
      return newline < 0 ? [] : [[row.slice(0, newline), row.slice(newline + 1)] as const];
    }),
  );
}

/** Git creates this folder last; if it was killed, the repository is not complete. */
export function isInitialized(folder: string): boolean {
  return existsSync(join(folder, 'objects/info'));
}
