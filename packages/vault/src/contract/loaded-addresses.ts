import { readAddress } from './markdown-links.ts';

/*
 * Editors disagree on what is code, a tag or a link, so code is no hiding place here, and what cannot be told apart counts.
 * Everything is bounded or read once.
 */
const mayLoad = /!\[|<[a-z]|url\(|\{\{|@\{|^\uFEFF?---/i;

/** What an editor asks for elsewhere, unasked, as soon as it shows a text: pictures and what is like them. */
export function loadedAddresses(text: string): string[] {
  if (!mayLoad.test(text)) return [];
  const plain = withoutEntities(text);
  const found = new Set([...markdownImages(plain), ...loadingTags(plain), ...otherForms(plain)]);
  return found.size > mostAddresses ? [`${found.size} addresses: ${[...found].join(' ')}`] : [...found];
}

/** More of them are one: each is looked for in what a person has said, and nobody would read them all. */
const mostAddresses = 1_000;

function isElsewhere(address: string): boolean {
  const read = cleaned(address);
  return !/^data:/i.test(read) && (readAddress(read) === null || /^[\\/]{2}/.test(read));
}

/** As a browser reads it: signs that are not seen do not count, nor do marks around it. */
function cleaned(address: string): string {
  return address.replaceAll(/[\p{Cc}\s<>"']/gu, '').replaceAll(/\\([!-/:-@[\]-`{-~])/g, '$1');
}

const named: Readonly<Record<string, string>> = {
  bsol: '\\',
  colon: ':',
  lpar: '(',
  newline: '\n',
  period: '.',
  sol: '/',
  tab: '\t',
};

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{3,7}));?/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

type Bracket = { at: number; isImage: boolean };

/** The addresses of `![…](…)`, `![…][label]` and `![label]`, over the lines of a paragraph. */
function markdownImages(text: string): string[] {
  const found: string[] = [];
  const labels = new Set<string>();
  let open: Bracket[] = [];
  let hasImage = false;
  /** Whether code or a tag may have taken a bracket. */
  let isUnclear = false;
  let lastBracket = -1;
  for (const mark of text.matchAll(/\n[ \t\r]*\n|\\[^\n]|[[\]`<]/g)) {
    const [sign] = mark;
    const { index } = mark;
    if (sign === '[') {
      const isImage = text[index - 1] === '!';
      hasImage ||= isImage;
      open.push({ at: index + 1, isImage });
      lastBracket = index;
    } else if (sign === ']') {
      const opened = open.pop();
      // A label has no brackets in it.
      const label = lastBracket + 1 === opened?.at ? text.slice(opened.at, index) : '';
      lastBracket = index;
      const isImage = opened?.isImage === true || (hasImage && (isUnclear || opened === undefined));
      if (!isImage) continue;
      if (label !== '') labels.add(labelOf(label));
      const follows = text[index + 1];
      if (follows !== '(' && follows !== '[') continue;
      // What stands behind the next bracket is not read for this one: each sign is read once.
      const next = text.slice(index + 1, index + longestAddress);
      const address = /^\(\s*(<[^<>\n]*>|[^\s()\]]+)/.exec(next)?.[1];
      if (address !== undefined && isElsewhere(address)) found.push(cleaned(address));
      const reference = /^\[([^\]]*)\]/.exec(next)?.[1];
      if (reference !== undefined) labels.add(labelOf(reference));
    } else if (sign.startsWith('\n')) [open, hasImage, isUnclear] = [[], false, false];
    else isUnclear ||= sign === '`' || sign === '<';
  }
  if (labels.size === 0) return found;
  for (const [, label = '', address = ''] of text.matchAll(definition))
    if (labels.has(labelOf(label)) && isElsewhere(address)) found.push(cleaned(address));
  return found;
}

const longestAddress = 4_000;
const definition = /(?<!\\)\[((?:\\[^]|[^[\]\\]){1,999})\]:\s*(<[^<>\n]*>|\S+)/g;

function labelOf(label: string): string {
  return label.slice(0, 1_000).trim().replaceAll(/\s+/g, ' ').toLowerCase().toUpperCase();
}

const loadingTag =
  /<(?:(script|style|iframe|frame|object|embed|applet|link|base|meta|portal)|img|image|video|audio|source|track|input|use|feimage|body|table|thead|tbody|tr|td|th)(?=[\s/>"'=]|$)/gi;
const attribute =
  /[\s/"'](src|srcset|imagesrcset|poster|data|href|xlink:href|background|lowsrc|dynsrc|longdesc)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s>]*))/gi;
const longestTag = 2_000;
const mostTags = 1_000;

/** Elements that load what they name; of those that do nothing else, all. */
function loadingTags(text: string): string[] {
  const tags = [...text.matchAll(loadingTag)];
  // With all that follows: another text with as many is another one.
  if (tags.length > mostTags) return [`${tags.length} elements: ${text.slice(tags[0]?.index)}`];
  return tags.flatMap(({ 0: start, 1: always, index }) => {
    const rest = text.slice(index + start.length, index + start.length + longestTag);
    const [inner = ''] = /^(?:"[^"]*"|'[^']*'|[^"'>])*/.exec(rest) ?? [];
    const isWhole = rest[inner.length] === '>';
    if (always !== undefined || !isWhole) return [`${start}${(isWhole ? inner : rest).slice(0, 200)}`];
    return [...inner.matchAll(attribute)].flatMap(([, name = '', double, single, bare]) => {
      const value = double ?? single ?? bare ?? '';
      const addresses = /srcset/i.test(name) ? value.split(/[\s,]+/) : [value];
      return addresses.filter(isElsewhere).map(cleaned);
    });
  });
}

const pictureKeys = 'avatar|banner|cover|icon|image|img|logo|photo|picture|poster|thumb|thumbnail';

/** Styles, macros of outliners, pictures that charts and properties name. */
function otherForms(text: string): string[] {
  const properties = /^\uFEFF?---\r?\n[^]*?\n(?:---|\.\.\.)/.exec(text)?.[0] ?? '';
  const forms: [string, RegExp][] = [
    [text, /\burl\(\s*([^\s)]{1,4000})/gi],
    [text, /\{\{[^{}\n]{0,500}?((?:https?:)?\/\/[^\s{}]{1,4000})/gi],
    [text, /@\{[^{}]{0,500}?\bimg\s*:\s*([^\s{},]{1,4000})/gi],
    [properties, new RegExp(`^[ \\t]*["']?(?:${pictureKeys})[\\w-]*["']?[ \\t]*:\\s*(\\S{1,4000})`, 'gim')],
  ];
  const styles = [...text.matchAll(/\bstyle\s*=\s*("[^"]{0,4000}|'[^']{0,4000}|[^\s>]{1,4000})/gi)];
  return [
    ...forms.flatMap(([from, form]) =>
      [...from.matchAll(form)].flatMap(([, address = '']) =>
        isElsewhere(address) ? [cleaned(address)] : [],
      ),
    ),
    // A backslash can spell any word of a style in another way.
    ...styles.flatMap(([style]) => (/\\|image-set|@import/i.test(style) ? [style.slice(0, 200)] : [])),
  ];
}
