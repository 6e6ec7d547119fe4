import { defineFormat, parentPath, rootPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { withAddition } from './append-step.ts';
import type { Addition, StagedAdditions } from './append-step.ts';
import { isEqual } from './change.ts';

export type StagedFile = {
  before: Buffer | null;
  after: Buffer | null;
  keepsStamps: boolean;
  from?: VaultPath | undefined;
  /** Where links were rewritten: what it would be without that. */
  unlinked?: Buffer | undefined;
  /** What was added with `append`, in order; none in what an earlier version saved. */
  additions?: readonly StagedAdditions[] | undefined;
};

/** What a transaction has staged. */
export type StagedChanges = {
  /** Removes a folder, provided that it is empty by then. */
  removeFolder(path: VaultPath): void;
  /** What is staged: each file's bytes as they will be, null for one that goes. */
  staged(): ReadonlyMap<VaultPath, Buffer | null>;
  /** Files of which nothing but links is changed. */
  relinked(): VaultPath[];
  /** Folders that go, provided that they are empty by then. */
  removedFolders(): ReadonlySet<VaultPath>;
  /** Where a file lies that was moved, however often; undefined for one that was not. */
  movedTo(from: VaultPath): VaultPath | undefined;
  /** All files that were moved: where each lay, and where it lies. */
  moves(): ReadonlyMap<VaultPath, VaultPath>;
  /** What a staged file was before; undefined for one that is not staged. */
  before(path: VaultPath): Buffer | null | undefined;
  /** Gives a function that takes back everything staged from now on. */
  savepoint(): () => void;
  /** All that is staged, so that another transaction over the same vault can go on with it. */
  save(): Uint8Array;
  /** Stages what another one saved, in the place of everything that is staged here. */
  restore(saved: Uint8Array): void;
  /** Takes back what is staged for these files and folders; of a move both ends, so that no file is lost. */
  drop(paths: readonly VaultPath[]): void;
};

export type Staging = {
  changes: StagedChanges;
  files: ReadonlyMap<VaultPath, StagedFile>;
  removedFolders: ReadonlySet<VaultPath>;
  /** A file staged twice is still based on what it was at first. One that is as it was then is staged no longer. */
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
      if (isEqual(origin, file.after)) files.delete(path);
      else files.set(path, { before: origin, ...stagedOver(first, file, addition) });
      // A folder with a file in it is there again.
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
      save: () => format.encode(copy()),
      restore: (saved) => replaceBy(format.decode(saved)),
      drop(paths) {
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

/** A file as it is staged after what was staged for it first. */
function stagedOver(
  first: StagedFile | undefined,
  { before, after, keepsStamps, from, unlinked }: StagedFile,
  addition: Addition | undefined,
): Omit<StagedFile, 'before'> {
  // A file that was moved and then changed is still the one that was moved.
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

/** Files of which nothing but links is changed. */
export function relinkedIn(files: ReadonlyMap<VaultPath, StagedFile>): VaultPath[] {
  return [...files].flatMap(([path, { before, unlinked }]) =>
    unlinked !== undefined && isEqual(before, unlinked) ? [path] : [],
  );
}
