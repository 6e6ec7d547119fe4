import type { ReplacedValue } from '../contract/index.ts';
import { showInput, showPath } from '../vault/index.ts';
import type { ReplacedEntry, VaultPath } from '../vault/index.ts';

/** What was replaced, as a value has it; nothing where nothing was. */
export function replacedValue(entries: readonly ReplacedEntry[]): { replaced?: ReplacedValue[] } {
  if (entries.length === 0) return {};
  return {
    replaced: entries.map(({ heading, lines, by }) => ({
      heading,
      lines,
      on: by.day,
      by: { path: showPath(by.path), line: by.line, heading: by.heading },
    })),
  };
}

/** The same as a sentence. `path` is as the result shows it. */
export function replacedNote(path: string, { heading, lines, on, by }: ReplacedValue): string {
  const what = `${path}:${lines.start} § ${showInput(heading)}`;
  const day = on === null ? '' : ` on ${on}`;
  return `${what} was replaced${day} by ${by.path}:${by.line} § ${showInput(by.heading)}`;
}

/** A block with a line above it for each of its entries that was replaced: what is inside of it is the file's. */
export function withReplaced(block: string, path: VaultPath, entries: readonly ReplacedEntry[]): string {
  const { replaced = [] } = replacedValue(entries);
  return [...replaced.map((each) => `note: ${replacedNote(showPath(path), each)}`), block].join('\n');
}
