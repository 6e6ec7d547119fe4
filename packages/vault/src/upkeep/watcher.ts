import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { fileKindOf, parseVaultPath } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';

/** Paths at which files may have changed; `isComplete` is false if there were more paths than the limit. */
export type ChangeHints = { paths: ReadonlySet<VaultPath>; isComplete: boolean };

type Watcher = { close(): Promise<void> };

/** Starts watching. Events may be late, duplicated or missing; consumers must not rely on them. */
export type StartWatching = (
  onHints: (hints: ChangeHints) => void,
  onError: (error: unknown) => void,
) => Watcher;

type Options = {
  /** Time for which hints are collected before they are delivered, in milliseconds. */
  debounceMs?: number;
  /** Maximum number of paths collected until then. */
  maxPaths?: number;
};

/** Watches the files and folders of a vault with the operating system's file events. */
export function createFileWatcher(
  root: VaultRoot,
  { debounceMs = 200, maxPaths = 1000 }: Options = {},
): StartWatching {
  return (onHints, onError) => {
    let paths = new Set<VaultPath>();
    let isComplete = true;
    let timer: NodeJS.Timeout | null = null;
    const flushHints = (): void => {
      const hints = { paths, isComplete };
      [paths, isComplete, timer] = [new Set(), true, null];
      onHints(hints);
    };
    const watcher = watch(root, {
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      // Upkeep itself waits until an editor has finished writing.
      atomic: false,
      ignored: (path, stats) => isIgnored(relative(root, path), stats?.isFile() === true),
    });
    watcher.on('error', onError);
    watcher.on('all', (_, changed) => {
      const parsed = parseVaultPath(`vault/${relative(root, changed).split(sep).join('/')}`);
      if (!parsed.ok) return;
      if (paths.size < maxPaths || paths.has(parsed.path)) paths.add(parsed.path);
      else isComplete = false;
      timer ??= setTimeout(flushHints, debounceMs);
    });
    return {
      async close() {
        if (timer !== null) clearTimeout(timer);
        await watcher.close();
      },
    };
  };
}

/** Ignores hidden files and folders, and files that are neither notes nor images, of which only the size is tracked. */
function isIgnored(path: string, isFile: boolean): boolean {
  const names = path.split(sep);
  return names.some((name) => name.startsWith('.')) || (isFile && fileKindOf(names.at(-1) ?? '') === 'other');
}
