import { isMaintainedField } from '../file/note.ts';

/** A note as the editor shows it, with the stamps of Keepsake separate from the text of the user. */
export type NoteParts = {
  /** Everything before the body, verbatim: byte order mark, frontmatter and one empty line below it. */
  head: string;
  /** The lines of the frontmatter that Keepsake maintains. */
  stamps: string;
  /** The other lines of the frontmatter, with `\n` as their line ends. */
  properties: string;
  body: string;
};

export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** A file that is not markdown consists only of a body. */
export function splitNote(path: string, text: string): NoteParts {
  if (!isMarkdown(path)) return { head: '', stamps: '', properties: '', body: text };
  const [mark = ''] = /^\uFEFF?/.exec(text) ?? [];
  const yaml = yamlIn(text.slice(mark.length));
  const end = mark.length + (yaml === null ? 0 : yaml.end);
  const head = text.slice(0, end + (/^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0));
  const lines =
    yaml === null ? [] : text.slice(mark.length + yaml.start, mark.length + yaml.close).split(/(?<=\n)/);
  return {
    head,
    stamps: lines.filter(isStampLine).join(''),
    properties: lines
      .filter((line) => !isStampLine(line))
      .join('')
      .replaceAll('\r\n', '\n'),
    body: text.slice(head.length),
  };
}

/** The text of a note with this body. */
export function withBody({ head }: Pick<NoteParts, 'head'>, body: string): string {
  return head === '' || /\n$|^\uFEFF$/.test(head) || body === '' ? head + body : `${head}\n${body}`;
}

/** The head of the note with these properties. Stamps are preserved; unchanged properties leave the head as it is. */
export function withProperties(parts: NoteParts, properties: string): string {
  if (properties === parts.properties) return parts.head;
  const mark = parts.head.startsWith('\uFEFF') ? '\uFEFF' : '';
  const isEmpty = properties.trim() === '';
  if (isEmpty && parts.stamps === '') return mark;
  const end = (parts.head + parts.body).includes('\r\n') ? '\r\n' : '\n';
  const lines = isEmpty ? '' : `${properties.replace(/\n*$/, '')}\n`.replaceAll('\n', end);
  return `${mark}---${end}${parts.stamps}${lines}---${end}${end}`;
}

/** Whether two versions of a note differ at most in their stamps. */
export function hasSameContent(path: string, one: string, other: string): boolean {
  const [a, b] = [splitNote(path, one), splitNote(path, other)];
  return a.properties === b.properties && a.body === b.body;
}

/** Offsets of the frontmatter: the start of its lines, the start of the closing line, and the end. */
function yamlIn(text: string): { start: number; close: number; end: number } | null {
  const start = /^---[ \t]*\r?\n/.exec(text)?.[0].length;
  if (start === undefined) return null;
  const closing = /(?<=\n)---[ \t]*\r?(?:\n|$)/g;
  closing.lastIndex = start;
  const found = closing.exec(text);
  return found === null ? null : { start, close: found.index, end: found.index + found[0].length };
}

function isStampLine(line: string): boolean {
  const [, key, , value] = /^(\w+):[ \t]+(["']?)(.*)\2\s*$/.exec(line) ?? [];
  return key !== undefined && value !== undefined && isMaintainedField({ key, value, line: 0 });
}
