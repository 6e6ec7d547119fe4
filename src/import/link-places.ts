/** A place in a text that points to a file. `target` is what it names; `write` gives the place for another one. */
export type LinkPlace = {
  kind: 'path' | 'wiki';
  start: number;
  end: number;
  target: string;
  write: (target: string) => string;
};

const wiki = /(!?)\[\[([^[\]\n|#^]{1,500}?)([#^][^[\]\n|]{0,500}?)?(\\?\|[^[\]\n]{0,500})?\]\]/g;
const inline = /\]\([ \t]*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)/g;
const reference = /^ {0,3}\[[^\]\n]+\]:[ \t]*(<[^<>\n]*>|\S+)/g;
const attribute = /\b(?:src|href)=(?:"([^"\n]*)"|'([^'\n]*)')/gi;

/** Links of a markdown text, in order, outside of code. */
export function linkPlaces(text: string): LinkPlace[] {
  if (!/\]\(|\]:|\[\[|src=|href=/i.test(text)) return [];
  const places: LinkPlace[] = [];
  let fence: string | null = null;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const marks = /^(?:[ \t>]|[-*+] |\d+[.)] )*(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== null) {
      if (marks?.[1]?.startsWith(fence) === true && marks[2]?.trim() === '') fence = null;
    } else if (marks !== null && !(marks[2] ?? '').includes('`')) fence = marks[1] ?? null;
    else places.push(...placesIn(withoutCode(line), start));
    start = end + 1;
  }
  return places;
}

/** The line with code in it blanked, so that places stay where they are. */
function withoutCode(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map(({ index, 0: marks }) => ({ index, size: marks.length }));
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
    result += line.slice(end, index) + ' '.repeat(closing + size - index);
    end = closing + size;
  }
  return result + line.slice(end);
}

function placesIn(line: string, offset: number): LinkPlace[] {
  const places: LinkPlace[] = [];
  for (const match of line.matchAll(wiki)) {
    const [whole, embed = '', target = '', part = '', label = ''] = match;
    // What is shown stays what it was, also where it was the name.
    const shown = label !== '' || embed !== '' ? label : `|${target}${part}`;
    places.push({
      kind: 'wiki',
      start: offset + match.index,
      end: offset + match.index + whole.length,
      target,
      write: (to) => `${embed}[[${to}${part}${shown}]]`,
    });
  }
  for (const pattern of [inline, reference, attribute]) {
    for (const match of line.matchAll(pattern)) {
      const url = match[1] ?? match[2] ?? '';
      const start = offset + match.index + match[0].lastIndexOf(url);
      const place = url === '' ? null : pathPlace(url, start);
      if (place !== null) places.push(place);
    }
  }
  return places.toSorted((a, b) => a.start - b.start).filter(isApart);
}

/** Of two that overlap the first one counts. */
function isApart({ start }: LinkPlace, index: number, all: readonly LinkPlace[]): boolean {
  return index === 0 || (all[index - 1]?.end ?? 0) <= start;
}

/** Null for what leads to the web, or within the same text. */
function pathPlace(url: string, start: number): LinkPlace | null {
  const isBracketed = url.startsWith('<');
  const plain = isBracketed ? url.slice(1, -1) : url;
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(plain)) return null;
  const [, path = '', rest = ''] = /^([^#]*)(.*)$/s.exec(plain) ?? [];
  const isEncoded = /%[\da-f]{2}/i.test(path);
  return {
    kind: 'path',
    start,
    end: start + url.length,
    target: decoded(path),
    write: (to) => (isBracketed ? `<${to}${rest}>` : `${encoded(to, isEncoded)}${rest}`),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As much as has to be for a link to be one, or everything, as the program did that wrote it. */
function encoded(path: string, isAll: boolean): string {
  const text = isAll ? encodeURI(path) : path.replaceAll(/[%\s]/g, encodeURIComponent);
  return text.replaceAll(
    /[()#?<>"]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
