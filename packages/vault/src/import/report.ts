import { showPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { itemSorts } from './candidate.ts';
import type { ItemSort } from './candidate.ts';
import type { Plan } from './planning.ts';
import type { ImportKind } from './recognise.ts';
import type { LeftOut, Source } from './source.ts';

/** What an import did, or would do. */
export type ImportReport = {
  kind: ImportKind;
  source: string;
  into: string;
  isDryRun: boolean;
  /** Of the change, to undo it by; null when nothing was written. */
  id: string | null;
  /** What is new, by sort. */
  added: Record<ItemSort, number>;
  /** Changed in the source and replaced. */
  replaced: number;
  /** Imported before, and not changed in the source. */
  unchanged: number;
  /** Of what is new or replaced, as it is in the source. */
  bytes: number;
  /** Got another name, because theirs does not work on every system. */
  renamed: number;
  kept: LeftOut[];
  leftOut: LeftOut[];
  warnings: string[];
};

export function reportOf(
  { source, kind, target }: { source: Source; kind: ImportKind; target: VaultPath },
  { items, unchanged, kept, leftOut, warnings }: Plan,
): Omit<ImportReport, 'id' | 'isDryRun'> {
  const fresh = items.filter(({ isNew }) => isNew);
  const counts = itemSorts.map(
    (sort) => [sort, fresh.filter(({ candidate }) => candidate.sort === sort).length] as const,
  );
  return {
    kind,
    source: source.place,
    into: showPath(target),
    added: Object.fromEntries(counts) as Record<ItemSort, number>,
    replaced: items.length - fresh.length,
    unchanged,
    bytes: items.reduce((sum, { candidate }) => sum + candidate.bytes, 0),
    renamed: items.filter(({ isRenamed }) => isRenamed).length,
    kept,
    leftOut: [...source.leftOut, ...leftOut],
    warnings,
  };
}

/** `5,000 notes, 812 attachments` */
export function describeAdded({ added, replaced }: Pick<ImportReport, 'added' | 'replaced'>): string {
  const parts = itemSorts
    .filter((sort) => added[sort] > 0)
    .map((sort) => `${added[sort].toLocaleString('en')} ${added[sort] === 1 ? sort.slice(0, -1) : sort}`);
  return [...parts, ...(replaced > 0 ? [`${replaced.toLocaleString('en')} replaced`] : [])].join(', ');
}
