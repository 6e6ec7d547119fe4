import type { ReplacedValue } from '../contract/index.ts';
import { formatInput, formatPath } from '../vault/index.ts';
import type { ReplacedEntry, VaultPath } from '../vault/index.ts';

/** Converts replaced entries to the field of a result; the field is absent when there are none. */
export function toReplacedValue(entries: readonly ReplacedEntry[]): { replaced?: ReplacedValue[] } {
  if (entries.length === 0) return {};
  return {
    replaced: entries.map(({ heading, lines, isInForce, by }) => ({
      heading,
      lines,
      on: by.day,
      ...(isInForce && { inForce: true }),
      by: { path: formatPath(by.path), line: by.line, heading: by.heading },
    })),
  };
}

/** Formats a replaced entry as a sentence. `path` is the displayed path. */
export function formatReplacedNote(path: string, { heading, lines, on, inForce, by }: ReplacedValue): string {
  const what = `${path}:${lines.start} § ${formatInput(heading)}`;
  const day = on === null ? '' : ` on ${on}`;
  const verb = inForce === true ? 'will be replaced' : 'was replaced';
  return `${what} ${verb}${day} by ${by.path}:${by.line} § ${formatInput(by.heading)}`;
}

/** Formats a sentence for each replaced entry of a block, which itself contains only lines of the file. */
export function formatReplacedNotes(path: VaultPath, entries: readonly ReplacedEntry[]): string[] {
  const { replaced = [] } = toReplacedValue(entries);
  return replaced.map((each) => formatReplacedNote(formatPath(path), each));
}
