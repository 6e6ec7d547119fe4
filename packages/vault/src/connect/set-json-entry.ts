import { isDeepStrictEqual } from 'node:util';
import { parseJsonTree, startsWithComma } from './json-tree.ts';
import type { JsonMember, JsonNode } from './json-tree.ts';
import type { Entry } from './server.ts';

export type Setting = {
  section: string;
  name: string;
  entry: Entry;
  /** Keys of an entry of another kind, which must go. */
  foreign: string[];
};

/**
 * Puts an entry into a text of JSON, comments and trailing commas included, and changes not a byte elsewhere. An entry
 * that is there keeps what others added to it. Throws a SyntaxError when the text is not what it has to be.
 */
export function setJsonEntry(text: string, { section, name, entry, foreign }: Setting): string {
  const style = styleOf(text);
  const root = parseJsonTree(text);
  if (root === null) {
    const fresh = render({ [section]: { [name]: entry } }, '', style);
    return `${text.trim() === '' ? '' : `${text.trimEnd()}${style.newline}`}${fresh}${style.newline}`;
  }
  const servers = memberOf(root, section, 'the file');
  if (servers === undefined) return insert(text, root, section, { [name]: entry }, style);
  const present = memberOf(servers.node, name, section);
  if (present === undefined) return insert(text, servers.node, name, entry, style);
  const { node } = present;
  const wanted = merge(node.value, entry, foreign);
  if (isDeepStrictEqual(node.value, wanted)) return text;
  const value = isOneLine(text, servers.node)
    ? JSON.stringify(wanted)
    : render(wanted, indentOf(text, present.start), style);
  return text.slice(0, node.start) + value + text.slice(node.end);
}

/** Takes an entry out, with what separates it from its neighbours, and changes not a byte elsewhere. */
export function removeJsonEntry(text: string, { section, name }: Pick<Setting, 'section' | 'name'>): string {
  const root = parseJsonTree(text);
  const servers = root === null ? undefined : memberOf(root, section, 'the file')?.node;
  const members = servers?.members ?? [];
  const at = members.findLastIndex(({ key }) => key === name);
  const found = members[at];
  if (servers === undefined || found === undefined) return text;
  const [before, after] = [members[at - 1], members[at + 1]];
  if (before !== undefined) return text.slice(0, before.node.end) + text.slice(found.node.end);
  return after === undefined
    ? text.slice(0, servers.start + 1) + text.slice(servers.end - 1)
    : text.slice(0, found.start) + text.slice(after.start);
}

function memberOf({ members }: JsonNode, key: string, where: string): JsonMember | undefined {
  if (members === null) throw new SyntaxError(`${where} is not an object: { … }`);
  return members.findLast((member) => member.key === key);
}

/** Our keys, and of those that are there already what belongs to somebody else. */
function merge(present: unknown, entry: Entry, foreign: string[]): Record<string, unknown> {
  const others = Object.entries(typeof present === 'object' && present !== null ? present : {}).filter(
    ([key]) => !(key in entry) && !foreign.includes(key),
  );
  return { ...entry, ...Object.fromEntries(others) };
}

type Style = { unit: string; newline: string };

/** How the text is laid out: what its first indented line uses, else two spaces. */
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

/** The space at the beginning of the line in which this stands. */
function indentOf(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))?.[0] ?? '';
}

function render(value: unknown, indent: string, { unit, newline }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${indent}`);
}
