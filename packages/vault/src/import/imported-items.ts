import type { Changes } from '../changes/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { currentItemId } from './maildir.ts';
import type { ImportedFile } from './records.ts';

/**
 * The items that earlier imports created in a folder and that still count as imported, with their files as last
 * imported.
 */
export type ImportedItems = ReadonlyMap<string, readonly ImportedFile[]>;

/**
 * Finds items that were imported before. Imports that were undone or never applied do not count. A record from another
 * source counts only if the content is identical: otherwise it may be a different item with the same name.
 */
export function findImportedItems(
  recorded: readonly ImportedFile[],
  source: string,
  digests: ReadonlyMap<string, string>,
  changes: Pick<Changes, 'find' | 'findExpired' | 'undonePaths'>,
): ImportedItems {
  const records = recorded.map((record) => ({
    ...record,
    item: currentItemId(record, (id) => digests.has(id)),
  }));
  const made = new Map<string, { at: number; takenBack: ReadonlySet<VaultPath> } | null>();
  for (const { change } of records) {
    if (made.has(change)) continue;
    const entry = changes.find(change)?.entry ?? changes.findExpired(change);
    const isMade = entry?.state === 'applied' || entry?.state === 'applying';
    made.set(change, isMade ? { at: entry.at, takenBack: changes.undonePaths(change) } : null);
  }
  const counting = records
    .filter(({ change, path }) => made.get(change)?.takenBack.has(path) === false)
    .filter((record) => record.source === source || digests.get(record.item) === record.digest)
    .toSorted((a, b) => (made.get(a.change)?.at ?? 0) - (made.get(b.change)?.at ?? 0));
  const items = new Map<string, ImportedFile[]>();
  for (const record of counting) {
    const before = items.get(record.item) ?? [];
    const same = before.filter(({ change }) => change === record.change);
    items.set(record.item, [...same, record]);
  }
  return items;
}
