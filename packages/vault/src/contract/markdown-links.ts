/** A place in a markdown text that leads to another file. */
export type MarkdownLink = {
  /** A path leads from the file it stands in; a wikilink names a file wherever it lies. */
  kind: 'path' | 'wiki';
  /** What has to be replaced for another target: the address alone, or the whole wikilink. */
  start: number;
  end: number;
  /** Counted from 1. */
  line: number;
  /** What it names, decoded and without its anchor. */
  target: string;
  /** As it is written, with its mark: `#part`, `#^block`. */
  anchor: string;
  /** The same place with another target, in the way this one was written, or as a path where a name cannot be. */
  write: (target: string, as?: 'path') => string;
};

export type Wikilink = MarkdownLink & { kind: 'wiki'; isEmbed: boolean; label: string };

// Everything is bounded, and read line by line, so that no text takes long.
const mayHoldLinks = /\]\(|\]:|\[\[|src=|href=/i;
const wiki = /(!?)\[\[([^[\]\n|#^]{0,500}?)([#^][^[\]\n|]{0,500}?)?(\\?\|[^[\]]{0,500})?\]\]/g;
const inline =
  /(?<!\\)\]\([ \t]*(<(?:\\[^\n]|[^<>\n\\]){1,4000}>|(?:\\\S|[^\s()<>\\]|\((?:\\\S|[^\s()<>\\]){0,4000}\)){1,4000})(?=[ \t]*(?:\)|$)|[ \t]+["'(=])/g;
const reference =
  /^ {0,3}\[(?!\^)[^\]]{1,1000}\]:[ \t]*(<(?:\\[^\n]|[^<>\n\\]){1,4000}>|[^\s<]\S{0,4000})(?=[ \t]*$|[ \t]+["'(=])/g;
const attribute = /\b(?:src|href)=(?:"([^"\n]+)"|'([^'\n]+)')/gi;

/** The links of a text to files, in order, outside of code. Those that lead to the web or within the text are left out. */
export function linksIn(text: string): MarkdownLink[] {
  const links: MarkdownLink[] = [];
  if (!mayHoldLinks.test(text)) return links;
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

/** Only the wikilinks of one line, also those within the same text (`[[#part]]`), for whoever knows that it holds no code. */
export function wikilinksIn(content: string): Wikilink[] {
  return [...content.matchAll(wiki)].flatMap((match) => wikilink(match, content, 0, 1) ?? []);
}

/** What an address names, decoded; its target is empty within the same text. Null for what leads out of the vault. */
export function readAddress(address: string): { target: string; anchor: string } | null {
  if (outside.test(address)) return null;
  const hash = address.indexOf('#');
  if (hash < 0) return { target: decoded(address), anchor: '' };
  return { target: decoded(address.slice(0, hash)), anchor: address.slice(hash) };
}

const outside = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

function linksInLine(content: string, offset: number, line: number): MarkdownLink[] {
  if (!mayHoldLinks.test(content)) return [];
  const prose = withoutCode(content);
  const found: MarkdownLink[] = [];
  for (const match of prose.matchAll(wiki)) {
    const link = wikilink(match, content, offset, line);
    if (link !== null && link.target.trim() !== '') found.push(link);
  }
  for (const pattern of [inline, reference, attribute])
    for (const match of prose.matchAll(pattern)) {
      const address = match[1] ?? match[2] ?? '';
      const at = match.index + match[0].lastIndexOf(address);
      const form = pattern !== attribute ? 'markdown' : match[1] === undefined ? 'single' : 'double';
      const link = pathLink(address, form, offset + at, line);
      if (link !== null) found.push(link);
    }
  // Of two that overlap the first one counts.
  let end = 0;
  return found
    .toSorted((a, b) => a.start - b.start)
    .filter((link, index, all) => {
      const isApart = link.start >= end && !endsInsideWikilink(all, index);
      if (isApart) end = link.end;
      return isApart;
    });
}

/** An address that ends in the middle of a wikilink was none. They are in the order in which they begin. */
function endsInsideWikilink(links: readonly MarkdownLink[], index: number): boolean {
  const link = links[index];
  if (link?.kind !== 'path') return false;
  for (let at = index + 1; ; at += 1) {
    const next = links[at];
    if (next === undefined || next.start >= link.end) return false;
    if (next.kind === 'wiki' && next.end > link.end) return true;
  }
}

/** The line with a newline for each character of code: so places stay where they are, and no target can have one. */
function withoutCode(content: string): string {
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

/** Null for what names nothing. */
function wikilink(match: RegExpExecArray, content: string, offset: number, line: number): Wikilink | null {
  const [whole, embed = '', target = '', anchor = '', marked = ''] = match;
  if (target === '' && anchor === '') return null;
  const closing = match.index + whole.length - 2;
  // From the line itself, as code may be part of a label.
  const label = content.slice(closing - marked.length, closing);
  const bar = /^\s*\|/.test(content) ? String.raw`\|` : '|';
  const plainLabel = label.replace(/^\\?\|/, '');
  // What is shown stays what it was, also where it was the name; it need not be said where it is the name again.
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
    write(to, as) {
      if (as === undefined) return `${embed}[[${to}${anchor}${shownFor(`${to}${anchor}`)}]]`;
      const words = shown.replace(/^\\?\|/, '').replace(/\\$/, '');
      return `${embed}[${words}](${encoded(to, false, specialInMarkdown)}${anchor.replace(/^\^/, '#^')})`;
    },
  };
}

/** Also within double quotes. */
const specialInMarkdown = /[()#?<>"\\]/g;

type Form = 'markdown' | 'single' | 'double';

/** Null for what leads out of the vault, or within the same text. */
function pathLink(address: string, form: Form, start: number, line: number): MarkdownLink | null {
  const isBracketed = form === 'markdown' && address.startsWith('<');
  const plain = isBracketed ? address.slice(1, -1) : address;
  const read = readAddress(form === 'markdown' ? unescaped(plain) : plain);
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
    write: (to) => {
      if (!isBracketed) return encoded(to, isEncoded, special) + anchor;
      return `<${isPlain(to) ? to : encoded(to, false, special)}${anchor}>`;
    },
  };
}

/** Whether it is read as itself between `<` and `>`. */
function isPlain(target: string): boolean {
  return !/[<>#\\\p{Cc}]/u.test(target) && !outside.test(target) && decoded(target) === target;
}

/** As much as has to be for a link to be one, or everything, as the program did that wrote it. */
function encoded(target: string, isAll: boolean, special: RegExp): string {
  const text = isAll ? encodeURI(target) : target.replaceAll(/[%\s\p{Cc}]/gu, encodeURIComponent);
  // Else what stands before a colon would pass for a protocol.
  return text.replaceAll(special, percent).replace(outside, (start) => start.replace(/[:/]$/, percent));
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A backslash takes its meaning from the sign that follows it. */
function unescaped(address: string): string {
  return address.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** What is not encoded in the right way is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
