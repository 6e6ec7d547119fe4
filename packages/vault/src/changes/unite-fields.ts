import { findFreeName } from '../vault/index.ts';
import type { Dispute } from './union-merge.ts';

/** A frontmatter list; items are as written, with their quotes. `indent` is that of a block list, null for `[a, b]`. */
type FieldList = { key: string; items: string[]; indent: string | null };

/**
 * Merges a frontmatter list that both sides changed: it has the items of both, without those that one side removed. Null
 * if the lines are not a list on both sides.
 */
export function uniteLists({ base, a, b }: Dispute): string[] | null {
  const [was, mine, theirs] = [parseList(base), parseList(a), parseList(b)];
  if (mine === null || theirs === null || mine.key !== theirs.key) return null;
  const known = new Set(was?.items);
  const [inMine, inTheirs] = [new Set(mine.items), new Set(theirs.items)];
  const left = mine.items.filter((item) => inTheirs.has(item) || !known.has(item));
  const added = theirs.items.filter((item) => !inMine.has(item) && !known.has(item));
  return formatList({ ...mine, items: [...left, ...added] });
}

/**
 * The lines of a frontmatter field with the values of both sides: a list with both, or a second field, or, inside of a
 * nested value, a comment. `yaml` is the frontmatter with the lines `kept` at the index `at`.
 */
export function keepBothValues(
  yaml: readonly string[],
  { at, kept, other }: { at: number; kept: readonly string[]; other: readonly string[] },
): string[] {
  const [mine, theirs] = [parseList(kept) ?? parseScalar(kept), parseList(other) ?? parseScalar(other)];
  if (mine !== null && theirs !== null && mine.key === theirs.key) {
    const items = [...new Set([...mine.items, ...theirs.items])];
    return formatList({ key: mine.key, indent: mine.indent ?? theirs.indent, items });
  }
  const key = keyOf(other[0] ?? '');
  if (key !== null) {
    const keys = new Set(yaml.map(keyOf));
    const free = findFreeName(key, (name) => keys.has(name));
    return [...kept, free + (other[0] ?? '').slice(key.length), ...other.slice(1)];
  }
  const isBlockText = /:\s*[|>]/.test(yaml.slice(0, at).findLast((line) => keyOf(line) !== null) ?? '');
  return [
    ...kept,
    ...other.filter((line) => !kept.includes(line)).map((line) => (isBlockText ? line : `# ${line}`)),
  ];
}

function keyOf(line: string): string | null {
  return /^([^\s#:-][^:]*?)\s*:(?:\s|$)/.exec(line)?.[1] ?? null;
}

/** A whole field, or some of the lines of a block list, which then has no key. */
function parseList(lines: readonly string[]): FieldList | null {
  const [first = '', ...others] = lines;
  const key = keyOf(first);
  if (key === null) return parseBlockItems(lines, '');
  const value = first.slice(first.indexOf(':') + 1).trim();
  if (others.length > 0) return value === '' ? parseBlockItems(others, key) : null;
  const items = value.startsWith('[') && value.endsWith(']') ? splitItems(value.slice(1, -1)) : null;
  return items && { key, items, indent: null };
}

function parseBlockItems(lines: readonly string[], key: string): FieldList | null {
  const items = lines.map((line) => /^(\s*)-\s+(\S.*?)\s*$/.exec(line));
  const indent = items[0]?.[1] ?? '';
  if (items.some((item) => item?.[1] !== indent)) return null;
  return { key, items: items.map((item) => item?.[2] ?? ''), indent };
}

/** The items between the brackets of a list; null if they are not simple. */
function splitItems(inner: string): string[] | null {
  if (inner.trim() === '') return [];
  const item = /\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,"'[\]{}#][^,"[\]{}#]*?)\s*(?:,|$)/y;
  const items: string[] = [];
  while (item.lastIndex < inner.length) {
    const found = item.exec(inner)?.[1];
    if (found === undefined) return null;
    items.push(found);
  }
  return items;
}

/** A field with one simple value, as a list of it. */
function parseScalar(lines: readonly string[]): FieldList | null {
  const [first = '', ...others] = lines;
  const key = keyOf(first);
  const value = first.slice(first.indexOf(':') + 1).trim();
  if (key === null || value === '' || others.length > 0) return null;
  if (/^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/.test(value)) return { key, items: [value], indent: null };
  if (/^[[\]{}&*!|>"'%@`#?]|\s#|:\s/.test(value)) return null;
  return { key, items: [/[,[\]{}]/.test(value) ? JSON.stringify(value) : value], indent: null };
}

function formatList({ key, items, indent }: FieldList): string[] {
  if (indent === null) return [`${key}: [${items.join(', ')}]`];
  return [...(key === '' ? [] : [`${key}:`]), ...items.map((item) => `${indent}- ${item}`)];
}
