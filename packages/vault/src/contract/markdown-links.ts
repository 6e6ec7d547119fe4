/** A link to another file in a markdown text. */
export type MarkdownLink = {
  /** A path is relative to the file that contains it; a wikilink names a file in any folder. */
  kind: 'path' | 'wiki';
  /** The range to replace for another target: only the destination, or the whole wikilink. */
  start: number;
  end: number;
  /** Counted from 1. */
  line: number;
  /** The target, decoded and without its anchor. */
  target: string;
  /** The anchor as written, including the delimiter: `#part`, `#^block`. */
  anchor: string;
  /** Formats the link for another target in its original syntax, or as a path link. */
  format: (target: string, as?: 'path') => string;
};

export type Wikilink = MarkdownLink & { kind: 'wiki'; isEmbed: boolean; label: string };

// Every pattern is bounded and applied line by line, so that parsing takes linear time for any text.
const linkHint = /\]\(|\]:|\[\[|src=|href=/i;
const wiki = /(!?)\[\[([^[\]\n|#^]{0,500}?)([#^][^[\]\n|]{0,500}?)?(\\?\|[^[\]]{0,500})?\]\]/g;
const inline =
  /(?<!\\)\]\([ \t]*(<(?:\\[^\n]|[^<>\n\\]){1,4000}>|(?:\\\S|[^\s()<>\\]|\((?:\\\S|[^\s()<>\\]){0,4000}\)){1,4000})(?=[ \t]*(?:\)|$)|[ \t]+["'(=])/g;
const reference =
  /^ {0,3}\[(?!\^)[^\]]{1,1000}\]:[ \t]*(<(?:\\[^\n]|[^<>\n\\]){1,4000}>|[^\s<]\S{0,4000})(?=[ \t]*$|[ \t]+["'(=])/g;
const attribute = /\b(?:src|href)=(?:"([^"\n]+)"|'([^'\n]+)')/gi;

/** Parses the links to files outside of code, in order. Links to the web or within the text are ignored. */
export function parseLinks(text: string): MarkdownLink[] {
  const links: MarkdownLink[] = [];
  if (!linkHint.test(text)) return links;
  let fence: string | null = null;
  let line = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const content = text.slice(start, end).replace(/\r$/, '');
    line += 1;
    const marks = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})(.*)$/s.exec(content);
    if (fence !== null) {
      if (marks?.[1]?.startsWith(fence) === true && marks[2]?.trim() === '') fence = null;
    } else if (marks !== null && (marks[1]?.startsWith('~') === true || !(marks[2] ?? '').includes('`')))
      fence = marks[1] ?? null;
    else for (const link of linksInLine(content, start, line)) links.push(link);
    start = end + 1;
  }
  return links;
}

/** Parses the wikilinks of one line, including those within the same text (`[[#part]]`). The line must not contain code. */
export function parseWikilinks(content: string): Wikilink[] {
  return [...content.matchAll(wiki)].flatMap((match) => createWikilink(match, content, 0, 1) ?? []);
}

/** Parses and decodes a link destination. The target is empty for a link within the same text; null for an external URL. */
export function parseLinkDestination(address: string): { target: string; anchor: string } | null {
  if (externalUrlPattern.test(address)) return null;
  const hash = address.indexOf('#');
  if (hash < 0) return { target: decodeDestination(address), anchor: '' };
  return { target: decodeDestination(address.slice(0, hash)), anchor: address.slice(hash) };
}

const externalUrlPattern = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

function linksInLine(content: string, offset: number, line: number): MarkdownLink[] {
  if (!linkHint.test(content)) return [];
  const prose = maskCode(content);
  const found: MarkdownLink[] = [];
  for (const match of prose.matchAll(wiki)) {
    const link = createWikilink(match, content, offset, line);
    if (link !== null && link.target.trim() !== '') found.push(link);
  }
  for (const pattern of [inline, reference, attribute])
    for (const match of prose.matchAll(pattern)) {
      const address = match[1] ?? match[2] ?? '';
      const at = match.index + match[0].lastIndexOf(address);
      const form = pattern !== attribute ? 'markdown' : match[1] === undefined ? 'single' : 'double';
      const link = createPathLink(address, form, offset + at, line);
      if (link !== null) found.push(link);
    }
  // The first of two overlapping links wins.
  let end = 0;
  return found
    .toSorted((a, b) => a.start - b.start)
    .filter((link, index, all) => {
      const isApart = link.start >= end && !endsInsideWikilink(all, index);
      if (isApart) end = link.end;
      return isApart;
    });
}

/** Whether a path link ends inside a wikilink, in which case it is not a link. `links` is sorted by start. */
function endsInsideWikilink(links: readonly MarkdownLink[], index: number): boolean {
  const link = links[index];
  if (link?.kind !== 'path') return false;
  for (let at = index + 1; ; at += 1) {
    const next = links[at];
    if (next === undefined || next.start >= link.end) return false;
    if (next.kind === 'wiki' && next.end > link.end) return true;
  }
}

/** Replaces each character of code with a newline: offsets stay the same, and no pattern matches a newline. */
function maskCode(content: string): string {
  if (!content.includes('`')) return content;
  const runs = [...content.matchAll(/`+/g)].map(({ index, 0: marks }) => ({ index, size: marks.length }));
  const later = new Map<number, number[]>();
  for (const { index, size } of runs.toReversed()) {
    const same = later.get(size);
    if (same === undefined) later.set(size, [index]);
    else same.push(index);
  }
  let result = '';
  let end = 0;
  for (const { index, size } of runs) {
    const same = later.get(size);
    same?.pop();
    const closing = index < end ? undefined : same?.at(-1);
    if (closing === undefined) continue;
    result += content.slice(end, index) + '\n'.repeat(closing + size - index);
    end = closing + size;
  }
  return result + content.slice(end);
}

/** Null when it has neither target nor anchor. */
function createWikilink(
  match: RegExpExecArray,
  content: string,
  offset: number,
  line: number,
): Wikilink | null {
  const [whole, embed = '', target = '', anchor = '', marked = ''] = match;
  if (target === '' && anchor === '') return null;
  const closing = match.index + whole.length - 2;
  // Taken from the original line, because a label may contain code.
  const label = content.slice(closing - marked.length, closing);
  const bar = /^\s*\|/.test(content) ? String.raw`\|` : '|';
  const plainLabel = label.replace(/^\\?\|/, '');
  // The displayed text stays the same, so a renamed target gets a label, unless the label would equal the new name.
  const shown = label !== '' || embed !== '' ? label : `${bar}${target}${anchor}`;
  const shownFor = (name: string): string => (embed === '' && plainLabel === name ? '' : shown);
  return {
    kind: 'wiki',
    start: offset + match.index,
    end: offset + match.index + whole.length,
    line,
    target,
    anchor,
    isEmbed: embed !== '',
    label: plainLabel,
    format(to, as) {
      if (as === undefined) return `${embed}[[${to}${anchor}${shownFor(`${to}${anchor}`)}]]`;
      const words = shown.replace(/^\\?\|/, '').replace(/\\$/, '');
      return `${embed}[${words}](${encodeDestination(to, false, specialInMarkdown)}${anchor.replace(/^\^/, '#^')})`;
    },
  };
}

/** Characters with a meaning in link destinations and in double-quoted attributes. */
const specialInMarkdown = /[()#?<>"\\]/g;

type LinkSyntax = 'markdown' | 'single' | 'double';

/** Null for an external URL and for a link within the same text. */
function createPathLink(address: string, form: LinkSyntax, start: number, line: number): MarkdownLink | null {
  const isBracketed = form === 'markdown' && address.startsWith('<');
  const plain = isBracketed ? address.slice(1, -1) : address;
  const read = parseLinkDestination(form === 'markdown' ? unescapeBackslashes(plain) : plain);
  if (read === null || read.target === '') return null;
  const [, path = '', anchor = ''] = /^([^#]*)(.*)$/s.exec(plain) ?? [];
  const isEncoded = /%[\da-f]{2}/i.test(path);
  const special = form === 'single' ? /[()#?<>'\\]/g : specialInMarkdown;
  return {
    kind: 'path',
    start,
    end: start + address.length,
    line,
    target: read.target,
    anchor,
    format: (to) => {
      if (!isBracketed) return encodeDestination(to, isEncoded, special) + anchor;
      return `<${isPlain(to) ? to : encodeDestination(to, false, special)}${anchor}>`;
    },
  };
}

/** Whether the target needs no encoding between `<` and `>`. */
function isPlain(target: string): boolean {
  return (
    !/[<>#\\\p{Cc}]/u.test(target) && !externalUrlPattern.test(target) && decodeDestination(target) === target
  );
}

/** Percent-encodes the characters that would break the link, or all of them if the original link was fully encoded. */
function encodeDestination(target: string, isAll: boolean, special: RegExp): string {
  const text = isAll ? encodeURI(target) : target.replaceAll(/[%\s\p{Cc}]/gu, encodeURIComponent);
  // Otherwise a name with a colon would be parsed as a URL scheme.
  return text
    .replaceAll(special, percent)
    .replace(externalUrlPattern, (start) => start.replace(/[:/]$/, percent));
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Resolves backslash escapes of punctuation. */
function unescapeBackslashes(address: string): string {
  return address.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** Returns invalid percent-encoding unchanged. */
function decodeDestination(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
