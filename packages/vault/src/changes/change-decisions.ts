import type { Clock } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { Approvals } from './approvals.ts';
import { isFileChange } from './change.ts';
import type { History } from './history.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { ConflictRule } from './merge.ts';
import type { Provenance } from './provenance.ts';
import type { Stamps } from './stamps.ts';
import type { TransactionStore } from './transaction-store.ts';
import type { UndoLinks } from './undo-links.ts';
import { restore, undo } from './undo.ts';
import type { Undone, UndoOptions } from './undo.ts';
import type { Writer } from './writer.ts';

/** What a person can decide of a change that was made or is held. */
export type ChangeDecisions = {
  undo(id: string, options?: UndoOptions): Promise<Undone>;
  /** Makes a file what it was right after this change. */
  restore(id: string, path: VaultPath): Promise<Undone>;
  /** Makes a held change, merged over what changed since; what both added at one place both stands. */
  approve(id: string, onConflict?: ConflictRule): Promise<Undone>;
  /** False when it is not held any more. */
  reject(id: string): Promise<boolean>;
};

type Parts = {
  root: VaultRoot;
  journal: TransactionStore & Approvals & Provenance & UndoLinks;
  history: History;
  writer: Writer;
  stamps: Stamps;
  clock: Clock;
};

export function createChangeDecisions(parts: Parts): ChangeDecisions {
  const { journal } = parts;
  return {
    undo: (id, options) => undo(parts, id, options),
    restore: (id, path) => restore(parts, id, path),
    async approve(id, onConflict) {
      const entry = journal.find(id);
      if (entry === undefined) return { kind: 'unknown' };
      if (entry.state !== 'held') return { kind: 'not-applied', state: entry.state };
      const made = journal.madeFor(entry.id);
      const written =
        made === undefined
          ? await makeHeld(parts, entry, onConflict)
          : // A crash came between the change and the note that it was made.
            { kind: 'written' as const, id: made, changes: [], warnings: [] };
      if (written.kind === 'written' || written.kind === 'nothing')
        await journal.decide(entry.id, 'approved');
      return written;
    },
    async reject(id) {
      const entry = journal.find(id);
      return entry === undefined ? false : journal.decide(entry.id, 'rejected');
    },
  };
}

async function makeHeld(
  { journal, writer, stamps, clock }: Parts,
  { id, origin, summary }: JournalEntry,
  onConflict: ConflictRule = 'add',
): Promise<Undone> {
  const wanted = (journal.changesOf(id) ?? []).map((change) =>
    isFileChange(change)
      ? {
          ...change,
          finish: (bytes: Buffer, present: Buffer | null): Buffer =>
            stamps.set(change.path, present, bytes, clock()),
        }
      : change,
  );
  const why = {
    origin,
    summary: `${summary} (approved)`,
    approves: id,
    undoes: journal.undoneWith(id),
    onConflict,
  };
  const written = await writer.write(wanted, why).catch((error: unknown) => {
    if (error instanceof VaultError && error.code === 'made-already') return null;
    throw error;
  });
  // Somebody else has decided while this one waited for its turn.
  const state = journal.find(id)?.state ?? 'held';
  return written === null || (written.kind !== 'written' && state !== 'held')
    ? { kind: 'not-applied', state }
    : written;
}
