import type { Changes } from '../changes/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Imported } from './records.ts';

/** What was imported into a folder before and still counts: item by item, its files, as last imported. */
export type KnownItems = ReadonlyMap<string, readonly Imported[]>;

/**
 * An import that was taken back, or never came to be, does not count. A file from another place counts only for what is
 * the same there: it may be something else that happens to have the same name.
 */
export function knownItems(
  records: readonly Imported[],
  source: string,
  digests: ReadonlyMap<string, string>,
  changes: Pick<Changes, 'find' | 'takenBack'>,
): KnownItems {
  const made = new Map<string, { at: number; takenBack: ReadonlySet<VaultPath> } | null>();
  for (const { change } of records) {
    if (made.has(change)) continue;
    const entry = changes.find(change)?.entry;
    const isMade = entry?.state === 'applied' || entry?.state === 'applying';
    made.set(change, isMade ? { at: entry.at, takenBack: changes.takenBack(change) } : null);
  }
  const counting = records
    .filter(({ change, path }) => made.get(change)?.takenBack.has(path) === false)
    .filter((record) => record.source === source || digests.get(record.item) === record.digest)
    .toSorted((a, b) => (made.get(a.change)?.at ?? 0) - (made.get(b.change)?.at ?? 0));
  const items = new Map<string, Imported[]>();
  for (const record of counting) {
    const before = items.get(record.item) ?? [];
    const same = before.filter(({ change }) => change === record.change);
    items.set(record.item, [...same, record]);
  }
  return items;
}
