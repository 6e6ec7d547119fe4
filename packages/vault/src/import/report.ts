import { formatPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { itemCategories } from './candidate.ts';
import type { ItemCategory } from './candidate.ts';
import type { Plan } from './plan-types.ts';
import type { ImportKind } from './detect-kind.ts';
import type { SkippedItem, Source } from './source.ts';

/** The result of an import or of a dry run. */
export type ImportReport = {
  kind: ImportKind;
  source: string;
  into: string;
  isDryRun: boolean;
  /** Id of the change, for undo; null if nothing was written. */
  id: string | null;
  /** Number of new items by category. */
  added: Record<ItemCategory, number>;
  /** Number of items that changed in the source and were replaced. */
  replaced: number;
  /** Number of items imported before that have not changed in the source. */
  unchanged: number;
  /** Size of the new and replaced items in the source. */
  bytes: number;
  /** Number of items renamed because their name does not work on every system. */
  renamed: number;
  kept: SkippedItem[];
  leftOut: SkippedItem[];
  warnings: string[];
  /** Items that seem to contain a secret, with its kind; they are imported unchanged. */
  secrets: SkippedItem[];
};

export function createReport(
  { source, kind, target }: { source: Source; kind: ImportKind; target: VaultPath },
  { items, unchanged, conflicts, skipped, warnings, secrets }: Plan,
): Omit<ImportReport, 'id' | 'isDryRun'> {
  const added = items.filter(({ isNew }) => isNew);
  const counts = itemCategories.map(
    (category) =>
      [category, added.filter(({ candidate }) => candidate.category === category).length] as const,
  );
  return {
    kind,
    source: source.location,
    into: formatPath(target),
    added: Object.fromEntries(counts) as Record<ItemCategory, number>,
    replaced: items.length - added.length,
    unchanged,
    bytes: items.reduce((sum, { candidate }) => sum + candidate.bytes, 0),
    renamed: items.filter(({ isRenamed }) => isRenamed).length,
    kept: conflicts,
    leftOut: [...source.leftOut, ...skipped, ...describeHidden(source.hidden)],
    warnings,
    secrets,
  };
}

function describeHidden(names: readonly string[]): SkippedItem[] {
  return [...new Set(names)]
    .toSorted()
    .map((path) => ({ path, reason: 'hidden or made by another program' }));
}

/** `5,000 notes, 812 attachments` */
export function formatAdded({ added, replaced }: Pick<ImportReport, 'added' | 'replaced'>): string {
  const parts = itemCategories
    .filter((category) => added[category] > 0)
    .map(
      (category) =>
        `${added[category].toLocaleString('en')} ${added[category] === 1 ? category.slice(0, -1) : category}`,
    );
  return [...parts, ...(replaced > 0 ? [`${replaced.toLocaleString('en')} replaced`] : [])].join(', ');
}
