import { isAlias, isMap, isScalar, parseDocument } from 'yaml';
import type { Document, Pair, Scalar, YAMLMap } from 'yaml';
import type { LocalTime } from './local-time.ts';

/** Where a text's frontmatter lies: offsets into the text. `bodyStart` is what follows it. */
export type Frontmatter = { yamlStart: number; yamlEnd: number; bodyStart: number };

/** The fields that code maintains. Everything else in a frontmatter belongs to the person. */
export type Stamps = { created?: LocalTime; updated?: LocalTime; tokens?: number };

export type Stamped = { ok: true; text: string } | { ok: false; reason: string };

/** Larger ones are left alone: parsing must stay cheap, whatever a file contains. */
export const largestFrontmatter = 256 * 1024;

const stampKeys = ['created', 'updated', 'tokens'] as const;
const byteOrderMark = '\ufeff';

/** A first line `---` up to the next line `---`; null when there is none or it is not closed. */
export function findFrontmatter(text: string): Frontmatter | null {
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(text)?.[0];
  if (opening === undefined) return null;
  const yamlStart = opening.length;
  for (let lineStart = yamlStart; lineStart < text.length;) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? text.length : newline + 1;
    if (text.startsWith('---', lineStart) && /^---[ \t]*\r?\n?$/.test(text.slice(lineStart, lineEnd))) {
      return { yamlStart, yamlEnd: lineStart, bodyStart: lineEnd };
    }
    lineStart = lineEnd;
  }
  return null;
}

/** `ceil(length / 4)` of what follows the frontmatter, so that writing the number does not change it. */
export function tokensOf(text: string): number {
  return Math.ceil((text.length - (findFrontmatter(text)?.bodyStart ?? 0)) / 4);
}

/** One value of the top level as text; null when the key is absent or its value is not a plain one. */
export function frontmatterValue(yaml: string, key: string): string | null {
  if (!yaml.includes(key)) return null;
  const simple = new RegExp(`(?:^|\\n)${key}:[ \\t]+([^\\s"'&*!|>%@\`#{}\\[\\]][^#\\r\\n]*)`).exec(yaml)?.[1];
  if (simple !== undefined) return simple.trim();
  if (yaml.length > largestFrontmatter) return null;
  const document = parseYaml(yaml);
  const value = document.errors.length === 0 && isMap(document.contents) ? document.contents.get(key) : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/**
 * Sets the given stamps and leaves every other byte as it was; a text without frontmatter gets one. A
 * frontmatter that is not a plain block mapping is refused rather than guessed at.
 */
export function setStamps(text: string, stamps: Stamps): Stamped {
  const found = findFrontmatter(text);
  if (found === null) return { ok: true, text: prepend(text, stamps) };
  const yaml = text.slice(found.yamlStart, found.yamlEnd);
  if (yaml.length > largestFrontmatter) return refuse('is too large to maintain');
  const spliced = spliceYaml(yaml, stamps, endOfLineIn(text));
  if (typeof spliced !== 'string') return spliced;
  return { ok: true, text: text.slice(0, found.yamlStart) + spliced + text.slice(found.yamlEnd) };
}

function prepend(text: string, stamps: Stamps): string {
  const end = endOfLineIn(text);
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const fields = stampKeys
    .filter((key) => stamps[key] !== undefined)
    .map((key) => `${key}: ${stamps[key]}${end}`);
  return `${mark}---${end}${fields.join('')}---${end}${text.slice(mark.length)}`;
}

type Splice = { at: number; remove: number; insert: string };

function spliceYaml(yaml: string, stamps: Stamps, end: string): string | Extract<Stamped, { ok: false }> {
  const document = parseYaml(yaml);
  const [problem] = document.errors;
  if (problem !== undefined) return refuse(`is not valid YAML (${problem.message.split('\n')[0]})`);
  const map = document.contents ?? null;
  if (map !== null && !(isMap(map) && map.flow !== true))
    return refuse('is not a list of "key: value" lines');

  const splices: Splice[] = [];
  // A missing key goes below the one that precedes it in our order, else to the top.
  let lineForNext = 0;
  for (const key of stampKeys) {
    const pairs = pairsNamed(map, key);
    if (pairs.length > 1) return refuse(`has the key ${key} twice`);
    const [pair] = pairs;
    const value = stamps[key];
    if (pair === undefined && value !== undefined) {
      const indent = ' '.repeat(columnOfKeys(map, yaml));
      splices.push({ at: lineForNext, remove: 0, insert: `${indent}${key}: ${value}${end}` });
    } else if (pair !== undefined) {
      const splice = replaceValue(yaml, pair, value);
      if (splice === null) return refuse(`has a value of ${key} that is not plain`);
      if (value !== undefined) splices.push(splice);
      lineForNext = yaml.indexOf('\n', splice.at + splice.remove) + 1;
    }
  }
  const result = applySplices(yaml, splices);
  return says(result, document, stamps)
    ? result
    : refuse('is written in a way that cannot be changed safely');
}

function applySplices(yaml: string, splices: Splice[]): string {
  let result = '';
  let from = 0;
  for (const { at, remove, insert } of splices.toSorted((a, b) => a.at - b.at)) {
    result += yaml.slice(from, at) + insert;
    from = at + remove;
  }
  return result + yaml.slice(from);
}

function replaceValue(yaml: string, { key, value }: Pair, stamp: string | number | undefined): Splice | null {
  if (!isScalar(key) || !key.range) return null;
  if (isAlias(value) && value.range)
    return { at: value.range[0], remove: value.range[1] - value.range[0], insert: `${stamp}` };
  const isEmpty = value === null || (isScalar(value) && value.source === '' && value.type === 'PLAIN');
  if (isEmpty) {
    const colon = /^[ \t]*:/.exec(yaml.slice(key.range[1]))?.[0].length;
    return colon === undefined ? null : { at: key.range[1] + colon, remove: 0, insert: ` ${stamp}` };
  }
  if (!isScalar(value) || !value.range || !isFlowScalar(value)) return null;
  const [at, valueEnd] = value.range;
  const quote = value.type === 'QUOTE_DOUBLE' ? '"' : value.type === 'QUOTE_SINGLE' ? "'" : '';
  return { at, remove: valueEnd - at, insert: `${quote}${stamp}${quote}` };
}

/** The last check before such a text is written: it still parses, says what was meant, and has the same keys. */
function says(yaml: string, before: Document, stamps: Stamps): boolean {
  const after = parseYaml(yaml);
  if (after.errors.length > 0 || !isMap(after.contents)) return false;
  const map = after.contents;
  if (!stampKeys.every((key) => stamps[key] === undefined || String(map.get(key)) === String(stamps[key])))
    return false;
  const others = (document: Document): string[] =>
    isMap(document.contents)
      ? document.contents.items.map(({ key }) => String(key)).filter((key) => !isStampKey(key))
      : [];
  return others(after).join('\0') === others(before).join('\0');
}

function parseYaml(yaml: string): Document {
  return parseDocument(yaml, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
}

function pairsNamed(map: YAMLMap | null, name: string): Pair[] {
  return map?.items.filter(({ key }) => isScalar(key) && key.value === name) ?? [];
}

function columnOfKeys(map: YAMLMap | null, yaml: string): number {
  const key = map?.items[0]?.key;
  const start = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  return start - (yaml.lastIndexOf('\n', start - 1) + 1);
}

function isFlowScalar(value: Scalar): boolean {
  return value.type === 'PLAIN' || value.type === 'QUOTE_DOUBLE' || value.type === 'QUOTE_SINGLE';
}

function isStampKey(key: string): boolean {
  return (stampKeys as readonly string[]).includes(key);
}

function endOfLineIn(text: string): string {
  const newline = text.indexOf('\n');
  return newline > 0 && text.charAt(newline - 1) === '\r' ? '\r\n' : '\n';
}

function refuse(problem: string): { ok: false; reason: string } {
  return { ok: false, reason: `the frontmatter ${problem}; mend it in an editor` };
}
