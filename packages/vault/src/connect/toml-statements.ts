import { createRequire } from 'node:module';
import type * as TomlParser from 'toml-eslint-parser';

/** A line of TOML that says something: the head of a table, or a key and its value. */
export type TomlStatement = {
  kind: 'table' | 'tables' | 'pair';
  /** The whole path, that of the table included. */
  path: string[];
  /** From the beginning of its line to behind the end of its last one. */
  start: number;
  end: number;
  /** Where the value stands; of a table, its name. */
  value: { start: number; end: number };
};

/** Finds what stands where. Throws a SyntaxError that names the line. */
export function parseTomlStatements(text: string): TomlStatement[] {
  // Loaded only now: every command loads what is here, and hardly one needs it.
  const library = createRequire(import.meta.url)('toml-eslint-parser') as typeof TomlParser;
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
    throw new SyntaxError(`${cause.message}, in line ${cause.lineNumber}`, { cause });
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
