import { sortDeepestFirst, createFileChange } from '../changes/index.ts';
import type { FileChange } from '../changes/index.ts';
import { parentPath, rootPath, formatPath } from '../vault/index.ts';
import type { Language, Layout, VaultPath } from '../vault/index.ts';
import { resolveConflict } from './resolve-conflict.ts';
import type { Plan } from './plan-incoming.ts';
import { createConflictQuestion, askAboutDisputes } from './conflict-question.ts';
import type { FileIds } from './syncable-files.ts';

/** `from` is the present path of a moved file. */
type MovableChange = FileChange & { from?: VaultPath | undefined };
type FolderRemoval = { kind: 'remove-folder'; path: VaultPath };

/** The changes to apply to the vault, and the formatted paths to report. */
export type IncomingChanges = {
  changes: (MovableChange | FolderRemoval)[];
  received: string[];
  deleted: string[];
  merged: string[];
  /** Files of which both versions are kept, entirely or in the lines that both sides changed. */
  conflicts: string[];
};

type Parts = {
  plan: Plan;
  ours: FileIds;
  /** Local files that are not synced. */
  skipped: Iterable<VaultPath>;
  contents: ReadonlyMap<string, Buffer>;
  isInitialSync: boolean;
  layout: Layout;
  language: Language;
  now: number;
  /** Whether a file is hidden from models. */
  isHidden: (path: VaultPath) => boolean;
};

/** Computes the changes that bring the remote changes into the vault. */
export function computeIncomingChanges(parts: Parts): IncomingChanges {
  const { plan, ours, skipped, contents, isInitialSync, layout } = parts;
  const bytesOf = (id: string | null | undefined): Buffer | null => (id ? (contents.get(id) ?? null) : null);
  const after = new Map<VaultPath, Buffer | null>();
  const kept: Parameters<typeof createConflictQuestion>[0][] = [];
  const disputed: Parameters<typeof askAboutDisputes>[0][] = [];
  const [received, deleted, merged]: [VaultPath[], VaultPath[], VaultPath[]] = [[], [], []];
  const movedAway = new Set(plan.moved.values());
  for (const [path, id] of plan.incoming) {
    after.set(path, bytesOf(id));
    if (id !== null) received.push(path);
    else if (!movedAway.has(path)) deleted.push(path);
  }
  for (const { path, base, ours: mine, theirs } of plan.concurrent) {
    const versions = { base: bytesOf(base), ours: bytesOf(mine), theirs: bytesOf(theirs) };
    const decision = resolveConflict(path, versions, isInitialSync && versions.base === null, layout);
    after.set(path, decision.bytes);
    if (decision.isMerged) merged.push(path);
    if (decision.alternate !== null) kept.push({ path, inPlace: path, bytes: decision.alternate });
    if (decision.disputes.length > 0) disputed.push({ path, disputes: decision.disputes });
  }
  for (const { path, by, bytes } of findPathCollisions(ours, skipped, after)) {
    after.delete(path);
    kept.push({ path, inPlace: by, bytes });
  }
  for (const each of kept)
    for (const file of createConflictQuestion(each, parts)) after.set(file.path, file.after);
  for (const each of disputed) {
    const file = askAboutDisputes(each, parts);
    after.set(file.path, file.after);
  }
  const changes = [...after].flatMap(([path, bytes]) => {
    const change = createFileChange(path, bytesOf(ours.get(path)), bytes);
    return change === null ? [] : [{ ...change, from: plan.moved.get(path) }];
  });
  // Removals come first, to make room for new files.
  const inOrder = changes.toSorted((a, b) => Number(b.kind === 'remove') - Number(a.kind === 'remove'));
  return {
    changes: [...inOrder, ...findEmptiedFolders(ours, after, layout)],
    received: received.map(formatPath),
    deleted: deleted.map(formatPath),
    merged: merged.map(formatPath),
    conflicts: [...kept, ...disputed].map(({ path }) => formatPath(path)),
  };
}

/**
 * Finds new files whose path is taken: by a file that differs only in case, by a folder, or by a file in place of a
 * parent folder.
 */
function findPathCollisions(
  ours: FileIds,
  leftOut: Iterable<VaultPath>,
  after: ReadonlyMap<VaultPath, Buffer | null>,
): { path: VaultPath; by: VaultPath; bytes: Buffer }[] {
  const staying = [...ours.keys(), ...leftOut].filter((path) => after.get(path) !== null);
  const files = new Map(staying.map((path) => [path.toLowerCase(), path]));
  const folders = new Map<string, VaultPath>();
  const addFolders = (path: VaultPath): void => {
    for (const folder of listParentFolders(path)) folders.set(folder.toLowerCase(), path);
  };
  for (const path of staying) addFolders(path);
  const found: ReturnType<typeof findPathCollisions> = [];
  for (const [path, bytes] of [...after].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (bytes === null || ours.has(path)) continue;
    const key = path.toLowerCase();
    const above = listParentFolders(path).map((folder) => files.get(folder.toLowerCase()));
    const by = files.get(key) ?? folders.get(key) ?? above.find((file) => file !== undefined);
    if (by !== undefined) found.push({ path, by, bytes });
    else {
      files.set(key, path);
      addFolders(path);
    }
  }
  return found;
}

/** Folders that no longer contain synced files. Those with other files are kept when the changes are applied. */
function findEmptiedFolders(
  ours: FileIds,
  after: ReadonlyMap<VaultPath, Buffer | null>,
  { isBuiltIn }: Layout,
): FolderRemoval[] {
  const staying = new Set(
    [...ours.keys(), ...after.keys()].filter((path) => after.get(path) !== null).flatMap(listParentFolders),
  );
  const gone = [...after].filter(([, bytes]) => bytes === null).flatMap(([path]) => listParentFolders(path));
  const empty = new Set(gone.filter((folder) => !staying.has(folder) && !isBuiltIn(folder)));
  return sortDeepestFirst(empty).map((path) => ({ kind: 'remove-folder', path }));
}

export function listParentFolders(path: VaultPath): VaultPath[] {
  const folders: VaultPath[] = [];
  for (let at = parentPath(path); at !== rootPath; at = parentPath(at)) folders.push(at);
  return folders;
}
