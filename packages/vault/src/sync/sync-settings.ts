import { existsSync } from 'node:fs';
import { runGit } from '../changes/index.ts';
import type { Git } from '../changes/index.ts';

/** With what a vault is synced. It is in the configuration of the repository, which is nobody else's. */
export type SyncSettings = {
  address(): Promise<string | null>;
  /** Another one than before has other commits: what was known of that one is forgotten. */
  setAddress(address: string | null): Promise<void>;
  /** Whether the service is to sync by itself. */
  setWatched(isWatched: boolean): Promise<void>;
  /** Names the folder that is synced with this repository; null until its first sync has ended. */
  folderId(): Promise<string | null>;
  setFolderId(id: string): Promise<void>;
};

type Place = { folder: string; searchPath: string };

const addressKey = 'remote.origin.url';
const watchKey = 'keepsake.watch';
const folderKey = 'keepsake.folder';

/** Read once: who changes any of them holds the lock, and does it here. */
export function openSyncSettings(place: Place, git: Git, forgetRefs: () => Promise<void>): SyncSettings {
  let known: Map<string, string> | null = null;
  const read = async (): Promise<Map<string, string>> => (known ??= await readConfig(place));
  const get = async (key: string): Promise<string | null> => (await read()).get(key) ?? null;
  const set = async (key: string, value: string): Promise<void> => {
    await git(['config', key, value]);
    (await read()).set(key, value);
  };
  return {
    address: () => get(addressKey),
    async setAddress(wanted) {
      if (wanted !== null && (await get(addressKey)) === wanted) return;
      await forgetRefs();
      if (wanted !== null) return set(addressKey, wanted);
      if ((await get(addressKey)) === null) return;
      await git(['config', '--unset-all', addressKey]);
      (await read()).delete(addressKey);
    },
    setWatched: (isWatched) => set(watchKey, String(isWatched)),
    folderId: () => get(folderKey),
    setFolderId: (id) => set(folderKey, id),
  };
}

/** What is to be known without waiting for whoever syncs; null for what is synced with nothing. */
export async function readSyncSettings(
  place: Place,
): Promise<{ address: string; isWatched: boolean } | null> {
  if (!existsSync(place.folder)) return null;
  const config = await readConfig(place);
  const address = config.get(addressKey);
  return address === undefined ? null : { address, isWatched: config.get(watchKey) === 'true' };
}

/** Of a key that is set several times the last value, as git reads it. */
async function readConfig(place: Place): Promise<Map<string, string>> {
  const rows = (await runGit(place, ['config', '--list', '-z'], [])).toString().split('\0');
  return new Map(
    rows.flatMap((row) => {
      const at = row.indexOf('\n');
      return at < 0 ? [] : [[row.slice(0, at), row.slice(at + 1)] as const];
    }),
  );
}
