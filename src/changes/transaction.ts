import { deserialize, serialize } from 'node:v8';
import type { Clock } from '../contract/index.ts';
import { decodeText, parentPath, rootPath, splitLines, withTokens } from '../vault/index.ts';
import type { Layout, LineRange, VaultPath, VaultView } from '../vault/index.ts';
import { withAddition } from './append-step.ts';
import type { Addition, StagedAdditions } from './append-step.ts';
import { afterOf, deepestFirst, fileChange, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import { insertText } from './insert-text.ts';
import { overlayView } from './overlay.ts';
import type { Taken, Taking } from './removal-accounting.ts';
import { removedText } from './removed-text.ts';
import type { Removed } from './removed-text.ts';
import type { Stamps } from './stamps.ts';
import type { Why, Writer, Written } from './writer.ts';

export type Policy = {
  /**
   * Why a file may not get this content (null: may not be deleted), or null when it may. `from` is where a file that is
   * moved comes from.
   */
  mayWrite: (
    path: VaultPath,
    after: Buffer | null,
    isNew: boolean,
    from: VaultPath | undefined,
    layout: Layout,
  ) => string | null;
  /**
   * Why a person should look at these changes before they are made, or null when nobody needs to. A link that was rewritten
   * because its file was moved is none of them.
   */
  mustHold: (
    changes: readonly FileChange[],
    /** What they take away, what the same connection took within the last hour, and where links were rewritten. */
    taking: { removed: readonly Removed[]; lately: Taken; relinked: readonly VaultPath[] },
    layout: Layout,
  ) => string | null;
  /** Who makes the changes: then they wait for approval. Null for the person, who is told to confirm. */
  connection: Connection | null;
};

/** What it takes away within an hour is counted together. */
export type Connection = {
  name: string;
  /** Whether it may take away what it wrote itself; an agent that writes down the words of others may not. */
  mayTakeBack: boolean;
  /** Files that are done with once the change is made. */
  isSpent?: (path: VaultPath) => boolean;
};

/** The bytes as they will be written, stamps included, or why they will not. */
type Staged = { ok: true; bytes: Buffer } | { ok: false; reason: string };

/**
 * Changes that belong together. Its view shows them as if they were made; the files on disk stay as they are until
 * `commit`, which makes all of them or none.
 */
export type Transaction = {
  view: VaultView;
  /** Gives a file this content. `before` is what it was made from; null when the file must not exist yet. */
  put(path: VaultPath, before: Buffer | null, after: Buffer): Staged;
  /**
   * Adds text to a file; `before` is what it is now. Where another writer changes the file before the commit, the text is added
   * to what that one wrote. Gives the lines that were added.
   */
  append(
    path: VaultPath,
    before: Buffer,
    addition: Addition,
  ): (Extract<Staged, { ok: true }> & { added: LineRange }) | Extract<Staged, { ok: false }>;
  /** A new file, byte for byte: it has the stamps it should have. */
  place(path: VaultPath, bytes: Buffer): Staged;
  /** Takes a file elsewhere, byte for byte: its stamps stay as they are. */
  move(from: VaultPath, to: VaultPath, bytes: Buffer): Staged;
  /** Rewrites links of a text, so that they lead where they led: its times stay as they are. */
  relink(path: VaultPath, before: Buffer, text: string): Staged;
  remove(path: VaultPath, before: Buffer): Staged;
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
  /** `isConfirmed` when the person, who makes it, has already agreed to a change that would be held. */
  commit(why: Why, isConfirmed?: boolean): Promise<Written>;
};

type StagedFile = {
  before: Buffer | null;
  after: Buffer | null;
  keepsStamps: boolean;
  from?: VaultPath | undefined;
  /** Where links were rewritten: what it would be without that. */
  unlinked?: Buffer | undefined;
  /** What was added with `append`, in order; none in what an earlier version saved. */
  additions?: readonly StagedAdditions[] | undefined;
};

type Overlay = { files: [VaultPath, StagedFile][]; removedFolders: VaultPath[] };

export function createTransaction(
  base: VaultView,
  { writer, stamps }: { writer: Writer; stamps: Stamps },
  policy: Policy,
  clock: Clock,
): Transaction {
  const files = new Map<VaultPath, StagedFile>();
  const removedFolders = new Set<VaultPath>();

  /** A file staged twice is still based on what it was at first. */
  const stage = (
    path: VaultPath,
    { before, after, keepsStamps, from, unlinked }: StagedFile,
    addition?: Addition,
  ): Staged => {
    const reason = policy.mayWrite(path, after, before === null, from, base.layout());
    if (reason !== null) return { ok: false, reason };
    const first = files.get(path);
    const origin = first === undefined ? before : first.before;
    // A file that was moved and then changed is still the one that was moved.
    const cameFrom = from ?? (after === null ? undefined : first?.from);
    if (isEqual(origin, after)) files.delete(path);
    else {
      const keeps = keepsStamps && (first?.keepsStamps ?? true);
      const earlier = after === null ? [] : (first?.additions ?? []);
      const isAppend = addition !== undefined && before !== null && after !== null;
      const additions = isAppend ? withAddition(earlier, before, after, addition) : earlier;
      files.set(path, {
        before: origin,
        after,
        keepsStamps: keeps,
        ...(cameFrom !== undefined && { from: cameFrom }),
        ...(unlinked !== undefined && { unlinked }),
        ...(additions.length > 0 && { additions }),
      });
    }
    // A folder with a file in it is there again.
    if (after !== null)
      for (let folder = parentPath(path); folder !== rootPath; folder = parentPath(folder))
        removedFolders.delete(folder);
    return { ok: true, bytes: after ?? Buffer.alloc(0) };
  };

  const relinked = (): VaultPath[] =>
    [...files].flatMap(([path, { before, unlinked }]) =>
      unlinked !== undefined && isEqual(before, unlinked) ? [path] : [],
    );

  const copy = (): Overlay => ({ files: [...files], removedFolders: [...removedFolders] });
  const replaceBy = (overlay: Overlay): void => {
    files.clear();
    removedFolders.clear();
    for (const [path, file] of overlay.files) files.set(path, file);
    for (const path of overlay.removedFolders) removedFolders.add(path);
  };

  /** What was merged is a new text; what was not has its stamps already. */
  const finishing =
    (change: FileChange) =>
    (bytes: Buffer, present: Buffer | null): Buffer => {
      if (isEqual(bytes, afterOf(change))) return bytes;
      const staged = files.get(change.path);
      if (staged?.keepsStamps !== true) return stamps.set(change.path, present, bytes, clock());
      return staged.unlinked === undefined ? bytes : Buffer.from(withTokens(bytes.toString()));
    };

  return {
    view: overlayView(base, { files, removedFolders }, clock),
    // Stamped already now, so that line numbers told before the commit are right after it.
    put: (path, before, after) =>
      stage(path, { before, after: stamps.set(path, before, after, clock()), keepsStamps: false }),
    append(path, before, addition) {
      const present = decodeText(before);
      if (present.kind !== 'text') return { ok: false, reason: `it is ${present.what}, not text` };
      const inserted = insertText(present.text, addition.text, addition.position, addition.isLog);
      const after = stamps.set(path, before, Buffer.from(inserted.text), clock());
      const staged = stage(path, { before, after, keepsStamps: false }, addition);
      if (!staged.ok) return staged;
      // Stamps that were added push everything below them down.
      const shift = splitLines(after.toString()).length - splitLines(inserted.text).length;
      return { ...staged, added: { start: inserted.first + shift, end: inserted.last + shift } };
    },
    place: (path, bytes) => stage(path, { before: null, after: bytes, keepsStamps: true }),
    remove: (path, before) => stage(path, { before, after: null, keepsStamps: true }),
    relink(path, before, text) {
      const first = files.get(path);
      const unlinked = first === undefined ? before : (first.unlinked ?? first.after ?? undefined);
      return stage(path, { before, after: Buffer.from(withTokens(text)), keepsStamps: true, unlinked });
    },
    move(from, to, bytes) {
      const reason = policy.mayWrite(from, null, false, undefined, base.layout());
      const { from: origin = from, unlinked } = files.get(from) ?? {};
      const placed: Staged =
        reason === null
          ? stage(to, { before: null, after: bytes, keepsStamps: true, from: origin, unlinked })
          : { ok: false, reason };
      return placed.ok ? stage(from, { before: bytes, after: null, keepsStamps: true }) : placed;
    },
    removeFolder: (path) => void removedFolders.add(path),
    staged: () => new Map([...files].map(([path, { after }]) => [path, after])),
    relinked,
    removedFolders: () => removedFolders,
    movedTo: (from) => movedTo(files, from),
    moves: () =>
      new Map([...files].flatMap(([to, { from }]) => (from === undefined ? [] : [[from, to] as const]))),
    before: (path) => files.get(path)?.before,
    savepoint() {
      const saved = copy();
      return () => replaceBy(saved);
    },
    save: () => serialize(copy()),
    restore: (saved) => replaceBy(deserialize(saved) as Overlay),
    drop(paths) {
      for (const path of paths) {
        const from = files.get(path)?.from;
        const to = movedTo(files, path);
        for (const end of [path, from, to]) if (end !== undefined) files.delete(end);
        removedFolders.delete(path);
      }
    },
    async commit(why, isConfirmed = false) {
      const changes = [...files].flatMap(
        ([path, { before, after }]) => fileChange(path, before, after) ?? [],
      );
      const unlinked = [...files].flatMap(
        ([path, { before, after, unlinked: text = after }]) => fileChange(path, before, text) ?? [],
      );
      const { connection } = policy;
      // What the person has agreed to is neither held nor counted.
      const isAsked = connection !== null || !isConfirmed;
      const layout = base.layout();
      const { taking, lately } = takingOf(isAsked ? unlinked : [], connection, writer, layout);
      const reason = isAsked
        ? policy.mustHold(unlinked, { ...taking, lately, relinked: relinked() }, layout)
        : null;
      if (reason !== null && connection === null) return { kind: 'unconfirmed', reason };
      const folders = deepestFirst(removedFolders).map((path) => ({ kind: 'remove-folder' as const, path }));
      if (reason !== null)
        return { kind: 'held', id: await writer.hold([...changes, ...folders], why, reason), reason };
      const finished = changes.map((change) => ({
        ...change,
        finish: finishing(change),
        from: files.get(change.path)?.from,
        additions: files.get(change.path)?.additions,
      }));
      return writer.write([...finished, ...folders], {
        ...why,
        ...(connection !== null && { taking: { ...taking, connection: connection.name } }),
      });
    },
  };
}

function takingOf(
  changes: readonly FileChange[],
  connection: Connection | null,
  writer: Writer,
  layout: Layout,
): { taking: Omit<Taking, 'connection'>; lately: Taken } {
  if (connection === null)
    return {
      taking: { removed: removedText(changes, layout), own: new Set() },
      lately: { characters: 0, files: 0 },
    };
  const { name, mayTakeBack, isSpent } = connection;
  const { isOwn, ...lately } = writer.lately(name);
  const isCounted = (change: FileChange): boolean =>
    change.kind === 'create' ||
    !(isSpent?.(change.path) === true || (mayTakeBack && isOwn(change.path, change.before)));
  const counted = changes.filter(isCounted);
  const removed = removedText(counted, layout);
  // What is new is its own only if it was not taken from another file.
  const isNothingTaken =
    mayTakeBack &&
    removed.length === 0 &&
    (counted.length === 1 ||
      counted.every((each) => each.kind === 'create' || removedText([each], layout).length === 0));
  const own = changes.filter((each) => isNothingTaken && (each.kind === 'create' || !isCounted(each)));
  return { taking: { removed, own: new Set(own.map(({ path }) => path)) }, lately };
}

function movedTo(files: ReadonlyMap<VaultPath, StagedFile>, from: VaultPath): VaultPath | undefined {
  return [...files].find(([, file]) => file.from === from)?.[0];
}
