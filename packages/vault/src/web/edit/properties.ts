/**
 * One property of the frontmatter, or lines that are kept as they are: comments, and values of other forms, such as nested ones.
 * `source` are its lines, each with its line end.
 */
export type Property =
  | { kind: 'text' | 'date'; key: string; value: string; source: string }
  | { kind: 'checkbox'; key: string; value: boolean; source: string }
  | { kind: 'list' | 'tags'; key: string; items: readonly string[]; source: string }
  | { kind: 'other'; key: string; source: string };
export type PropertyKind = Exclude<Property['kind'], 'other'>;

const keyLine = /^([\p{L}\p{N}_][^:#\n]*?)[ \t]*:(?:[ \t]+(.*?))?[ \t]*$/u;
const itemLine = /^[ \t]*-[ \t]+(.*?)[ \t]*$/;
const maintained = new Set(['created', 'updated', 'tokens']);

/** Splits frontmatter into its properties. Joining their sources gives exactly the frontmatter again, also if its YAML is invalid. */
export function parseProperties(yaml: string): Property[] {
  const sources: string[] = [];
  for (const line of yaml.split(/(?<=\n)/)) {
    const last = sources.length - 1;
    if (line === '') continue;
    // Items, indented lines and empty lines belong to the property above.
    if (last >= 0 && /^(?:[ \t-]|\r?\n$)/.test(line) && !isComment(sources[last])) sources[last] += line;
    else sources.push(line);
  }
  return sources.map(parseProperty);
}

export function joinProperties(properties: readonly Property[]): string {
  return properties.map(({ source }) => (source.endsWith('\n') ? source : `${source}\n`)).join('');
}

function isComment(source = ''): boolean {
  return source.startsWith('#');
}

function parseProperty(source: string): Property {
  const [first = '', ...others] = source.replace(/\n+$/, '').split('\n');
  const [, key, value = ''] = keyLine.exec(first) ?? [];
  if (key === undefined || source.includes('\r')) return { kind: 'other', key: '', source };
  const isTags = /^tags?$/i.test(key);
  const items = others.length > 0 ? blockItems(value, others) : flowItems(value);
  if (items !== null) return { kind: isTags ? 'tags' : 'list', key, items, source };
  if (others.length > 0) return { kind: 'other', key, source };
  if (value === 'true' || value === 'false')
    return { kind: 'checkbox', key, value: value === 'true', source };
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return { kind: 'date', key, value, source };
  const text = value === '' ? '' : readScalar(value);
  if (text === null) return { kind: 'other', key, source };
  return isTags
    ? { kind: 'tags', key, items: text.split(/[\s,]+/).flatMap((tag) => tag.replace(/^#/, '') || []), source }
    : { kind: 'text', key, value: text, source };
}

/** The items below a key, one per line; null for another form. */
function blockItems(value: string, lines: readonly string[]): string[] | null {
  if (value !== '') return null;
  return readAll(lines.map((line) => itemLine.exec(line)?.[1]));
}

/** The items of `[a, b]`; null for another form. */
function flowItems(value: string): string[] | null {
  const inner = /^\[(.*)\]$/.exec(value)?.[1];
  if (inner === undefined || /[[\]{}]/.test(inner)) return null;
  if (inner.trim() === '') return [];
  const parts = inner.match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,"']+)\s*(?:,|$)/g) ?? [];
  if (parts.join('') !== inner) return null;
  return readAll(parts.map((part) => part.replace(/,$/, '').trim()));
}

function readAll(values: readonly (string | undefined)[]): string[] | null {
  const read = values.map((value) => (value === undefined || value === '' ? null : readScalar(value)));
  return read.every((value) => value !== null) ? read : null;
}

/** The text of a plain or quoted value; null if it is something else, for example a reference or a comment follows. */
function readScalar(value: string): string | null {
  const single = /^'((?:[^']|'')*)'$/.exec(value)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  if (value.startsWith('"')) {
    try {
      const parsed: unknown = JSON.parse(value);
      return typeof parsed === 'string' && !parsed.includes('\n') ? parsed : null;
    } catch {
      return null;
    }
  }
  return isPlain(value) ? value : null;
}

/** Whether a text needs no quotes. */
function isPlain(text: string): boolean {
  return /^[^\s\-?:,[\]{}#&*!|>'"%@`]|^-?\d/.test(text) && !/: |\s#|:$|\s$|\p{Cc}/u.test(text);
}

function writeScalar(text: string, isInList: boolean): string {
  return isPlain(text) && !(isInList && /[,[\]{}]/.test(text)) ? text : JSON.stringify(text);
}

/** A value that a plain scalar would turn into a number, a date or the like. */
const typed = /^(?:true|false|null|~|[-+]?\.?\d[\w.+: -]*|[-+]?\.(?:inf|nan))$/i;

/** The property with another text or date. A value in quotes stays a text. */
export function withText(property: Property & { kind: 'text' | 'date' }, value: string): Property {
  const wasQuoted = /:[ \t]+["']/.test(property.source);
  const written = wasQuoted && typed.test(value) ? JSON.stringify(value) : writeScalar(value, false);
  return { ...property, value, source: `${property.key}:${value === '' ? '' : ` ${written}`}\n` };
}

export function withChecked(property: Property & { kind: 'checkbox' }, value: boolean): Property {
  return { ...property, value, source: `${property.key}: ${value}\n` };
}

/** The property with other items, one per line if they were before. */
export function withItems(
  property: Property & { kind: 'list' | 'tags' },
  items: readonly string[],
): Property {
  const { key, source } = property;
  const [, indent] = /\n([ \t]*)-[ \t]/.exec(source) ?? [];
  const lines =
    indent === undefined || items.length === 0
      ? `${key}: [${items.map((item) => writeScalar(item, true)).join(', ')}]\n`
      : `${key}:\n${items.map((item) => `${indent}- ${writeScalar(item, false)}\n`).join('')}`;
  return { ...property, items, source: lines };
}

/** A new property without a value. */
export function createProperty(key: string, kind: PropertyKind): Property {
  switch (kind) {
    case 'checkbox':
      return { kind, key, value: false, source: `${key}: false\n` };
    case 'list':
    case 'tags':
      return { kind, key, items: [], source: `${key}: []\n` };
    case 'text':
    case 'date':
      return { kind, key, value: '', source: `${key}:\n` };
  }
}

/** Whether a new property may have this name. Keepsake maintains some itself. */
export function isFreeKey(key: string, properties: readonly Property[]): boolean {
  return (
    /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(key) &&
    !maintained.has(key) &&
    !properties.some((each) => each.key.toLowerCase() === key.toLowerCase())
  );
}
