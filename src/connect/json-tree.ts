/** JSON as it stands in a text: with comments and trailing commas, and where everything begins and ends. */
export type JsonNode = { start: number; end: number; value: unknown; members: JsonMember[] | null };
export type JsonMember = { key: string; start: number; node: JsonNode };

type Cursor = { text: string; at: number };

/** Null for a text that holds nothing but space and comments. Throws a SyntaxError that names the line. */
export function parseJsonTree(text: string): JsonNode | null {
  const cursor = { text, at: 0 };
  skipSpace(cursor);
  if (cursor.at === text.length) return null;
  const node = parseNode(cursor);
  skipSpace(cursor);
  if (cursor.at < text.length) throw unexpected(cursor);
  return node;
}

const space = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const string = /"(?:[^"\\\n]|\\.)*"/y;
const literal = /[-+.\w]+/y;

function parseNode(cursor: Cursor): JsonNode {
  const opening = cursor.text[cursor.at];
  if (opening === '{') return parseObject(cursor);
  if (opening === '[') return parseArray(cursor);
  const start = cursor.at;
  const value = parseScalar(cursor, opening === '"' ? string : literal);
  return { start, end: cursor.at, value, members: null };
}

function parseObject(cursor: Cursor): JsonNode {
  const start = cursor.at;
  const members: JsonMember[] = [];
  parseItems(cursor, '}', () => {
    const at = cursor.at;
    const key = parseScalar(cursor, string) as string;
    skipSpace(cursor);
    take(cursor, ':');
    skipSpace(cursor);
    members.push({ key, start: at, node: parseNode(cursor) });
  });
  // As every reader does: of two equal keys the last one counts.
  const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
  return { start, end: cursor.at, value, members };
}

function parseArray(cursor: Cursor): JsonNode {
  const start = cursor.at;
  const value: unknown[] = [];
  parseItems(cursor, ']', () => value.push(parseNode(cursor).value));
  return { start, end: cursor.at, value, members: null };
}

function parseItems(cursor: Cursor, closing: string, parseItem: () => void): void {
  cursor.at += 1;
  skipSpace(cursor);
  while (cursor.text[cursor.at] !== closing) {
    parseItem();
    skipSpace(cursor);
    if (cursor.text[cursor.at] === closing) break;
    take(cursor, ',');
    skipSpace(cursor);
  }
  cursor.at += 1;
}

function parseScalar(cursor: Cursor, pattern: RegExp): unknown {
  pattern.lastIndex = cursor.at;
  const [found] = pattern.exec(cursor.text) ?? [];
  if (found === undefined) throw unexpected(cursor);
  const value = valueOf(found);
  if (value === undefined) throw unexpected(cursor);
  cursor.at += found.length;
  return value;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function skipSpace(cursor: Cursor): void {
  space.lastIndex = cursor.at;
  cursor.at += space.exec(cursor.text)?.[0].length ?? 0;
}

function take(cursor: Cursor, expected: string): void {
  if (cursor.text[cursor.at] !== expected) throw unexpected(cursor);
  cursor.at += 1;
}

function unexpected({ text, at }: Cursor): SyntaxError {
  const line = text.slice(0, at).split('\n').length;
  const found = text[at];
  return new SyntaxError(
    found === undefined ? `it ends too early, in line ${line}` : `${found} in line ${line}`,
  );
}
