import { changelogEntries } from '../../vault/index.ts';
import type { ChangelogEntry } from '../../vault/index.ts';

/** The entries that were not there before. From the bottom, where the old ones are: of two alike the upper one is new. */
function addedEntries(before: string, after: string): ChangelogEntry[] {
  const known = new Map<string, number>();
  for (const { heading } of changelogEntries(before)) known.set(heading, (known.get(heading) ?? 0) + 1);
  const isAdded = ({ heading }: ChangelogEntry): boolean => {
    const count = known.get(heading) ?? 0;
    known.set(heading, count - 1);
    return count <= 0;
  };
  return changelogEntries(after).toReversed().filter(isAdded).toReversed();
}

export function newEntries(before: string, after: string): number {
  return addedEntries(before, after).length;
}

/** Makes all new entries but the first parts of it: an update is one event. */
export function joinNewEntries(before: string, after: string): string {
  const surplus = new Set(
    addedEntries(before, after)
      .slice(1)
      .map(({ lines }) => lines.start - 1),
  );
  return after
    .split('\n')
    .map((line, number) => (surplus.has(number) ? line.replace('##', '###') : line))
    .join('\n');
}

/** An entry for an update whose agent wrote none, in no language but that of its summary. */
export function plainEntry(day: string, summary: string, paths: readonly string[]): string {
  const first = summary.split('\n').find((line) => line.trim() !== '') ?? '';
  const title = first.replace(/^[#\s>*-]+/, '').slice(0, 100);
  const list = paths.map((path) => `- ${path}`).join('\n');
  return `# ${day}\n\n## ${title === '' ? 'update' : title}\n${list}`;
}
