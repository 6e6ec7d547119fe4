import { parseLinkDestination } from '../contract/index.ts';
import { findPluginResources } from './plugin-resources.ts';
import { readProperties } from './property-resources.ts';

/*
 * Editors disagree on what is code, a tag or a link, so code is scanned as well and ambiguous syntax counts as a resource.
 * Every pattern is bounded or reads each character once, so that hostile text cannot make the scan slow.
 */
const remoteResourceHint = /!\[|<[a-z%]|url\(|\{\{|@\{|^\uFEFF?---|```|~~~|`\s{0,10}\$?=/i;

/** Finds the remote resources, such as images, that an editor would load when it renders the text. */
export function findRemoteResources(text: string): string[] {
  if (!remoteResourceHint.test(text)) return [];
  const written = text.replaceAll(/\r\n?/g, '\n');
  const properties = readProperties(written);
  // Editors decode entities after parsing, some plugins before; and they parse a quote without its marks.
  const views = new Set(
    [written, removeQuoteMarks(written), properties.strings.join('\n\n')].flatMap((view) => [
      view,
      decodeEntities(view),
    ]),
  );
  const found = new Set([
    ...markdownImages([...views]),
    ...[...views].flatMap((view) => [
      ...findLoadingTags(view),
      ...findOtherResources(view),
      ...findPluginResources(view),
    ]),
    ...properties.addresses.filter(isRemoteUrl).map(normalizeUrl),
    ...properties.unreadable,
  ]);
  return found.size > maxResources ? [`${found.size} addresses: ${[...found].join(' ')}`] : [...found];
}

/** Removes the marks from all lines of a quote but the first, whose mark separates it from the text before. */
function removeQuoteMarks(text: string): string {
  let isInQuote = false;
  const lines = text.split('\n').map((line) => {
    const isContinued = isInQuote;
    isInQuote = /^(?:[ \t*+-]|\d{1,9}[.)]){0,50}>/.test(line) || (isInQuote && line.trim() !== '');
    return isContinued ? line.replace(/^[ \t>]+/, '') : line;
  });
  return lines.join('\n');
}

/** Above this number the resources are reported as one item, because the user's messages are searched for each item. */
const maxResources = 1_000;

function isRemoteUrl(address: string): boolean {
  const read = normalizeUrl(address);
  return !/^data:/i.test(read) && (parseLinkDestination(read) === null || /^[\\/]{2}/.test(read));
}

/** Normalizes a URL like a browser: removes invisible characters and delimiters and resolves backslash escapes. */
function normalizeUrl(address: string): string {
  return decodeEntities(address)
    .replaceAll(/[\p{Cc}\s<>"']/gu, '')
    .replaceAll(/\\([!-/:-@[\]-`{-~])/g, '$1');
}

const namedEntities: Readonly<Record<string, string>> = {
  bsol: '\\',
  colon: ':',
  lpar: '(',
  newline: '\n',
  period: '.',
  sol: '/',
  tab: '\t',
};

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|([a-z]{3,7}));?/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return namedEntities[String(name).toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

type Bracket = { at: number; isImage: boolean };

/** Returns the URLs of `![…](…)`, `![…][label]` and `![label]`. A label and its definition can be in different views of a text. */
function markdownImages(views: readonly string[]): string[] {
  const found: string[] = [];
  const labels = new Set<string>();
  for (const view of views) collectImages(view, found, labels);
  if (labels.size === 0) return found;
  for (const view of views)
    for (const [, label = '', address = ''] of view.matchAll(definition))
      if (labels.has(labelOf(label)) && isRemoteUrl(address)) found.push(normalizeUrl(address));
  return found;
}

function collectImages(text: string, found: string[], labels: Set<string>): void {
  let open: Bracket[] = [];
  let hasImage = false;
  /** Whether a bracket may belong to code, a tag, math or a comment. */
  let isUnclear = false;
  let lastBracket = -1;
  let mathStart = Infinity;
  for (const mark of text.matchAll(/\n[ \t]*\n|\\[^\n]|[[\]`<$]|%%/g)) {
    const [sign] = mark;
    const { index } = mark;
    if (sign === '[') {
      const isImage = text[index - 1] === '!';
      hasImage ||= isImage;
      open.push({ at: index + 1, isImage });
      lastBracket = index;
    } else if (sign === ']') {
      const opened = open.pop();
      // A label contains no brackets.
      const label = lastBracket + 1 === opened?.at ? text.slice(opened.at, index) : '';
      lastBracket = index;
      const isImage = opened?.isImage === true || (hasImage && (isUnclear || opened === undefined));
      if (!isImage) continue;
      if (label !== '') labels.add(labelOf(label));
      const address = matchAt(inlineAddress, text, index + 1);
      if (address !== undefined && isRemoteUrl(address)) found.push(normalizeUrl(address));
      const reference = matchAt(fullReference, text, index + 1);
      if (reference !== undefined) labels.add(labelOf(reference));
    } else if (sign.startsWith('\n')) {
      [open, hasImage, isUnclear, mathStart] = [[], false, false, Infinity];
    } else if (sign === '$' || sign === '%%') {
      isUnclear ||= lastBracket > mathStart;
      mathStart = index;
    } else isUnclear ||= sign === '`' || sign === '<';
  }
}

/** Both stop at the next bracket, so that each character is read once. */
const inlineAddress = /\(\s*(<[^<>\n]*>|[^\s()\]]+)/y;
const fullReference = /\[([^\]]*)\]/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[1];
}

const definition = /(?<!\\)\[((?:\\[^]|[^[\]\\]){1,999})\]:\s*(<[^<>\n]*>|\S+)/g;

function labelOf(label: string): string {
  return label.slice(0, 1_000).trim().replaceAll(/\s+/g, ' ').toLowerCase().toUpperCase();
}

const loadingTag =
  /<(?:(script|style|iframe|frame|object|embed|applet|link|base|meta|portal)|img|image|video|audio|source|track|input|use|feimage|body|table|thead|tbody|tr|td|th)(?=[\s/>"'=]|$)/gi;
const attribute =
  /[\s/"'](src|srcset|imagesrcset|poster|data|href|xlink:href|background|lowsrc|dynsrc|longdesc)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s>]*))/gi;
const maxTagCharacters = 2_000;
const maxTags = 1_000;

/** Finds elements that load a remote URL, and every element that exists only to load something. */
function findLoadingTags(text: string): string[] {
  const tags = [...text.matchAll(loadingTag)];
  // Includes the rest of the text, so that a different text with the same number of tags gives a different item.
  if (tags.length > maxTags) return [`${tags.length} elements: ${text.slice(tags[0]?.index)}`];
  // The start of the next element with a long item. An item ends there, so that each character is in one long item at most.
  let bound = text.length;
  return tags.toReversed().flatMap(({ 0: start, 1: always, index }) => {
    const inside = index + start.length;
    const rest = text.slice(inside, inside + maxTagCharacters);
    const [inner = ''] = /^(?:"[^"]*"|'[^']*'|[^"'>])*/.exec(rest) ?? [];
    const isClosed = rest[inner.length] === '>';
    const hasContent = /^<(?:script|style)$/i.test(start);
    if (!isClosed || hasContent) {
      const end = isClosed
        ? endOfContent(text, start.slice(1).toLowerCase(), inside + inner.length, bound)
        : endOfUnclosedTag(text, inside + maxTagCharacters, bound);
      bound = index;
      return [text.slice(index, end)];
    }
    if (always !== undefined) return [`${start}${inner}`];
    return [...inner.matchAll(attribute)].flatMap(([, name = '', double, single, bare]) => {
      const value = double ?? single ?? bare ?? '';
      const addresses = /srcset/i.test(name) ? value.split(/[\s,]+/) : [value];
      return addresses.filter(isRemoteUrl).map(normalizeUrl);
    });
  });
}

/** A tag that is not closed within the limit ends with its paragraph. */
function endOfUnclosedTag(text: string, limit: number, bound: number): number {
  if (bound <= limit) return limit;
  const length = text.slice(limit, bound).search(/\n[ \t\r]*\n/);
  return length === -1 ? bound : limit + length;
}

/** Scripts and styles load what their content names; a style also without an end tag. */
function endOfContent(text: string, name: string, start: number, bound: number): number {
  const length = text.slice(start, bound).search(name === 'script' ? /<\/script/i : /<\/style/i);
  if (length !== -1) return start + length;
  return name === 'style' || bound < text.length ? Math.max(start, bound) : start;
}

/** Finds resources in CSS, outliner macros and Mermaid charts. */
function findOtherResources(text: string): string[] {
  const forms = [
    /\burl\(\s*([^\s)]{1,4000})/gi,
    /\{\{[^{}\n]{0,500}?((?:https?:)?\/\/[^\s{}]{1,4000})/gi,
    /@\{[^{}]{0,500}?\bimg\s*:\s*([^\s{},]{1,4000})/gi,
  ];
  const styles = [...text.matchAll(/\bstyle\s*=\s*("[^"]{0,4000}|'[^']{0,4000}|[^\s>]{1,4000})/gi)];
  return [
    ...forms.flatMap((form) =>
      [...text.matchAll(form)].flatMap(([, address = '']) =>
        isRemoteUrl(address) ? [normalizeUrl(address)] : [],
      ),
    ),
    // A backslash escape can disguise any CSS keyword.
    ...styles.flatMap(([style]) => (/\\|image-set|@import/i.test(style) ? [style.slice(0, 200)] : [])),
  ];
}
