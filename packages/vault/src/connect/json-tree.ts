import { createRequire } from 'node:module';
import type * as JsoncParser from 'jsonc-parser';

/** JSON as it stands in a text: with comments and trailing commas, and where everything begins and ends. */
export type JsonNode = { start: number; end: number; value: unknown; members: JsonMember[] | null };
export type JsonMember = { key: string; start: number; node: JsonNode };

/** Null for a text that holds nothing but space and comments. Throws a SyntaxError that names the line. */
export function parseJsonTree(text: string): JsonNode | null {
  const { parseTree, printParseErrorCode } = loadLibrary();
  const errors: JsoncParser.ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new SyntaxError(`${inWords(printParseErrorCode(first.error))}, in line ${line}`);
  }
  return tree === undefined ? null : nodeOf(tree);
}

/** Behind space and comments. */
export function startsWithComma(text: string): boolean {
  const scanner = loadLibrary().createScanner(text, true);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',';
}

/** Loaded when a file is read: every command loads what is here, and hardly one needs it. */
function loadLibrary(): typeof JsoncParser {
  return createRequire(import.meta.url)('jsonc-parser') as typeof JsoncParser;
}

function nodeOf({ type, offset, length, value, children = [] }: JsoncParser.Node): JsonNode {
  const place = { start: offset, end: offset + length };
  if (type === 'array')
    return { ...place, value: children.map((child) => nodeOf(child).value), members: null };
  if (type !== 'object') return { ...place, value, members: null };
  const members = children.flatMap(memberOf);
  // As every reader does: of two equal keys the last one counts.
  const values = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
  return { ...place, value: values, members };
}

function memberOf({ offset, children: [key, value] = [] }: JsoncParser.Node): JsonMember[] {
  return key === undefined || value === undefined
    ? []
    : [{ key: String(key.value), start: offset, node: nodeOf(value) }];
}

/** The library names what is wrong as CommaExpected. */
function inWords(name: string): string {
  return name.replaceAll(/\B[A-Z]/g, (capital) => ` ${capital}`).toLowerCase();
}
