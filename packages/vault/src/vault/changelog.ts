import { findFrontmatter } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import type { LineRange } from './lines.ts';
import { startOutline } from './outline.ts';
import { parseVaultPath } from './path.ts';
import type { VaultPath } from './path.ts';

/** An entry of a changelog: a heading of the second level under the day it is of. */
export type ChangelogEntry = {
  heading: string;
  /** From its heading to its last line that is not blank. */
  lines: LineRange;
  /** `2025-07-14`; null where no day stands above it. */
  day: string | null;
  /** The earlier entries that it says it replaces. */
  replaces: EntryName[];
};

/** How an entry names another one. The day is given where two headings are alike. */
export type EntryName = { path: VaultPath; heading: string; day: string | null };

/** The day that a heading begins with. */
export function dayOf(heading: string): string | null {
  return /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(heading)?.[0] ?? null;
}

export function changelogEntries(text: string): ChangelogEntry[] {
  const outline = startOutline();
  const skipped = splitLines(text.slice(0, findFrontmatter(text)?.bodyStart ?? 0)).length;
  const entries: ChangelogEntry[] = [];
  let day: string | null = null;
  let open: ChangelogEntry | null = null;
  for (const [index, line] of splitLines(text).entries()) {
    if (index < skipped) continue;
    const number = index + 1;
    const { heading, verbatim } = outline(index === 0 ? line.replace(/^\ufeff/, '') : line);
    if (heading?.level === 1) {
      day = dayOf(heading.text);
      open = null;
    } else if (heading?.level === 2 && heading.lines === 1) {
      open = { heading: heading.text, lines: { start: number, end: number }, day, replaces: [] };
      entries.push(open);
    } else if (open !== null && line.trim() !== '') {
      open.lines.end = number;
      const named = verbatim ? null : parseReplaces(line);
      if (named !== null) open.replaces.push(named);
    }
  }
  return entries;
}

const mark = 'replaces:';

/** `replaces: vault/changelog.md § Heading`, or with a day, `§ 2025-07-14 / Heading`; null for any other line. */
function parseReplaces(line: string): EntryName | null {
  const sign = line.startsWith(mark) ? line.indexOf('§') : -1;
  if (sign === -1) return null;
  const path = parseVaultPath(line.slice(mark.length, sign).trim());
  const [, day, name = ''] = /^(?:(\d{4}-\d{2}-\d{2})\s*\/)?(.*)$/s.exec(line.slice(sign + 1).trim()) ?? [];
  const heading = name.trim().replace(/^##\s/, '').trim();
  return path.ok && heading !== '' ? { path: path.path, heading, day: day ?? null } : null;
}
