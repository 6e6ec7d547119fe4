import { findFrontmatter } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import type { LineRange } from './lines.ts';
import { createOutlineParser } from './outline.ts';
import { parseVaultPath } from './path.ts';
import type { VaultPath } from './path.ts';

/** A changelog entry: an H2 heading below the heading of its day. */
export type ChangelogEntry = {
  heading: string;
  /** From the heading to the last line that is not blank. */
  lines: LineRange;
  /** For example `2025-07-14`; null if there is no day heading above it. */
  day: string | null;
  /** The earlier entries that its `replaces:` lines name. */
  replaces: EntryReference[];
};

/** A reference to another entry. The day disambiguates equal headings. */
export type EntryReference = { path: VaultPath; heading: string; day: string | null };

/** The day at the start of a heading. */
export function parseDay(heading: string): string | null {
  return /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(heading)?.[0] ?? null;
}

export function parseChangelog(text: string): ChangelogEntry[] {
  const outline = createOutlineParser();
  const skipped = splitLines(text.slice(0, findFrontmatter(text)?.bodyStart ?? 0)).length;
  const entries: ChangelogEntry[] = [];
  let day: string | null = null;
  let open: ChangelogEntry | null = null;
  for (const [index, line] of splitLines(text).entries()) {
    if (index < skipped) continue;
    const number = index + 1;
    const { heading, isVerbatim } = outline(index === 0 ? line.replace(/^\ufeff/, '') : line);
    if (heading?.level === 1) {
      day = parseDay(heading.text);
      open = null;
    } else if (heading?.level === 2 && heading.lines === 1) {
      open = { heading: heading.text, lines: { start: number, end: number }, day, replaces: [] };
      entries.push(open);
    } else if (open !== null && line.trim() !== '') {
      open.lines.end = number;
      const named = isVerbatim ? null : parseReplaces(line);
      if (named !== null) open.replaces.push(named);
    }
  }
  return entries;
}

const replacesPrefix = 'replaces:';

/** Parses `replaces: vault/changelog.md § Heading`, or with a day `§ 2025-07-14 / Heading`; null for any other line. */
function parseReplaces(line: string): EntryReference | null {
  const sign = line.startsWith(replacesPrefix) ? line.indexOf('§') : -1;
  if (sign === -1) return null;
  const path = parseVaultPath(line.slice(replacesPrefix.length, sign).trim());
  const [, day, name = ''] = /^(?:(\d{4}-\d{2}-\d{2})\s*\/)?(.*)$/s.exec(line.slice(sign + 1).trim()) ?? [];
  const heading = name.trim().replace(/^##\s/, '').trim();
  return path.ok && heading !== '' ? { path: path.path, heading, day: day ?? null } : null;
}
