import { deepestFirst, fileChange } from '../changes/index.ts';
import type { FileChange } from '../changes/index.ts';
import { parentPath, rootPath, showPath } from '../vault/index.ts';
import type { Language, Layout, VaultPath } from '../vault/index.ts';
import { decide } from './decide.ts';
import type { Plan } from './plan.ts';
import { askAbout, askAboutDisputes } from './question.ts';
import type { Side } from './travelling.ts';

type FolderRemoval = { kind: 'remove-folder'; path: VaultPath };

/** What the vault has to become, and what to tell of it; paths as they are shown. */
export type Arrival = {
  changes: (FileChange | FolderRemoval)[];
  received: string[];
  deleted: string[];
  merged: string[];
  /** Files of which both versions are kept, whole or in the lines that both sides changed. */
  asked: string[];
};

type Parts = {
  plan: Plan;
  ours: Side;
  /** Files of the vault that no one is sent. */
  leftOut: Iterable<VaultPath>;
  contents: ReadonlyMap<string, Buffer>;
  isFirst: boolean;
  layout: Layout;
  language: Language;
  now: number;
};

/** The changes of the vault that bring in what others did. */
export function arrivalOf(parts: Parts): Arrival {
  const { plan, ours, leftOut, contents, isFirst, layout, language, now } = parts;
  const bytesOf = (id: string | null | undefined): Buffer | null => (id ? (contents.get(id) ?? null) : null);
  const after = new Map<VaultPath, Buffer | null>();
  const kept: Parameters<typeof askAbout>[0][] = [];
  const disputed: Parameters<typeof askAboutDisputes>[0][] = [];
  const [received, deleted, merged]: [VaultPath[], VaultPath[], VaultPath[]] = [[], [], []];
  for (const [path, id] of plan.arriving) {
    after.set(path, bytesOf(id));
    (id === null ? deleted : received).push(path);
  }
  for (const { path, base, ours: mine, theirs, from } of plan.meeting) {
    const versions = { base: bytesOf(base), ours: bytesOf(mine), theirs: bytesOf(theirs) };
    const decision = decide(path, versions, isFirst, layout);
    after.set(path, decision.bytes);
    if (from !== undefined) after.set(from, null);
    if (decision.isMerged) merged.push(path);
    if (decision.kept !== null) kept.push({ path, inPlace: path, bytes: decision.kept });
    if (decision.disputes.length > 0) disputed.push({ path, disputes: decision.disputes });
  }
  for (const { path, by, bytes } of withoutRoom(ours, leftOut, after)) {
    after.delete(path);
    kept.push({ path, inPlace: by, bytes });
  }
  for (const each of kept) for (const file of askAbout(each, language, now)) after.set(file.path, file.after);
  for (const each of disputed) {
    const file = askAboutDisputes(each, language, now);
    after.set(file.path, file.after);
  }
  const changes = [...after].flatMap(
    ([path, bytes]) => fileChange(path, bytesOf(ours.get(path)), bytes) ?? [],
  );
  // What goes makes room for what comes.
  const inOrder = changes.toSorted((a, b) => Number(b.kind === 'remove') - Number(a.kind === 'remove'));
  return {
    changes: [...inOrder, ...emptied(ours, after, layout)],
    received: received.map(showPath),
    deleted: deleted.map(showPath),
    merged: merged.map(showPath),
    asked: [...kept, ...disputed].map(({ path }) => showPath(path)),
  };
}

/** New files whose place is taken: by one that differs in case, by a folder, or by a file where a folder would have to be. */
function withoutRoom(
  ours: Side,
  leftOut: Iterable<VaultPath>,
  after: ReadonlyMap<VaultPath, Buffer | null>,
): { path: VaultPath; by: VaultPath; bytes: Buffer }[] {
  const staying = [...ours.keys(), ...leftOut].filter((path) => after.get(path) !== null);
  const files = new Map(staying.map((path) => [path.toLowerCase(), path]));
  const folders = new Map<string, VaultPath>();
  const addFolders = (path: VaultPath): void => {
    for (const folder of foldersOf(path)) folders.set(folder.toLowerCase(), path);
  };
  for (const path of staying) addFolders(path);
  const found: ReturnType<typeof withoutRoom> = [];
  for (const [path, bytes] of [...after].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (bytes === null || ours.has(path)) continue;
    const key = path.toLowerCase();
    const above = foldersOf(path).map((folder) => files.get(folder.toLowerCase()));
    const by = files.get(key) ?? folders.get(key) ?? above.find((file) => file !== undefined);
    if (by !== undefined) found.push({ path, by, bytes });
    else {
      files.set(key, path);
      addFolders(path);
    }
  }
  return found;
}

/** Folders that have no file left; one that holds something else stays. */
function emptied(
  ours: Side,
  after: ReadonlyMap<VaultPath, Buffer | null>,
  { isFixed }: Layout,
): FolderRemoval[] {
  const staying = new Set(
    [...ours.keys(), ...after.keys()].filter((path) => after.get(path) !== null).flatMap(foldersOf),
  );
  const gone = [...after].filter(([, bytes]) => bytes === null).flatMap(([path]) => foldersOf(path));
  const empty = new Set(gone.filter((folder) => !staying.has(folder) && !isFixed(folder)));
  return deepestFirst(empty).map((path) => ({ kind: 'remove-folder', path }));
}

function foldersOf(path: VaultPath): VaultPath[] {
  const folders: VaultPath[] = [];
  for (let at = parentPath(path); at !== rootPath; at = parentPath(at)) folders.push(at);
  return folders;
}
