import type { Clock } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';
import type { Layout, VaultPath, VaultRoot } from '../vault/index.ts';
import { isFileChange } from './change.ts';
import type { History } from './history.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { Stamper } from './stamps.ts';
import { missingChange, restore, undo } from './undo.ts';
import type { UndoJournal, UndoResult, UndoOptions } from './undo.ts';
import type { ChangeMetadata } from './change-metadata.ts';
import type { Writer } from './writer.ts';

type ApproveOptions = Pick<ChangeMetadata, 'onConflict' | 'assertAllowed'>;

/** Decisions about changes that were applied or are held. */
export type ChangeDecisions = {
  /** Undoes a change. A change that the user rejected is held again when the user undoes it, and no file changes. */
  undo(id: string, options?: UndoOptions): Promise<UndoResult>;
  /** Restores a file to its content right after this change. */
  restore(
    id: string,
    path: VaultPath,
    options?: Pick<UndoOptions, 'member' | 'assertAllowed'>,
  ): Promise<UndoResult>;
  /**
   * Applies a held change, merged with later edits. By default both insertions are kept where both sides inserted at the
   * same place.
   */
  approve(id: string, options?: ApproveOptions): Promise<UndoResult>;
  /** Rejects a held change. Returns false when it is no longer held. */
  reject(id: string): Promise<boolean>;
};

type Dependencies = {
  root: VaultRoot;
  journal: UndoJournal;
  history: History;
  writer: Writer;
  stamps: Stamper;
  clock: Clock;
  layout: () => Layout;
};

export function createChangeDecisions(dependencies: Dependencies): ChangeDecisions {
  const { journal } = dependencies;
  return {
    async undo(id, options) {
      const entry = journal.find(id);
      const isUndoneByUser = options?.requestedBy === undefined;
      if (entry?.state !== 'rejected' || !isUndoneByUser) return undo(dependencies, id, options);
      options?.assertAllowed?.();
      return (await journal.withdrawRejection(entry.id))
        ? { kind: 'unchanged' }
        : { kind: 'not-applied', state: journal.find(id)?.state ?? 'rejected' };
    },
    restore: (id, path, options) => restore(dependencies, id, path, options),
    async approve(id, options) {
      const entry = journal.find(id);
      if (entry === undefined) return missingChange(journal, id);
      if (entry.state !== 'held') return { kind: 'not-applied', state: entry.state };
      const appliedId = journal.appliedIdOf(entry.id);
      const written =
        appliedId === undefined
          ? await makeHeld(dependencies, entry, options)
          : // A crash came between applying the change and recording the decision.
            { kind: 'written' as const, id: appliedId, changes: [], warnings: [] };
      if (written.kind === 'written' || written.kind === 'unchanged')
        await journal.recordDecision(entry.id, 'approved');
      return written;
    },
    async reject(id) {
      const entry = journal.find(id);
      return entry === undefined ? false : journal.recordDecision(entry.id, 'rejected');
    },
  };
}

async function makeHeld(
  { journal, writer, stamps, clock }: Dependencies,
  { id, origin, summary }: JournalEntry,
  { onConflict = 'union', assertAllowed }: ApproveOptions = {},
): Promise<UndoResult> {
  const moves = journal.movesOf(id);
  const requested = (journal.changesOf(id) ?? []).map((change) =>
    isFileChange(change)
      ? {
          ...change,
          from: moves.get(change.path),
          finalize: (bytes: Buffer, current: Buffer | null): Buffer =>
            stamps.apply(change.path, current, bytes, clock()),
        }
      : change,
  );
  const metadata = {
    origin,
    summary: `${summary} (approved)`,
    approvesId: id,
    undoesId: journal.undoTargetOf(id),
    onConflict,
    assertAllowed,
  };
  const written = await writer.write(requested, metadata).catch((error: unknown) => {
    if (error instanceof VaultError && error.code === 'made-already') return null;
    throw error;
  });
  // Another process may have decided while this one waited for the lock.
  const state = journal.find(id)?.state ?? 'held';
  return written === null || (written.kind !== 'written' && state !== 'held')
    ? { kind: 'not-applied', state }
    : written;
}
