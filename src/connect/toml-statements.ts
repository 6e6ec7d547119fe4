/** A line of TOML that says something: the head of a table, or a key and its value. */
export type TomlStatement = {
  kind: 'table' | 'tables' | 'pair';
  /** The whole path, that of the table included. */
  path: string[];
  /** From the beginning of its line to behind the end of its last one. */
  start: number;
  end: number;
  /** Where the value stands; of a table, its head. */
  value: { start: number; end: number };
};

type Cursor = { text: string; at: number };

/**
 * Finds what stands where. Values are not interpreted, only told from what surrounds them, so that a head inside a
 * string is none. Throws a SyntaxError that names the line.
 */
export function parseTomlStatements(text: string): TomlStatement[] {
  const cursor = { text, at: 0 };
  const statements: TomlStatement[] = [];
  let table: string[] = [];
  for (skip(cursor, blank); cursor.at < text.length; skip(cursor, blank)) {
    const start = text.lastIndexOf('\n', cursor.at) + 1;
    const statement = text[cursor.at] === '[' ? parseHead(cursor) : parsePair(cursor, table);
    if (statement.kind !== 'pair') table = statement.path;
    skip(cursor, restOfLine);
    if (cursor.at < text.length && text[cursor.at - 1] !== '\n') throw unexpected(cursor);
    statements.push({ ...statement, start, end: cursor.at });
  }
  return statements;
}

const blank = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const restOfLine = /[ \t]*(?:#[^\n]*)?(?:\r?\n|\r?$)?/y;
const spaces = /[ \t]*/y;
const bareKey = /[\w-]+/y;
const bareValue = /[^\s,#[\]{}"'=][^\n\r,#[\]{}"'=]*/y;
const strings = {
  '"""': /"""(?:[^\\]|\\[\s\S])*?"""(?!")/y,
  "'''": /'''[\s\S]*?'''(?!')/y,
  '"': /"(?:[^"\\\n]|\\[^\n])*"/y,
  "'": /'[^'\n]*'/y,
};

type Parsed = Pick<TomlStatement, 'kind' | 'path' | 'value'>;

function parseHead(cursor: Cursor): Parsed {
  const start = cursor.at;
  const isArray = cursor.text.startsWith('[[', start);
  cursor.at += isArray ? 2 : 1;
  const path = parseKey(cursor);
  take(cursor, isArray ? ']]' : ']');
  return { kind: isArray ? 'tables' : 'table', path, value: { start, end: cursor.at } };
}

function parsePair(cursor: Cursor, table: string[]): Parsed {
  const path = [...table, ...parseKey(cursor)];
  take(cursor, '=');
  skip(cursor, spaces);
  const start = cursor.at;
  skipValue(cursor);
  const end = start + cursor.text.slice(start, cursor.at).trimEnd().length;
  return { kind: 'pair', path, value: { start, end } };
}

function parseKey(cursor: Cursor): string[] {
  const parts: string[] = [];
  do {
    if (parts.length > 0) cursor.at += 1;
    skip(cursor, spaces);
    parts.push(parseKeyPart(cursor));
    skip(cursor, spaces);
  } while (cursor.text[cursor.at] === '.');
  return parts;
}

function parseKeyPart(cursor: Cursor): string {
  const quote = cursor.text[cursor.at];
  if (quote !== '"' && quote !== "'") return must(cursor, bareKey);
  const quoted = must(cursor, strings[quote]);
  // An escape in a key is nobody's habit; as written it is at least not taken for another name.
  return quoted.slice(1, -1);
}

function skipValue(cursor: Cursor): void {
  const opening = cursor.text[cursor.at];
  if (opening === '[') return skipItems(cursor, ']', () => skipValue(cursor));
  if (opening === '{')
    return skipItems(cursor, '}', () => {
      parsePair(cursor, []);
    });
  const quote = (['"""', "'''", '"', "'"] as const).find((mark) => cursor.text.startsWith(mark, cursor.at));
  must(cursor, quote === undefined ? bareValue : strings[quote]);
}

function skipItems(cursor: Cursor, closing: string, skipItem: () => void): void {
  cursor.at += 1;
  skip(cursor, blank);
  while (cursor.text[cursor.at] !== closing) {
    skipItem();
    skip(cursor, blank);
    if (cursor.text[cursor.at] === closing) break;
    take(cursor, ',');
    skip(cursor, blank);
  }
  cursor.at += 1;
}

function must(cursor: Cursor, pattern: RegExp): string {
  const found = skip(cursor, pattern);
  if (found === '') throw unexpected(cursor);
  return found;
}

function skip(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? '';
  cursor.at += found.length;
  return found;
}

function take(cursor: Cursor, expected: string): void {
  if (!cursor.text.startsWith(expected, cursor.at)) throw unexpected(cursor);
  cursor.at += expected.length;
}

function unexpected({ text, at }: Cursor): SyntaxError {
  const line = text.slice(0, at).split('\n').length;
  const found = text[at];
  return new SyntaxError(
    found === undefined ? `it ends too early, in line ${line}` : `${JSON.stringify(found)} in line ${line}`,
  );
}
