import type { Clock } from '../contract/index.ts';
import { decodeText, splitLines, updateTokens } from '../vault/index.ts';
import type { LineRange, VaultPath, VaultView } from '../vault/index.ts';
import type { Addition } from './append-step.ts';
import type { WritePolicy } from './change-policy.ts';
import { commitStaged } from './commit-staged.ts';
import { insertText } from './insert-text.ts';
import { createOverlayView } from './overlay.ts';
import { createStaging } from './staged-changes.ts';
import type { StagedChanges, StagedFile } from './staged-changes.ts';
import type { Stamper } from './stamps.ts';
import type { ChangeMetadata } from './change-metadata.ts';
import type { Writer, WriteResult } from './writer.ts';

/** The bytes that will be written, stamps included, or why the change is not allowed. */
type StageResult = { ok: true; bytes: Buffer } | { ok: false; reason: string };

/**
 * Changes that belong together. `view` shows them as if they were applied; the files on disk stay unchanged until
 * `commit`, which applies all of them or none.
 */
export type Transaction = StagedChanges & {
  view: VaultView;
  /** Sets the content of a file. `before` is the content it is based on; null when the file must not exist yet. */
  write(path: VaultPath, before: Buffer | null, after: Buffer): StageResult;
  /**
   * Adds text to a file; `before` is its current content. If another writer changes the file before the commit, the
   * text is added to the changed file. Returns the added lines.
   */
  append(
    path: VaultPath,
    before: Buffer,
    addition: Addition,
  ): (Extract<StageResult, { ok: true }> & { added: LineRange }) | Extract<StageResult, { ok: false }>;
  /** Creates a file from these exact bytes; no stamps are added. */
  create(path: VaultPath, bytes: Buffer): StageResult;
  /** Moves a file byte for byte; its stamps stay unchanged. */
  move(from: VaultPath, to: VaultPath, bytes: Buffer): StageResult;
  /** Rewrites the links of a text after a move; its times stay unchanged. */
  relink(path: VaultPath, before: Buffer, text: string): StageResult;
  remove(path: VaultPath, before: Buffer): StageResult;
  /** `isConfirmed`: the user makes the change and has already confirmed it, so it is not held. */
  commit(metadata: ChangeMetadata, isConfirmed?: boolean): Promise<WriteResult>;
};

export function createTransaction(
  base: VaultView,
  { writer, stamps }: { writer: Writer; stamps: Stamper },
  policy: WritePolicy,
  clock: Clock,
): Transaction {
  const staging = createStaging();
  const { files } = staging;
  const stage = (path: VaultPath, file: StagedFile, addition?: Addition): StageResult => {
    const { before, after, from } = file;
    const reason = policy.writeProblem(path, after, before === null, from, base.layout());
    if (reason !== null) return { ok: false, reason };
    staging.stage(path, file, addition);
    return { ok: true, bytes: after ?? Buffer.alloc(0) };
  };
  return {
    ...staging.changes,
    view: createOverlayView(base, staging, clock),
    // Stamped when staged, so that line numbers reported before the commit stay correct after it.
    write: (path, before, after) =>
      stage(path, { before, after: stamps.apply(path, before, after, clock()), keepsStamps: false }),
    append(path, before, addition) {
      const current = decodeText(before);
      if (current.kind !== 'text') return { ok: false, reason: `it is ${current.description}, not text` };
      const inserted = insertText(current.text, addition.text, addition.position, addition.isLog);
      const after = stamps.apply(path, before, Buffer.from(inserted.text), clock());
      const staged = stage(path, { before, after, keepsStamps: false }, addition);
      if (!staged.ok) return staged;
      // Added stamps move everything below them down.
      const shift = splitLines(after.toString()).length - splitLines(inserted.text).length;
      return { ...staged, added: { start: inserted.first + shift, end: inserted.last + shift } };
    },
    create: (path, bytes) => stage(path, { before: null, after: bytes, keepsStamps: true }),
    remove: (path, before) => stage(path, { before, after: null, keepsStamps: true }),
    relink(path, before, text) {
      const first = files.get(path);
      const unlinked = first === undefined ? before : (first.unlinked ?? first.after ?? undefined);
      return stage(path, { before, after: Buffer.from(updateTokens(text)), keepsStamps: true, unlinked });
    },
    move(from, to, bytes) {
      const reason = policy.writeProblem(from, null, false, undefined, base.layout());
      const { from: origin = from, unlinked } = files.get(from) ?? {};
      const placed: StageResult =
        reason === null
          ? stage(to, { before: null, after: bytes, keepsStamps: true, from: origin, unlinked })
          : { ok: false, reason };
      return placed.ok ? stage(from, { before: bytes, after: null, keepsStamps: true }) : placed;
    },
    commit: async (metadata, isConfirmed = false) =>
      commitStaged({ writer, stamps, policy, layout: base.layout(), clock }, staging, metadata, isConfirmed),
  };
}
