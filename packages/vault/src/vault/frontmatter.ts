import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Document, Pair, Scalar, YAMLMap } from 'yaml';
import { parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';

/** The position of the frontmatter as offsets into the text. `bodyStart` is the offset after it. */
export type Frontmatter = { yamlStart: number; yamlEnd: number; bodyStart: number };

/** The fields that Keepsake maintains. All other fields belong to the user. */
export type Stamps = { created?: LocalTime; updated?: LocalTime; tokens?: number };

export type SetStampsResult = { ok: true; text: string } | { ok: false; reason: string };

/** Longer frontmatter is left alone, so that parsing stays cheap for any input. */
export const maxFrontmatterCharacters = 64 * 1024;
/** Single values are looked up in every file of a vault, so only short frontmatter is passed to the YAML parser. */
const maxLookupCharacters = 16 * 1024;

const stampKeys = ['created', 'updated', 'tokens'] as const;
const byteOrderMark = '\ufeff';
const emptyLine = /^[ \t]*\r?\n/;

/** Finds the block from a first line `---` to the next line `---`; null if it is missing, not closed or too large. */
export function findFrontmatter(text: string): Frontmatter | null {
  return searchFrontmatter(text, maxFrontmatterCharacters);
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

/** The text after the frontmatter, or the whole text if it has none. */
export function extractBody(text: string): string {
  return text.slice(findFrontmatter(text)?.bodyStart ?? 0);
}

/** Estimates the tokens of the body as `ceil(length / 4)`. The frontmatter is excluded, so that writing the number does not change it. */
export function estimateTokens(text: string): number {
  return Math.ceil((text.length - (findFrontmatter(text)?.bodyStart ?? byteOrderMarkOf(text).length)) / 4);
}

/** A top-level value as text; null when the key is absent or its value is not a scalar. */
export function getFrontmatterValue(yaml: string, key: string): string | null {
  if (!yaml.includes(key)) return null;
  const simple = new RegExp(`(?:^|\\n)${key}:[ \\t]+([^\\s"'&*!|>%@\`#{}\\[\\]~][^\\r\\n]*)`).exec(yaml)?.[1];
  if (simple !== undefined && simple !== 'null') return simple.replace(/[ \t]#.*$/, '').trim();
  if (yaml.length > maxLookupCharacters) return null;
  const map = parseYaml(yaml)?.contents;
  const value = isMap(map) ? map.get(key) : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The texts of a top-level list; a single value counts as a list of one. */
export function getFrontmatterList(yaml: string, key: string): string[] {
  if (!yaml.includes(key) || yaml.length > maxLookupCharacters) return [];
  const map = parseYaml(yaml)?.contents;
  const value = isMap(map) ? map.get(key, true) : null;
  return (isSeq(value) ? value.items : [value]).flatMap((item) =>
    isScalar(item) && typeof item.value === 'string' ? [item.value] : [],
  );
}

/** All top-level values as text, those of a list one by one. */
export function listFrontmatterValues(yaml: string): { key: string; value: string }[] {
  const map = yaml.trim() === '' ? null : parseYaml(yaml)?.contents;
  if (!isMap(map)) return [];
  return map.items.flatMap(({ key, value }) =>
    (isSeq(value) ? value.items : [value]).flatMap((item) =>
      isScalar(key) && isScalar(item) ? [{ key: toText(key), value: toText(item) }] : [],
    ),
  );
}

function toText({ value }: Scalar): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/**
 * Sets the given stamps and leaves every other byte unchanged; adds frontmatter to a text that has none. Frontmatter that is
 * not a plain block mapping is rejected.
 */
export function setStamps(text: string, stamps: Stamps): SetStampsResult {
  const found = findFrontmatter(text);
  if (found === null) {
    if (searchFrontmatter(text, Infinity) !== null) return refuse('is too large to maintain');
    if (hasStrayStamps(text)) return refuse('is not at the top, or its first or last line is damaged');
    return { ok: true, text: prependFrontmatter(text, stamps) };
  }
  const yaml = text.slice(found.yamlStart, found.yamlEnd);
  const spliced = spliceYaml(yaml, stamps, detectLineEnding(text));
  if (typeof spliced !== 'string') return spliced;
  return { ok: true, text: text.slice(0, found.yamlStart) + spliced + text.slice(found.yamlEnd) };
}

/** Sets these times and the number of tokens. New frontmatter is followed by an empty line. */
export function setTimes(text: string, times: Omit<Stamps, 'tokens'>): SetStampsResult {
  const spaced = ensureBlankLine(text);
  return setStamps(spaced, { ...times, tokens: estimateTokens(spaced) });
}

/** Copies the stamps and the spacing of another text, if it has any and they can be set. */
export function copyStamps(other: string, text: string): string {
  const found = findFrontmatter(other);
  const yaml = found === null ? '' : other.slice(found.yamlStart, found.yamlEnd);
  const entries = stampKeys.flatMap((key) => {
    const value = getFrontmatterValue(yaml, key);
    return value !== null && isStamp(key, value) ? [[key, value]] : [];
  });
  if (entries.length === 0) return text;
  const spaced = emptyLine.test(other.slice(found?.bodyStart)) ? ensureBlankLine(text) : text;
  const stamped = setStamps(spaced, Object.fromEntries(entries) as Stamps);
  return stamped.ok ? stamped.text : text;
}

/** Removes the lines that contain only a stamp, which leaves the fields that the user wrote. */
export function stripStamps(yaml: string): string {
  return yaml
    .split('\n')
    .filter((line) => {
      const [key = ''] = line.split(':', 1);
      const value = line.slice(key.length + 1).trim();
      return !isStamp(key, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value);
    })
    .join('\n');
}

/** Sets the stamps of a write at this time; `created` only if it is missing and known. */
export function applyStamps(text: string, time: LocalTime, created: LocalTime | null = time): string {
  const isSet = created !== null && getFrontmatterValue(extractYaml(text), 'created') === null;
  const stamped = setTimes(text, { ...(isSet && { created }), updated: time });
  return stamped.ok ? stamped.text : text;
}

/** Whether Keepsake maintains the stamps of a text: it has `updated` and `tokens`. */
export function hasStamps(text: string): boolean {
  const yaml = extractYaml(text);
  return ['updated', 'tokens'].every((key) => isStamp(key, getFrontmatterValue(yaml, key) ?? ''));
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

/** The creation time in the frontmatter, in `created` or a field of another program; null if there is none. */
export function parseCreationTime(text: string): LocalTime | null {
  const yaml = extractYaml(text);
  const times = creationKeys.map((key) => parseLocalTime(getFrontmatterValue(yaml, key) ?? ''));
  return times.find((time) => time !== null) ?? null;
}

/** The YAML between the delimiters; empty when there is no frontmatter. */
export function extractYaml(text: string): string {
  const found = findFrontmatter(text);
  return found === null ? '' : text.slice(found.yamlStart, found.yamlEnd);
}

/** Updates the `tokens` stamp if the text has one. */
export function updateTokens(text: string): string {
  const stated = getFrontmatterValue(extractYaml(text), 'tokens');
  if (stated === null || !isStamp('tokens', stated)) return text;
  const stamped = setStamps(text, { tokens: estimateTokens(text) });
  return stamped.ok ? stamped.text : text;
}

/**
 * Whether stamps occur below the top, outside of code: text was inserted above the frontmatter, or one of its `---` lines is
 * damaged. A second frontmatter on top would permanently turn the first one into text.
 */
function hasStrayStamps(text: string): boolean {
  if (!text.includes('\ntokens: ')) return false;
  const lines = text.slice(0, maxFrontmatterCharacters).split('\n');
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

/** Adds an empty line at the top of a text without frontmatter, which will separate the new frontmatter from the body. */
function ensureBlankLine(text: string): string {
  const mark = byteOrderMarkOf(text);
  const body = text.slice(mark.length);
  if (body === '' || emptyLine.test(body) || searchFrontmatter(text, Infinity) !== null) return text;
  return `${mark}${detectLineEnding(text)}${body}`;
}

function prependFrontmatter(text: string, stamps: Stamps): string {
  const end = detectLineEnding(text);
  const mark = byteOrderMarkOf(text);
  const fields = stampKeys
    .filter((key) => stamps[key] !== undefined)
    .map((key) => `${key}: ${stamps[key]}${end}`);
  return `${mark}---${end}${fields.join('')}---${end}${text.slice(mark.length)}`;
}

type Splice = { at: number; remove: number; insert: string };

function spliceYaml(
  yaml: string,
  stamps: Stamps,
  end: string,
): string | Extract<SetStampsResult, { ok: false }> {
  const document = parseYaml(yaml);
  if (document === null) return refuse('is not valid YAML');
  const map = document.contents ?? null;
  if (map !== null && !(isMap(map) && map.flow !== true))
    return refuse('is not a list of "key: value" lines');

  const splices: Splice[] = [];
  // A missing key is inserted below the stamp that precedes it in our order, or else at the top.
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
  return verifyYaml(result, document, stamps)
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
  // A value with an anchor may be referenced elsewhere.
  if (!isScalar(value) || !value.range || !isFlowScalar(value) || value.anchor !== undefined) return null;
  const [at, valueEnd] = value.range;
  const quote = value.type === 'QUOTE_DOUBLE' ? '"' : value.type === 'QUOTE_SINGLE' ? "'" : '';
  return { at, remove: valueEnd - at, insert: `${quote}${stamp}${quote}` };
}

/** Verifies the result: it parses, contains the stamps, and has the same other keys. */
function verifyYaml(yaml: string, before: Document, stamps: Stamps): boolean {
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

/** Null if the YAML is invalid or nested too deeply for the parser. */
export function parseYaml(yaml: string): Document | null {
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

/** Whether the value is a date or a token count; any other value of such a field is user text. */
function isStamp(key: string, value: string): boolean {
  if (!isStampKey(key)) return false;
  return key === 'tokens' ? /^\d{1,15}$/.test(value) : parseLocalTime(value) !== null;
}

function isStampKey(key: string): boolean {
  return (stampKeys as readonly string[]).includes(key);
}

function byteOrderMarkOf(text: string): string {
  return text.startsWith(byteOrderMark) ? byteOrderMark : '';
}

function detectLineEnding(text: string): string {
  const newline = text.indexOf('\n');
  return newline > 0 && text.charAt(newline - 1) === '\r' ? '\r\n' : '\n';
}

function refuse(problem: string): { ok: false; reason: string } {
  return { ok: false, reason: `the frontmatter ${problem}; fix it in an editor` };
}
