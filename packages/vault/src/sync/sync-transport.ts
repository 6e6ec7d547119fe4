import type { Git } from '../changes/index.ts';
import { showAddress } from './address.ts';
import { SyncError } from './error.ts';
import { fullRef } from './sync-refs.ts';
import type { SyncRefs } from './sync-refs.ts';
import type { SyncSettings } from './sync-settings.ts';

/** What goes between this machine and the remote. */
export type SyncTransport = {
  /** The newest commit of the remote, fetched; null while it has none. Throws when it cannot be reached. */
  receive(): Promise<string | null>;
  /** The newest commit of the remote, without fetching it. */
  ask(): Promise<string | null>;
  /** Never by force. */
  push(commit: string): Promise<void>;
};

const branch = 'refs/heads/main';

type Parts = {
  /** Git that may reach the remote. */
  withRemote: Git;
  settings: SyncSettings;
  refs: SyncRefs;
  /** Called after a fetch. */
  readRefsAgain: () => void;
};

export function createSyncTransport({ withRemote, settings, refs, readRefsAgain }: Parts): SyncTransport {
  const addressOrExplain = async (): Promise<string> => {
    const known = await settings.address();
    if (known !== null) return known;
    throw new SyncError('no-remote', 'this vault is synced with nothing yet', {
      mend: 'name a repository: keepsake sync <remote>',
    });
  };
  const ask = async (): Promise<string | null> => {
    const at = await addressOrExplain();
    const answer = await withRemote(['ls-remote', '--quiet', '--', at, branch]).catch((cause: unknown) => {
      throw unreachable(at, cause);
    });
    return (
      answer
        .toString()
        .split('\n')
        .find((line) => line.endsWith(`\t${branch}`))
        ?.split('\t')[0] ?? null
    );
  };
  return {
    ask,
    async receive() {
      const newest = await ask();
      if (newest === null || newest === (await refs.ref('remote'))) return newest;
      const at = await addressOrExplain();
      const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
      const fetched = `+${branch}:${fullRef('remote')}`;
      await withRemote(['fetch', ...options, '--', at, fetched]).catch((cause: unknown) => {
        throw unreachable(at, cause);
      });
      readRefsAgain();
      return refs.ref('remote');
    },
    async push(commit) {
      const at = await addressOrExplain();
      try {
        await withRemote(['push', '--quiet', '--no-verify', '--', at, `${commit}:${branch}`]);
        await refs.setRefs({ remote: commit });
      } catch (cause) {
        throw new SyncError(
          'not-accepted',
          `${showAddress(at)} did not take what this machine sent (${reasonOf(cause)})`,
          { mend: 'what came from there is in the vault; the rest is sent the next time', cause },
        );
      }
    },
  };
}

function unreachable(address: string, cause: unknown): SyncError {
  return new SyncError(
    'unreachable',
    `${showAddress(address)} cannot be read (${reasonOf(cause)}); nothing was changed`,
    {
      mend: 'is it there, and may you reach it? A new one is made with: git init --bare <folder>',
      cause,
    },
  );
}

/** In one line, without what is secret. */
function reasonOf(error: unknown): string {
  const said = (error as Error).message.replace(/^git [\w-]+ failed: /, '');
  const lines = said.split('\n').map((line) => line.replace(/^(?:fatal|error|remote|warning): */, '').trim());
  return showAddress(lines.find((line) => line !== '') ?? said).slice(0, 300);
}
