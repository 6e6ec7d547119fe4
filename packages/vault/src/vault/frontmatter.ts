import { isAlias, isMap, isScalar, parseDocument } from 'yaml';
import type { Document, Pair, Scalar, YAMLMap } from 'yaml';
import { parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';

/** Where a text's frontmatter lies: offsets into the text. `bodyStart` is what follows it. */
export type Frontmatter = { yamlStart: number; yamlEnd: number; bodyStart: number };

/** The fields that code maintains. Everything else in a frontmatter belongs to the person. */
export type Stamps = { created?: LocalTime; updated?: LocalTime; tokens?: number };

export type Stamped = { ok: true; text: string } | { ok: false; reason: string };

/** What ends further down is not a frontmatter that we maintain: parsing must stay cheap, whatever a file contains. */
export const largestFrontmatter = 64 * 1024;
/** Single values are looked up in every file of a vault, so the parser is asked only for short ones. */
const largestLookUp = 16 * 1024;

const stampKeys = ['created', 'updated', 'tokens'] as const;
const byteOrderMark = '\ufeff';
const emptyLine = /^[ \t]*\r?\n/;

/** A first line `---` up to the next line `---`; null when there is none, or it is not closed or too large. */
export function findFrontmatter(text: string): Frontmatter | null {
  return searchFrontmatter(text, largestFrontmatter);
}

function searchFrontmatter(text: string, limit: number): Frontmatter | null {
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(text)?.[0];
  if (opening === undefined) return null;
  const yamlStart = opening.length;
  for (let lineStart = yamlStart; lineStart < Math.min(text.length, limit);) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? text.length : newline + 1;
    if (text.startsWith('---', lineStart) && /^---[ \t]*\r?\n?$/.test(text.slice(lineStart, lineEnd))) {
      return { yamlStart, yamlEnd: lineStart, bodyStart: lineEnd };
    }
    lineStart = lineEnd;
  }
  return null;
}

/** What follows the frontmatter; all of a text that has none. */
export function bodyOf(text: string): string {
  return text.slice(findFrontmatter(text)?.bodyStart ?? 0);
}

/** `ceil(length / 4)` of what follows the frontmatter, so that writing the number does not change it. */
export function tokensOf(text: string): number {
  return Math.ceil((text.length - (findFrontmatter(text)?.bodyStart ?? markIn(text).length)) / 4);
}

/** One value of the top level as text; null when the key is absent or its value is not a plain one. */
export function frontmatterValue(yaml: string, key: string): string | null {
  if (!yaml.includes(key)) return null;
  const simple = new RegExp(`(?:^|\\n)${key}:[ \\t]+([^\\s"'&*!|>%@\`#{}\\[\\]~][^\\r\\n]*)`).exec(yaml)?.[1];
  if (simple !== undefined && simple !== 'null') return simple.replace(/[ \t]#.*$/, '').trim();
  if (yaml.length > largestLookUp) return null;
  const map = parseYaml(yaml)?.contents;
  const value = isMap(map) ? map.get(key) : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/**
 * Sets the given stamps and leaves every other byte as it was; a text without frontmatter gets one. A
 * frontmatter that is not a plain block mapping is refused rather than guessed at.
 */
export function setStamps(text: string, stamps: Stamps): Stamped {
  const found = findFrontmatter(text);
  if (found === null) {
    if (searchFrontmatter(text, Infinity) !== null) return refuse('is too large to maintain');
    if (hasStrayStamps(text)) return refuse('is not at the top, or its first or last line is damaged');
    return { ok: true, text: prepend(text, stamps) };
  }
  const yaml = text.slice(found.yamlStart, found.yamlEnd);
  const spliced = spliceYaml(yaml, stamps, endOfLineIn(text));
  if (typeof spliced !== 'string') return spliced;
  return { ok: true, text: text.slice(0, found.yamlStart) + spliced + text.slice(found.yamlEnd) };
}

/** Sets these times and the number of tokens. A frontmatter that the text did not have is followed by an empty line. */
export function setTimes(text: string, times: Omit<Stamps, 'tokens'>): Stamped {
  const spaced = withEmptyLine(text);
  return setStamps(spaced, { ...times, tokens: tokensOf(spaced) });
}

/** A text with the stamps of another one, and spaced as that is, as far as that has any and they can be set. */
export function withStampsOf(other: string, text: string): string {
  const found = findFrontmatter(other);
  const yaml = found === null ? '' : other.slice(found.yamlStart, found.yamlEnd);
  const entries = stampKeys.flatMap((key) => {
    const value = frontmatterValue(yaml, key);
    return value !== null && isStamp(key, value) ? [[key, value]] : [];
  });
  if (entries.length === 0) return text;
  const spaced = emptyLine.test(other.slice(found?.bodyStart)) ? withEmptyLine(text) : text;
  const stamped = setStamps(spaced, Object.fromEntries(entries) as Stamps);
  return stamped.ok ? stamped.text : text;
}

/** What somebody wrote into a frontmatter: without the lines that hold a stamp and nothing else. */
export function withoutStamps(yaml: string): string {
  return yaml
    .split('\n')
    .filter((line) => {
      const [key = ''] = line.split(':', 1);
      const value = line.slice(key.length + 1).trim();
      return !isStamp(key, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value);
    })
    .join('\n');
}

/** A text with the stamps of a write at this moment; `created` only where it is missing and known. */
export function stampedAt(text: string, time: LocalTime, created: LocalTime | null = time): string {
  const isSet = created !== null && frontmatterValue(yamlOf(text), 'created') === null;
  const stamped = setTimes(text, { ...(isSet && { created }), updated: time });
  return stamped.ok ? stamped.text : text;
}

/** Whether code maintains the stamps of a text: `updated` and `tokens` are there. */
export function hasStamps(text: string): boolean {
  const yaml = yamlOf(text);
  return ['updated', 'tokens'].every((key) => isStamp(key, frontmatterValue(yaml, key) ?? ''));
}

const creationKeys = [
  'created',
  'date',
  'created_at',
  'created-at',
  'date-created',
  'date created',
  'creation-date',
];

/** When a note says that it was made, in `created` or as other programs write it; null when it does not say. */
export function statedCreation(text: string): LocalTime | null {
  const yaml = yamlOf(text);
  const times = creationKeys.map((key) => parseLocalTime(frontmatterValue(yaml, key) ?? ''));
  return times.find((time) => time !== null) ?? null;
}

/** What stands between the lines of a frontmatter; empty when there is none. */
export function yamlOf(text: string): string {
  const found = findFrontmatter(text);
  return found === null ? '' : text.slice(found.yamlStart, found.yamlEnd);
}

/** A text whose stamp tells how many tokens it has, where it has that stamp; all others stay as they are. */
export function withTokens(text: string): string {
  const stated = frontmatterValue(yamlOf(text), 'tokens');
  if (stated === null || !isStamp('tokens', stated)) return text;
  const stamped = setStamps(text, { tokens: tokensOf(text) });
  return stamped.ok ? stamped.text : text;
}

/**
 * Whether our stamps are somewhere below the top, outside of code: text was put above the frontmatter, or one of its `---` lines
 * is damaged. A second frontmatter on top would turn the first one into text for good.
 */
function hasStrayStamps(text: string): boolean {
  if (!text.includes('\ntokens: ')) return false;
  const lines = text.slice(0, largestFrontmatter).split('\n');
  const isStampAt = (index: number, key: string): boolean => {
    const line = lines[index] ?? '';
    return line.startsWith(`${key}: `) && isStamp(key, line.slice(key.length + 2).trim());
  };
  let isCode = false;
  return lines.some((line, index) => {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    return !isCode && isStampAt(index, 'updated') && isStampAt(index + 1, 'tokens');
  });
}

/** A text without frontmatter with an empty line on top, below where one will stand; any other text as it is. */
function withEmptyLine(text: string): string {
  const mark = markIn(text);
  const body = text.slice(mark.length);
  if (body === '' || emptyLine.test(body) || searchFrontmatter(text, Infinity) !== null) return text;
  return `${mark}${endOfLineIn(text)}${body}`;
}

function prepend(text: string, stamps: Stamps): string {
  const end = endOfLineIn(text);
  const mark = markIn(text);
  const fields = stampKeys
    .filter((key) => stamps[key] !== undefined)
    .map((key) => `${key}: ${stamps[key]}${end}`);
  return `${mark}---${end}${fields.join('')}---${end}${text.slice(mark.length)}`;
}

type Splice = { at: number; remove: number; insert: string };

function spliceYaml(yaml: string, stamps: Stamps, end: string): string | Extract<Stamped, { ok: false }> {
  const document = parseYaml(yaml);
  if (document === null) return refuse('is not valid YAML');
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
  // With an anchor the value is somebody else's, too.
  if (!isScalar(value) || !value.range || !isFlowScalar(value) || value.anchor !== undefined) return null;
  const [at, valueEnd] = value.range;
  const quote = value.type === 'QUOTE_DOUBLE' ? '"' : value.type === 'QUOTE_SINGLE' ? "'" : '';
  return { at, remove: valueEnd - at, insert: `${quote}${stamp}${quote}` };
}

/** The last check before such a text is written: it still parses, says what was meant, and has the same keys. */
function says(yaml: string, before: Document, stamps: Stamps): boolean {
  const after = parseYaml(yaml);
  const map = after?.contents;
  if (after === null || !isMap(map)) return false;
  if (!stampKeys.every((key) => stamps[key] === undefined || String(map.get(key)) === String(stamps[key])))
    return false;
  const others = (document: Document): string[] =>
    isMap(document.contents)
      ? document.contents.items.map(({ key }) => String(key)).filter((key) => !isStampKey(key))
      : [];
  return others(after).join('\0') === others(before).join('\0');
}

/** Null for what is not valid YAML, or nested so deeply that the parser gives up. */
function parseYaml(yaml: string): Document | null {
  const options = {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  } as const;
  try {
    const document = parseDocument(yaml, options);
    return document.errors.length === 0 ? document : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function pairsNamed(map: YAMLMap | null, name: string): Pair[] {
  return map?.items.filter(({ key }) => isScalar(key) && key.value === name) ?? [];
}

function columnOfKeys(map: YAMLMap | null, yaml: string): number {
  const key = map?.items[0]?.key;
  const start = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  return start === 0 ? 0 : start - (yaml.lastIndexOf('\n', start - 1) + 1);
}

function isFlowScalar(value: Scalar): boolean {
  return value.type === 'PLAIN' || value.type === 'QUOTE_DOUBLE' || value.type === 'QUOTE_SINGLE';
}

/** Only a date, or a number of tokens: whatever else stands in such a field are somebody's words. */
function isStamp(key: string, value: string): boolean {
  if (!isStampKey(key)) return false;
  return key === 'tokens' ? /^\d{1,15}$/.test(value) : parseLocalTime(value) !== null;
}

function isStampKey(key: string): boolean {
  return (stampKeys as readonly string[]).includes(key);
}

function markIn(text: string): string {
  return text.startsWith(byteOrderMark) ? byteOrderMark : '';
}

function endOfLineIn(text: string): string {
  const newline = text.indexOf('\n');
  return newline > 0 && text.charAt(newline - 1) === '\r' ? '\r\n' : '\n';
}

function refuse(problem: string): { ok: false; reason: string } {
  return { ok: false, reason: `the frontmatter ${problem}; mend it in an editor` };
}
