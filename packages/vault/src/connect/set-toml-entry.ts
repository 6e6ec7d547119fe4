import type { Setting } from './set-json-entry.ts';
import { parseTomlStatements } from './toml-statements.ts';
import type { TomlStatement } from './toml-statements.ts';

/** Takes the tables of an entry out, and changes not a byte elsewhere. */
export function removeTomlEntry(text: string, { section, name }: Pick<Setting, 'section' | 'name'>): string {
  return parseTomlStatements(text)
    .filter(({ path }) => path[0] === section && path[1] === name)
    .reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

type Edit = { start: number; end: number; text: string };

/**
 * Puts an entry into a text of TOML as a table of its own, and changes not a byte elsewhere. A table that is there keeps
 * what others added to it. Throws a SyntaxError when the text is not what it has to be.
 */
export function setTomlEntry(text: string, { section, name, entry, foreign }: Setting): string {
  const statements = parseTomlStatements(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const wanted = Object.entries(entry).map(([key, value]) => ({ key, value: render(value) }));
  const lines = (pairs: typeof wanted): string =>
    pairs.map(({ key, value }) => `${key} = ${value}${newline}`).join('');

  const ours = statements.filter(({ path }) => path[0] === section && path[1] === name);
  const head = statements.findIndex((statement) => isHead(statement, section, name));
  refuseOtherForms(statements, section, name);
  if (head === -1) {
    const before = text === '' || text.endsWith('\n') ? text : text + newline;
    return `${before}${before.trim() === '' ? '' : newline}[${section}.${name}]${newline}${lines(wanted)}`;
  }
  const next = statements.findIndex(({ kind }, i) => i > head && kind !== 'pair');
  const pairs = statements.slice(head + 1, next === -1 ? undefined : next);
  const edits = [
    ...pairs.flatMap((pair) => editPair(text, pair, wanted, foreign)),
    ...foreignTables(ours, statements, foreign),
  ];
  const missing = wanted.filter(({ key }) => !pairs.some(({ path }) => path[2] === key));
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

/** The same can be said in ways that a table would contradict; those are the person's to change. */
function refuseOtherForms(statements: TomlStatement[], section: string, name: string): void {
  let table: string[] = [];
  for (const { kind, path } of statements) {
    if (kind !== 'pair') table = path;
    const isBelow = path[0] === section && (path.length === 1 || path[1] === name);
    const isAnotherForm =
      kind === 'pair' ? table[0] !== section || table[1] !== name : kind === 'tables' && path.length < 3;
    if (isBelow && isAnotherForm)
      throw new SyntaxError(`${path.join('.')} is not written as one table [${section}.${name}]`);
  }
}

function editPair(
  text: string,
  { path, start, end, value }: TomlStatement,
  wanted: { key: string; value: string }[],
  foreign: string[],
): Edit[] {
  const key = path[2] ?? '';
  const found = wanted.find((candidate) => candidate.key === key);
  if (found === undefined) return foreign.includes(key) ? [{ start, end, text: '' }] : [];
  const isSame = withoutSpace(text.slice(value.start, value.end)) === withoutSpace(found.value);
  return isSame ? [] : [{ ...value, text: found.value }];
}

/** Tables below ours that its new kind does not allow, with all that stands in them. */
function foreignTables(ours: TomlStatement[], statements: TomlStatement[], foreign: string[]): Edit[] {
  return ours
    .filter(({ kind, path }) => kind !== 'pair' && path.length > 2 && foreign.includes(path[2] ?? ''))
    .map((table) => {
      const at = statements.indexOf(table);
      const next = statements.findIndex(({ kind }, i) => i > at && kind !== 'pair');
      const last = statements[(next === -1 ? statements.length : next) - 1];
      return { start: table.start, end: last?.end ?? table.end, text: '' };
    });
}

/** Space outside of strings means nothing. */
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
