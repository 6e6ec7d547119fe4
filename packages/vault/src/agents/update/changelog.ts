import { parseChangelog } from '../../vault/index.ts';
import type { ChangelogEntry } from '../../vault/index.ts';

/**
 * The entries that were added. Compares from the bottom, where the old entries are: of two equal headings, the upper
 * one is new.
 */
export function findAddedEntries(before: string, after: string): ChangelogEntry[] {
  const known = new Map<string, number>();
  for (const { heading } of parseChangelog(before)) known.set(heading, (known.get(heading) ?? 0) + 1);
  const isAdded = ({ heading }: ChangelogEntry): boolean => {
    const count = known.get(heading) ?? 0;
    known.set(heading, count - 1);
    return count <= 0;
  };
  return parseChangelog(after).toReversed().filter(isAdded).toReversed();
}

export function countAddedEntries(before: string, after: string): number {
  return findAddedEntries(before, after).length;
}

/** Merges all new entries into the first, because an update is one event. */
export function mergeAddedEntries(before: string, after: string): string {
  const surplus = new Set(
    findAddedEntries(before, after)
      .slice(1)
      .map(({ lines }) => lines.start - 1),
  );
  return after
    .split('\n')
    .map((line, number) => (surplus.has(number) ? line.replace('##', '###') : line))
    .join('\n');
}

/**
 * The entry for an update whose agent wrote none. It contains only the summary and paths, so it needs no translation.
 */
export function createDefaultEntry(day: string, summary: string, paths: readonly string[]): string {
  const first = summary.split('\n').find((line) => line.trim() !== '') ?? '';
  const title = first.replace(/^[#\s>*-]+/, '').slice(0, 100);
  const list = paths.map((path) => `- ${path}`).join('\n');
  return `# ${day}\n\n## ${title === '' ? 'update' : title}\n${list}`;
}
