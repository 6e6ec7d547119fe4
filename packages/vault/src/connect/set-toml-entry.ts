import type { EntryEdit } from './set-json-entry.ts';
import { parseTomlStatements } from './toml-statements.ts';
import type { TomlStatement } from './toml-statements.ts';

/** Removes the tables of an entry without changing any other byte. */
export function removeTomlEntry(
  text: string,
  { section, name }: Pick<EntryEdit, 'section' | 'name'>,
): string {
  return parseTomlStatements(text)
    .filter(({ path }) => path[0] === section && path[1] === name)
    .reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

type Edit = { start: number; end: number; text: string };

/**
 * Adds or updates an entry in TOML text as a separate table, without changing any other byte. Keys that others added to
 * an existing table are kept. Throws a SyntaxError if the text is invalid or defines the entry in another form.
 */
export function setTomlEntry(text: string, { section, name, entry, conflictingKeys }: EntryEdit): string {
  const statements = parseTomlStatements(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const desired = Object.entries(entry).map(([key, value]) => ({ key, value: render(value) }));
  const lines = (pairs: typeof desired): string =>
    pairs.map(({ key, value }) => `${key} = ${value}${newline}`).join('');

  const ours = statements.filter(({ path }) => path[0] === section && path[1] === name);
  const head = statements.findIndex((statement) => isHead(statement, section, name));
  assertSingleTable(statements, section, name);
  if (head === -1) {
    const before = text === '' || text.endsWith('\n') ? text : text + newline;
    return `${before}${before.trim() === '' ? '' : newline}[${section}.${name}]${newline}${lines(desired)}`;
  }
  const next = statements.findIndex(({ kind }, i) => i > head && kind !== 'pair');
  const pairs = statements.slice(head + 1, next === -1 ? undefined : next);
  const edits = [
    ...pairs.flatMap((pair) => editPair(text, pair, desired, conflictingKeys)),
    ...findConflictingTables(ours, statements, conflictingKeys),
  ];
  const missing = desired.filter(({ key }) => !pairs.some(({ path }) => path[2] === key));
  if (missing.length > 0) {
    const at = (pairs.at(-1) ?? statements[head])?.end ?? text.length;
    edits.push({ start: at, end: at, text: `${text[at - 1] === '\n' ? '' : newline}${lines(missing)}` });
  }
  return edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce(
      (result, { start, end, text: added }) => result.slice(0, start) + added + result.slice(end),
      text,
    );
}

function isHead({ kind, path }: TomlStatement, section: string, name: string): boolean {
  return kind === 'table' && path.length === 2 && path[0] === section && path[1] === name;
}

/**
 * Rejects other notations of the entry, such as inline tables, which would conflict with a table; the user has to
 * change them.
 */
function assertSingleTable(statements: TomlStatement[], section: string, name: string): void {
  let table: string[] = [];
  for (const { kind, path } of statements) {
    if (kind !== 'pair') table = path;
    const isBelow = path[0] === section && (path.length === 1 || path[1] === name);
    const isAnotherForm =
      kind === 'pair' ? table[0] !== section || table[1] !== name : kind === 'tables' && path.length < 3;
    if (isBelow && isAnotherForm)
      throw new SyntaxError(`${path.join('.')} is not in the form of a single table [${section}.${name}]`);
  }
}

function editPair(
  text: string,
  { path, start, end, value }: TomlStatement,
  desired: { key: string; value: string }[],
  conflictingKeys: string[],
): Edit[] {
  const key = path[2] ?? '';
  const found = desired.find((candidate) => candidate.key === key);
  if (found === undefined) return conflictingKeys.includes(key) ? [{ start, end, text: '' }] : [];
  const isSame = withoutSpace(text.slice(value.start, value.end)) === withoutSpace(found.value);
  return isSame ? [] : [{ ...value, text: found.value }];
}

/** Subtables of the entry that its new transport does not allow, with their contents. */
function findConflictingTables(
  ours: TomlStatement[],
  statements: TomlStatement[],
  conflictingKeys: string[],
): Edit[] {
  return ours
    .filter(({ kind, path }) => kind !== 'pair' && path.length > 2 && conflictingKeys.includes(path[2] ?? ''))
    .map((table) => {
      const at = statements.indexOf(table);
      const next = statements.findIndex(({ kind }, i) => i > at && kind !== 'pair');
      const last = statements[(next === -1 ? statements.length : next) - 1];
      return { start: table.start, end: last?.end ?? table.end, text: '' };
    });
}

/** Removes whitespace outside strings, which has no meaning. */
function withoutSpace(value: string): string {
  return value.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted: string | undefined) => quoted ?? '');
}

function render(value: string | string[] | Record<string, string>): string {
  if (Array.isArray(value)) return `[${value.map(render).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007F', String.raw`\u007f`);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)} = ${render(inner)}`)
    .join(', ')} }`;
}
