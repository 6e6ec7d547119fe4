import type { Clock } from '../contract/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { readBytes } from './apply.ts';
import { afterOf, beforeOf, deepestFirst, fileChange, inverseOf, isEqual } from './change.ts';
import type { History } from './history.ts';
import type { Journal } from './journal.ts';
import { stamp } from './transaction.ts';
import type { Writer, Written } from './writer.ts';

export type Undone = Written | { kind: 'unknown' } | { kind: 'not-applied'; state: string };

/**
 * Takes back what one transaction did, as a new transaction: its own lines return to what they were, edits made since
 * stay. Where both touched the same lines, nothing is written and the lines are shown. Folders that it made go once they
 * are empty. `only` limits it to one file.
 */
export async function undo(
  { journal, history, writer, clock }: { journal: Journal; history: History; writer: Writer; clock: Clock },
  id: string,
  only?: VaultPath,
): Promise<Undone> {
  const entry = journal.find(id);
  if (entry === undefined) return { kind: 'unknown' };
  if (entry.state !== 'applied') return { kind: 'not-applied', state: entry.state };
  const changes = (await history.changesOf(entry.id)).filter(
    ({ path }) => only === undefined || path === only,
  );
  const inverse = changes.map((change) => ({
    ...inverseOf(change),
    // Exactly what it was when nothing came since; else it is a new text, with new stamps.
    finish: (bytes: Buffer): Buffer =>
      isEqual(bytes, beforeOf(change)) ? bytes : stamp(change.path, bytes, clock()),
  }));
  // One that holds something else stays.
  const made = journal
    .foldersOf(entry.id)
    .filter((path) => only === undefined || only.startsWith(`${path}/`));
  const folders = deepestFirst(made).map((path) => ({ kind: 'remove-folder' as const, path }));
  return writer.write([...inverse.toReversed(), ...folders], {
    origin: 'undo',
    summary: `undo ${entry.summary}`,
    undoes: entry.id,
  });
}

/** Makes a file what it was right after a transaction, byte for byte, whatever came since. */
export async function restore(
  { root, journal, history, writer }: { root: VaultRoot; journal: Journal; history: History; writer: Writer },
  id: string,
  path: VaultPath,
): Promise<Undone> {
  const entry = journal.find(id);
  const change = entry && (await history.changesOf(entry.id)).find((each) => each.path === path);
  if (entry === undefined || change === undefined) return { kind: 'unknown' };
  const wanted = fileChange(path, readBytes(root, path), afterOf(change), change.mode);
  return writer.write(wanted === null ? [] : [wanted], {
    origin: 'restore',
    summary: `restore ${path} as of ${entry.id.slice(0, 8)}`,
  });
}
