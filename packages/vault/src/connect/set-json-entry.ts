import { isDeepStrictEqual } from 'node:util';
import { parseJsonTree, removeFirstComma, startsWithComma } from './json-tree.ts';
import type { JsonMember, JsonNode } from './json-tree.ts';
import type { ConfigEntry } from './server.ts';

export type EntryEdit = {
  section: string;
  name: string;
  entry: ConfigEntry;
  /** Keys that belong to another transport; they are removed. */
  conflictingKeys: string[];
};

/**
 * Adds or updates an entry in JSON text without changing any other byte. The text may contain comments and trailing
 * commas. Keys that others added to an existing entry are kept. Throws a SyntaxError if the text is invalid or has an
 * unexpected structure.
 */
export function setJsonEntry(text: string, { section, name, entry, conflictingKeys }: EntryEdit): string {
  const style = styleOf(text);
  const root = parseJsonTree(text);
  if (root === null) {
    const created = render({ [section]: { [name]: entry } }, '', style);
    return `${text.trim() === '' ? '' : `${text.trimEnd()}${style.newline}`}${created}${style.newline}`;
  }
  const servers = memberOf(root, section, 'the file');
  if (servers === undefined) return insert(text, root, section, { [name]: entry }, style);
  const existing = memberOf(servers.node, name, section);
  if (existing === undefined) return insert(text, servers.node, name, entry, style);
  const { node } = existing;
  const merged = merge(node.value, entry, conflictingKeys);
  if (isDeepStrictEqual(node.value, merged)) return text;
  const value = isOneLine(text, servers.node)
    ? JSON.stringify(merged)
    : render(merged, indentOf(text, existing.start), style);
  return text.slice(0, node.start) + value + text.slice(node.end);
}

/** Sets one value at the top level of JSON text without changing any other byte. Throws a SyntaxError if the text is invalid. */
export function setJsonValue(text: string, key: string, value: string): string {
  const style = styleOf(text);
  const root = parseJsonTree(text);
  if (root === null) return `${render({ [key]: value }, '', style)}${style.newline}`;
  const existing = memberOf(root, key, 'the file');
  if (existing === undefined) return insert(text, root, key, value, style);
  const { start, end } = existing.node;
  return text.slice(0, start) + JSON.stringify(value) + text.slice(end);
}

/** The value at the top level of JSON text; undefined if there is none. Throws a SyntaxError if the text is invalid. */
export function getJsonValue(text: string, key: string): unknown {
  const root = parseJsonTree(text);
  return root === null ? undefined : memberOf(root, key, 'the file')?.node.value;
}

/** Removes a value at the top level and its separator without changing any other byte. */
export function removeJsonValue(text: string, key: string): string {
  const root = parseJsonTree(text);
  return root === null ? text : removeMember(text, root, key);
}

/** Removes an entry and its separator without changing any other byte. */
export function removeJsonEntry(
  text: string,
  { section, name }: Pick<EntryEdit, 'section' | 'name'>,
): string {
  const root = parseJsonTree(text);
  const servers = root === null ? undefined : memberOf(root, section, 'the file')?.node;
  return servers === undefined ? text : removeMember(text, servers, name);
}

/** Comments around the member stay, and also the whitespace that `insert` would have found. */
function removeMember(text: string, object: JsonNode, name: string): string {
  const members = object.members ?? [];
  const at = members.findLastIndex(({ key }) => key === name);
  const found = members[at];
  if (found === undefined) return text;
  const start = members[at - 1]?.node.end ?? object.start + 1;
  const between = text.slice(start, found.start).trimEnd();
  const rest = text.slice(found.node.end);
  const head = text.slice(0, start);
  if (startsWithComma(rest)) return head + between + removeFirstComma(rest);
  const isOnly = members.length === 1 && between === '' && /^\s*\}/.test(rest);
  return isOnly ? head + rest.trimStart() : head + removeFirstComma(between) + rest;
}

function memberOf({ members }: JsonNode, key: string, where: string): JsonMember | undefined {
  if (members === null) throw new SyntaxError(`${where} is not an object: { … }`);
  return members.findLast((member) => member.key === key);
}

/** Merges the new keys with the existing keys that belong to the user. */
function merge(existing: unknown, entry: ConfigEntry, conflictingKeys: string[]): Record<string, unknown> {
  const others = Object.entries(typeof existing === 'object' && existing !== null ? existing : {}).filter(
    ([key]) => !(key in entry) && !conflictingKeys.includes(key),
  );
  return { ...entry, ...Object.fromEntries(others) };
}

type Style = { unit: string; newline: string };

/** The indentation of the first indented line, otherwise two spaces, and the line ending. */
function styleOf(text: string): Style {
  return {
    unit: /^([ \t]+)"/m.exec(text)?.[1] ?? '  ',
    newline: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function insert(text: string, object: JsonNode, key: string, value: unknown, style: Style): string {
  const last = object.members?.at(-1);
  const closing = object.end - 1;
  if (last !== undefined && isOneLine(text, object)) {
    const rest = text.slice(last.node.end, closing);
    const head = `${text.slice(0, last.node.end)}${startsWithComma(rest) ? '' : ','}${rest.trimEnd()}`;
    const space = /\s$/.exec(rest)?.[0] ?? '';
    return `${head} ${JSON.stringify(key)}: ${JSON.stringify(value)}${space}${text.slice(closing)}`;
  }
  const outer = indentOf(text, object.start);
  const indent = last === undefined ? outer + style.unit : indentOf(text, last.start);
  const added = `${style.newline}${indent}${JSON.stringify(key)}: ${render(value, indent, style)}`;
  const from = last?.node.end ?? object.start + 1;
  const between = text.slice(from, closing);
  const hasComma = last !== undefined && startsWithComma(between);
  const head = `${text.slice(0, from)}${last === undefined || hasComma ? '' : ','}${between.trimEnd()}`;
  return `${head}${added}${hasComma ? ',' : ''}${style.newline}${outer}${text.slice(closing)}`;
}

function isOneLine(text: string, { start, end }: JsonNode): boolean {
  return !/[\r\n]/.test(text.slice(start, end)) && end - start > 2;
}

/** The indentation of the line that contains this offset. */
function indentOf(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))?.[0] ?? '';
}

function render(value: unknown, indent: string, { unit, newline }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${indent}`);
}
