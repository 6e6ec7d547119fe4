import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { kindOf, parseVaultPath } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';

/** Something may have changed at these paths; `isComplete` is false when there were more than could be kept. */
export type Hints = { paths: ReadonlySet<VaultPath>; isComplete: boolean };

type Watcher = { close(): Promise<void> };

/** Starts watching. What it tells may be late, doubled or missing: whoever listens must not rely on it. */
export type Watch = (onHints: (hints: Hints) => void, onError: (error: unknown) => void) => Watcher;

type Options = {
  /** How long hints are gathered before they are told, in milliseconds. */
  gather?: number;
  /** How many paths are kept until then. */
  most?: number;
};

/** Watches files and folders of a vault with the means of the system. */
export function watchFiles(root: VaultRoot, { gather = 200, most = 1000 }: Options = {}): Watch {
  return (onHints, onError) => {
    let paths = new Set<VaultPath>();
    let isComplete = true;
    let timer: NodeJS.Timeout | null = null;
    const tell = (): void => {
      const hints = { paths, isComplete };
      [paths, isComplete, timer] = [new Set(), true, null];
      onHints(hints);
    };
    const watcher = watch(root, {
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      // Waiting for an editor to be done is upkeep's own business.
      atomic: false,
      ignored: (path, stats) => isIgnored(relative(root, path), stats?.isFile() === true),
    });
    watcher.on('error', onError);
    watcher.on('all', (_, changed) => {
      const parsed = parseVaultPath(`vault/${relative(root, changed).split(sep).join('/')}`);
      if (!parsed.ok) return;
      if (paths.size < most || paths.has(parsed.path)) paths.add(parsed.path);
      else isComplete = false;
      timer ??= setTimeout(tell, gather);
    });
    return {
      async close() {
        if (timer !== null) clearTimeout(timer);
        await watcher.close();
      },
    };
  };
}

/** Hidden names anywhere on the way, and files that have nothing to tell but their size. */
function isIgnored(path: string, isFile: boolean): boolean {
  const names = path.split(sep);
  return names.some((name) => name.startsWith('.')) || (isFile && kindOf(names.at(-1) ?? '') === 'other');
}
