import { defineFormat, parentPath, rootPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { withAddition } from './append-step.ts';
import type { Addition, StagedAdditions } from './append-step.ts';
import { contentEquals } from './change.ts';

export type StagedFile = {
  before: Buffer | null;
  after: Buffer | null;
  keepsStamps: boolean;
  from?: VaultPath | undefined;
  /** The new content without the link rewrites, if links were rewritten. */
  unlinked?: Buffer | undefined;
  /** The additions made with `append`, in order; absent in data saved by earlier versions. */
  additions?: readonly StagedAdditions[] | undefined;
};

/** The staged changes of a transaction. */
export type StagedChanges = {
  /** Removes a folder if it is empty when the transaction commits. */
  removeFolder(path: VaultPath): void;
  /** The staged files with their new bytes, null for deleted ones. */
  staged(): ReadonlyMap<VaultPath, Buffer | null>;
  /** Files in which only links are changed. */
  relinked(): VaultPath[];
  /** Folders that are removed if they are empty when the transaction commits. */
  removedFolders(): ReadonlySet<VaultPath>;
  /** The current path of a file that was moved, however often; undefined for a file that was not moved. */
  movedTo(from: VaultPath): VaultPath | undefined;
  /** All moved files: old path to new path. */
  moves(): ReadonlyMap<VaultPath, VaultPath>;
  /** The content of a staged file before the transaction; undefined for a file that is not staged. */
  before(path: VaultPath): Buffer | null | undefined;
  /** Returns a function that discards everything staged from now on. */
  savepoint(): () => void;
  /** Serializes the staged changes, so that another transaction on the same vault can continue with them. */
  serialize(): Uint8Array;
  /** Replaces the staged changes with those that another transaction saved. */
  deserialize(saved: Uint8Array): void;
  /** Discards the staged changes of these files and folders; for a move, at both paths, so that no file is lost. */
  unstage(paths: readonly VaultPath[]): void;
};

export type Staging = {
  changes: StagedChanges;
  files: ReadonlyMap<VaultPath, StagedFile>;
  removedFolders: ReadonlySet<VaultPath>;
  /**
   * Stages a file. A file that is staged again keeps its first `before`; if its new content equals that `before`, it is
   * no longer staged.
   */
  stage: (path: VaultPath, file: StagedFile, addition?: Addition) => void;
};

type Overlay = { files: [VaultPath, StagedFile][]; removedFolders: VaultPath[] };

const format = defineFormat<Overlay>({
  name: 'staged changes',
  version: 1,
  write: (overlay) => overlay,
  readers: { 0: (stored) => stored as Overlay, 1: (stored) => stored as Overlay },
});

export function createStaging(): Staging {
  const files = new Map<VaultPath, StagedFile>();
  const removedFolders = new Set<VaultPath>();
  const copy = (): Overlay => ({ files: [...files], removedFolders: [...removedFolders] });
  const replaceBy = (overlay: Overlay): void => {
    files.clear();
    removedFolders.clear();
    for (const [path, file] of overlay.files) files.set(path, file);
    for (const path of overlay.removedFolders) removedFolders.add(path);
  };
  const movedTo = (from: VaultPath): VaultPath | undefined =>
    [...files].find(([, file]) => file.from === from)?.[0];
  return {
    files,
    removedFolders,
    stage(path, file, addition) {
      const first = files.get(path);
      const origin = first === undefined ? file.before : first.before;
      if (contentEquals(origin, file.after)) files.delete(path);
      else files.set(path, { before: origin, ...stagedOver(first, file, addition) });
      // A folder that gets a file is no longer removed.
      if (file.after !== null)
        for (let folder = parentPath(path); folder !== rootPath; folder = parentPath(folder))
          removedFolders.delete(folder);
    },
    changes: {
      removeFolder: (path) => void removedFolders.add(path),
      staged: () => new Map([...files].map(([path, { after }]) => [path, after])),
      relinked: () => relinkedIn(files),
      removedFolders: () => removedFolders,
      movedTo,
      moves: () =>
        new Map([...files].flatMap(([to, { from }]) => (from === undefined ? [] : [[from, to] as const]))),
      before: (path) => files.get(path)?.before,
      savepoint() {
        const saved = copy();
        return () => replaceBy(saved);
      },
      serialize: () => format.encode(copy()),
      deserialize: (saved) => replaceBy(format.decode(saved)),
      unstage(paths) {
        for (const path of paths) {
          const from = files.get(path)?.from;
          const to = movedTo(path);
          for (const end of [path, from, to]) if (end !== undefined) files.delete(end);
          removedFolders.delete(path);
        }
      },
    },
  };
}

/** Combines a staged file with what was staged for it earlier. */
function stagedOver(
  first: StagedFile | undefined,
  { before, after, keepsStamps, from, unlinked }: StagedFile,
  addition: Addition | undefined,
): Omit<StagedFile, 'before'> {
  // A moved file that is then changed still counts as moved.
  const cameFrom = from ?? (after === null ? undefined : first?.from);
  const earlier = after === null ? [] : (first?.additions ?? []);
  const isAppend = addition !== undefined && before !== null && after !== null;
  const additions = isAppend ? withAddition(earlier, before, after, addition) : earlier;
  return {
    after,
    keepsStamps: keepsStamps && (first?.keepsStamps ?? true),
    ...(cameFrom !== undefined && { from: cameFrom }),
    ...(unlinked !== undefined && { unlinked }),
    ...(additions.length > 0 && { additions }),
  };
}

/** Returns the files in which only links are changed. */
export function relinkedIn(files: ReadonlyMap<VaultPath, StagedFile>): VaultPath[] {
  return [...files].flatMap(([path, { before, unlinked }]) =>
    unlinked !== undefined && contentEquals(before, unlinked) ? [path] : [],
  );
}
