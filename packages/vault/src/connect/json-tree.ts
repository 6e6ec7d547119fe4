import { createRequire } from 'node:module';
import type * as JsoncParser from 'jsonc-parser';

/** A node of parsed JSON with its position in the text; comments and trailing commas are allowed. */
export type JsonNode = { start: number; end: number; value: unknown; members: JsonMember[] | null };
export type JsonMember = { key: string; start: number; node: JsonNode };

/** Null if the text contains only whitespace and comments. Throws a SyntaxError that names the line. */
export function parseJsonTree(text: string): JsonNode | null {
  const { parseTree, printParseErrorCode } = loadLibrary();
  const errors: JsoncParser.ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new SyntaxError(`${inWords(printParseErrorCode(first.error))} in line ${line}`);
  }
  return tree === undefined ? null : nodeOf(tree);
}

/** Ignores leading whitespace and comments. */
export function startsWithComma(text: string): boolean {
  return text[findFirstToken(text)] === ',';
}

/** Removes the comma that `text` starts with, if any, and keeps the whitespace and comments before it. */
export function removeFirstComma(text: string): string {
  const at = findFirstToken(text);
  return text[at] === ',' ? text.slice(0, at) + text.slice(at + 1) : text;
}

function findFirstToken(text: string): number {
  const scanner = loadLibrary().createScanner(text, true);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** Loaded on first use, because every command loads this module and few need the library. */
function loadLibrary(): typeof JsoncParser {
  return createRequire(import.meta.url)('jsonc-parser') as typeof JsoncParser;
}

function nodeOf({ type, offset, length, value, children = [] }: JsoncParser.Node): JsonNode {
  const place = { start: offset, end: offset + length };
  if (type === 'array')
    return { ...place, value: children.map((child) => nodeOf(child).value), members: null };
  if (type !== 'object') return { ...place, value, members: null };
  const members = children.flatMap(memberOf);
  // Of two equal keys the last one counts, as in other JSON parsers.
  const values = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
  return { ...place, value: values, members };
}

function memberOf({ offset, children: [key, value] = [] }: JsoncParser.Node): JsonMember[] {
  return key === undefined || value === undefined
    ? []
    : [{ key: String(key.value), start: offset, node: nodeOf(value) }];
}

/** Splits an error name of the library such as CommaExpected into words. */
function inWords(name: string): string {
  return name.replaceAll(/\B[A-Z]/g, (capital) => ` ${capital}`).toLowerCase();
}
