import { parseLocalTime } from '../contract/index.ts';
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
  /** The day on which it was filed, for example `2025-07-14`; null if there is no day heading above it. */
  day: string | null;
  /** The day of the event, from a `when:` line directly below the heading; null if there is none. */
  when: string | null;
  /** The day on which it takes effect, from a `from:` line directly below the heading; null if there is none. */
  from: string | null;
  /** The earlier entries that its `replaces:` lines name. */
  replaces: EntryReference[];
  /** The lines with a `when:` or `from:` that is not a date, or a `replaces:` without a path and a heading. */
  invalidLines: number[];
};

/** A reference to another entry. The day disambiguates equal headings. */
export type EntryReference = { path: VaultPath; heading: string; day: string | null };

/** The day at the start of a heading. */
export function parseDay(heading: string): string | null {
  return /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(heading)?.[0] ?? null;
}

/** The day of the event: the one that the entry states, otherwise the day on which it was filed. */
export function eventDay({ when, day }: Pick<ChangelogEntry, 'when' | 'day'>): string | null {
  return when ?? day;
}

/** The day on which an entry takes effect. */
export function effectiveDay({ from, when, day }: ChangelogEntry): string | null {
  return from ?? eventDay({ when, day });
}

export function parseChangelog(text: string): ChangelogEntry[] {
  const outline = createOutlineParser();
  const skipped = splitLines(text.slice(0, findFrontmatter(text)?.bodyStart ?? 0)).length;
  const entries: ChangelogEntry[] = [];
  let day: string | null = null;
  let open: ChangelogEntry | null = null;
  let isBelowHeading = false;
  for (const [index, line] of splitLines(text).entries()) {
    if (index < skipped) continue;
    const number = index + 1;
    const { heading, isVerbatim } = outline(index === 0 ? line.replace(/^\ufeff/, '') : line);
    if (heading?.level === 1) {
      day = parseDay(heading.text);
      open = null;
    } else if (heading?.level === 2 && heading.lines === 1) {
      open = createEntry(heading.text, number, day);
      entries.push(open);
      isBelowHeading = true;
    } else if (open !== null && line.trim() !== '') {
      open.lines.end = number;
      const field = isVerbatim ? null : parseField(line);
      isBelowHeading &&= field !== null;
      if (field !== null && !setField(open, field, isBelowHeading)) open.invalidLines.push(number);
    }
  }
  return entries;
}

function createEntry(heading: string, line: number, day: string | null): ChangelogEntry {
  const lines = { start: line, end: line };
  return { heading, lines, day, when: null, from: null, replaces: [], invalidLines: [] };
}

type Field = { name: 'when' | 'from' | 'replaces'; value: string };

function parseField(line: string): Field | null {
  const [, name, value = ''] = /^(when|from|replaces):(.*)$/s.exec(line) ?? [];
  return name === undefined ? null : { name: name as Field['name'], value: value.trim() };
}

/** Returns false if the value cannot be used. A date counts only directly below the heading; of several, the first. */
function setField(entry: ChangelogEntry, { name, value }: Field, isBelowHeading: boolean): boolean {
  if (name === 'replaces') {
    const reference = parseReference(value);
    if (reference !== null) entry.replaces.push(reference);
    return reference !== null;
  }
  if (!isBelowHeading) return true;
  const day = parseDay(value);
  // A `from:` without a number is the sender of a quoted message.
  if (day === null || parseLocalTime(day) === null) return name === 'from' && !/^\d/.test(value);
  entry[name] ??= day;
  return true;
}

/** Parses `vault/changelog.md § Heading`, or with a day `vault/changelog.md § 2025-07-14 / Heading`. */
function parseReference(value: string): EntryReference | null {
  const sign = value.indexOf('§');
  if (sign === -1) return null;
  const path = parseVaultPath(value.slice(0, sign).trim());
  const [, day, name = ''] = /^(?:(\d{4}-\d{2}-\d{2})\s*\/)?(.*)$/s.exec(value.slice(sign + 1).trim()) ?? [];
  const heading = name.trim().replace(/^##\s/, '').trim();
  return path.ok && heading !== '' ? { path: path.path, heading, day: day ?? null } : null;
}
