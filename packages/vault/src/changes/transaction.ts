import type { Clock } from '../contract/index.ts';
import { decodeText, splitLines, withTokens } from '../vault/index.ts';
import type { LineRange, VaultPath, VaultView } from '../vault/index.ts';
import type { Addition } from './append-step.ts';
import type { Policy } from './change-policy.ts';
import { commitStaged } from './commit-staged.ts';
import { insertText } from './insert-text.ts';
import { overlayView } from './overlay.ts';
import { createStaging } from './staged-changes.ts';
import type { StagedChanges, StagedFile } from './staged-changes.ts';
import type { Stamps } from './stamps.ts';
import type { Why, Writer, Written } from './writer.ts';

/** The bytes as they will be written, stamps included, or why they will not. */
type Staged = { ok: true; bytes: Buffer } | { ok: false; reason: string };

/**
 * Changes that belong together. Its view shows them as if they were made; the files on disk stay as they are until
 * `commit`, which makes all of them or none.
 */
export type Transaction = StagedChanges & {
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
  /** `isConfirmed` when the person, who makes it, has already agreed to a change that would be held. */
  commit(why: Why, isConfirmed?: boolean): Promise<Written>;
};

export function createTransaction(
  base: VaultView,
  { writer, stamps }: { writer: Writer; stamps: Stamps },
  policy: Policy,
  clock: Clock,
): Transaction {
  const staging = createStaging();
  const { files } = staging;
  const stage = (path: VaultPath, file: StagedFile, addition?: Addition): Staged => {
    const { before, after, from } = file;
    const reason = policy.mayWrite(path, after, before === null, from, base.layout());
    if (reason !== null) return { ok: false, reason };
    staging.stage(path, file, addition);
    return { ok: true, bytes: after ?? Buffer.alloc(0) };
  };
  return {
    ...staging.changes,
    view: overlayView(base, staging, clock),
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
    commit: async (why, isConfirmed = false) =>
      commitStaged({ writer, stamps, policy, layout: base.layout(), clock }, staging, why, isConfirmed),
  };
}
