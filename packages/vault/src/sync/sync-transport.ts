import { isKilledError } from '../changes/index.ts';
import type { RunGit } from '../changes/index.ts';
import { redactUrl } from './remote-url.ts';
import { SyncError } from './sync-error.ts';
import { fullRef } from './sync-refs.ts';
import type { SyncRefs } from './sync-refs.ts';
import type { SyncSettings } from './sync-settings.ts';

/** The git commands that contact the remote. */
export type SyncTransport = {
  /**
   * Fetches and returns the newest commit of the remote; null if the remote is empty. Throws if the remote cannot be
   * reached.
   */
  fetchRemote(): Promise<string | null>;
  /** Returns the newest commit of the remote without fetching it. */
  lsRemote(): Promise<string | null>;
  /** Never force-pushes. */
  push(commit: string): Promise<void>;
  /**
   * Replaces the history of the remote, because it contains forgotten words. Returns false if its newest commit is no
   * longer `replaced`.
   */
  replaceRemote(commit: string, replaced: string): Promise<boolean>;
};

const branch = 'refs/heads/main';

type Parts = {
  /** Runs git with the environment needed to reach the remote. */
  runNetworkGit: RunGit;
  settings: SyncSettings;
  refs: SyncRefs;
  /** Called after a fetch. */
  readRefsAgain: () => void;
  /** Called after the first push to an empty remote. Must not throw. */
  onFirstPush: () => Promise<void>;
};

export function createSyncTransport(parts: Parts): SyncTransport {
  const { runNetworkGit, settings, refs, readRefsAgain, onFirstPush } = parts;
  const requireRemoteUrl = async (): Promise<string> => {
    const known = await settings.remoteUrl();
    if (known !== null) return known;
    throw new SyncError('no-remote', 'sync is not configured for this vault', {
      hint: 'choose a repository with: keepsake sync <remote>',
    });
  };
  const lsRemote = async (): Promise<string | null> => {
    const url = await requireRemoteUrl();
    const output = await runNetworkGit(['ls-remote', '--quiet', '--', url, branch]).catch(
      (cause: unknown) => {
        throw createUnreachableError(url, cause);
      },
    );
    return (
      output
        .toString()
        .split('\n')
        .find((line) => line.endsWith(`\t${branch}`))
        ?.split('\t')[0] ?? null
    );
  };
  return {
    lsRemote,
    async fetchRemote() {
      const newest = await lsRemote();
      if (newest === null || newest === (await refs.ref('remote'))) return newest;
      const url = await requireRemoteUrl();
      const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
      const refspec = `+${branch}:${fullRef('remote')}`;
      await runNetworkGit(['fetch', ...options, '--', url, refspec]).catch((cause: unknown) => {
        throw createUnreachableError(url, cause);
      });
      readRefsAgain();
      return refs.ref('remote');
    },
    async push(commit) {
      const url = await requireRemoteUrl();
      const isFirst = (await refs.ref('remote')) === null;
      try {
        await runNetworkGit(['push', '--quiet', '--no-verify', '--', url, `${commit}:${branch}`]);
        await refs.setRefs({ remote: commit });
        if (isFirst) await onFirstPush();
      } catch (cause) {
        if (isKilledError(cause)) throw cause;
        throw new SyncError(
          'not-accepted',
          `${redactUrl(url)} rejected the push (${formatGitError(cause)})`,
          { hint: 'the received changes are in the vault; local changes are sent with the next sync', cause },
        );
      }
    },
    async replaceRemote(commit, replaced) {
      const url = await requireRemoteUrl();
      const lease = `--force-with-lease=${branch}:${replaced}`;
      try {
        await runNetworkGit(['push', '--quiet', '--no-verify', lease, '--', url, `${commit}:${branch}`]);
      } catch (cause) {
        const now = await lsRemote();
        if (now !== commit && now !== replaced) return false;
        if (now !== commit && isKilledError(cause)) throw cause;
        if (now !== commit)
          throw new SyncError(
            'not-accepted',
            `${redactUrl(url)} does not allow that its history is replaced (${formatGitError(cause)}), so it still contains the forgotten words`,
            {
              hint: 'allow force pushes to the branch main and sync again; or use a new, empty repository on all machines and delete this one',
              cause,
            },
          );
      }
      await refs.setRefs({ remote: commit });
      return true;
    },
  };
}

function createUnreachableError(url: string, cause: unknown): unknown {
  if (isKilledError(cause)) return cause;
  return new SyncError(
    'unreachable',
    `${redactUrl(url)} cannot be read (${formatGitError(cause)}); nothing was changed`,
    {
      hint: 'check that it exists and that you have access; create a new one with: git init --bare -b main <folder>',
      cause,
    },
  );
}

/** The first line of git's error, without credentials. */
function formatGitError(error: unknown): string {
  const message = (error as Error).message.replace(/^git [\w-]+ failed: /, '');
  const lines = message
    .split('\n')
    .map((line) => line.replace(/^(?:fatal|error|remote|warning): */, '').trim());
  return redactUrl(lines.find((line) => line !== '') ?? message).slice(0, 300);
}
