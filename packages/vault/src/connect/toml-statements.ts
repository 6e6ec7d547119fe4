import { createRequire } from 'node:module';
import type * as TomlParser from 'toml-eslint-parser';

/** A TOML statement: a table header, or a key and its value. */
export type TomlStatement = {
  kind: 'table' | 'tables' | 'pair';
  /** The full path, including that of the table. */
  path: string[];
  /** From the start of its first line to after its last line. */
  start: number;
  end: number;
  /** The range of the value, or of the name in a table header. */
  value: { start: number; end: number };
};

/** The value of a TOML file. */
export function parseToml(text: string): unknown {
  const library = loadLibrary();
  return library.getStaticTOMLValue(library.parseTOML(text));
}

/** Loaded on first use, because every command loads this module and few need the library. */
function loadLibrary(): typeof TomlParser {
  return createRequire(import.meta.url)('toml-eslint-parser') as typeof TomlParser;
}

/** Lists the statements with their positions. Throws a SyntaxError that names the line. */
export function parseTomlStatements(text: string): TomlStatement[] {
  const library = loadLibrary();
  const pathOf = ({ key }: { key: TomlParser.AST.TOMLKey }): string[] => library.getStaticTOMLValue(key);
  return parse(library, text).flatMap((node) => {
    if (node.type === 'TOMLKeyValue') return statementOf(text, 'pair', pathOf(node), node.value);
    const table = pathOf(node);
    return [
      statementOf(text, node.kind === 'array' ? 'tables' : 'table', table, node.key),
      ...node.body.map((pair) => statementOf(text, 'pair', [...table, ...pathOf(pair)], pair.value)),
    ];
  });
}

function parse(library: typeof TomlParser, text: string): TomlParser.AST.TOMLTopLevelTable['body'] {
  try {
    return library.parseTOML(text).body[0].body;
  } catch (cause) {
    if (!(cause instanceof library.ParseError)) throw cause;
    throw new SyntaxError(`${cause.message} in line ${cause.lineNumber}`, { cause });
  }
}

function statementOf(
  text: string,
  kind: TomlStatement['kind'],
  path: string[],
  { range: [start, end] }: TomlParser.AST.TOMLKey | TomlParser.AST.TOMLContentNode,
): TomlStatement {
  const newline = text.indexOf('\n', end);
  return {
    kind,
    path,
    start: text.lastIndexOf('\n', start) + 1,
    end: newline === -1 ? text.length : newline + 1,
    value: { start, end },
  };
}
