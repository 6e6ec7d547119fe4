type Heading = {
  level: number;
  text: string;
  /** Number of lines of the heading, including the current one: 1 for `# …`, more when it is underlined. */
  lines: number;
};

export type OutlineLine = {
  heading: Heading | null;
  /** Inside a code fence, a comment or raw HTML, including the delimiters: never a heading and not a place to split. */
  isVerbatim: boolean;
};

const fenceOpen = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const listFenceOpen = /^ {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]+(`{3,}(?=[^`]*$)|~{3,})/;
const rawOpen = /^ {0,3}<(?:!--|(?:script|pre|style|textarea)(?:[\s>]|$))/i;
const atxOpen = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
const blank = /^[ \t]*$/;
const containerOpen = /^ {0,3}(?:>|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))/;
export const horizontalRulePattern = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const indentedCode = /^(?: {4}| {0,3}\t)/;

/**
 * Creates a parser that takes the lines of a markdown body one by one, without line endings, and reports headings, so that a file
 * of any size can be outlined. Follows CommonMark for documents without nesting; headings in quotes and list items are ignored.
 */
export function createOutlineParser(): (line: string) => OutlineLine {
  let fence: RegExp | null = null;
  let rawEnd: RegExp | null = null;
  let paragraph: string[] = [];
  let inContainer = false;

  return (line) => {
    if (fence !== null) {
      if (fence.test(line)) fence = null;
      return { heading: null, isVerbatim: true };
    }
    if (rawEnd !== null) {
      if (rawEnd.test(line)) rawEnd = null;
      return { heading: null, isVerbatim: true };
    }
    const opened = (fenceOpen.exec(line) ?? listFenceOpen.exec(line))?.[1];
    const raw = rawOpen.exec(line)?.[0];
    if (opened !== undefined || raw !== undefined) {
      if (opened !== undefined) fence = closingFence(opened, fenceOpen.test(line));
      if (raw !== undefined) rawEnd = rawHtmlEnd(raw, line);
      paragraph = [];
      inContainer = false;
      return { heading: null, isVerbatim: true };
    }
    const heading = atxHeading(line) ?? setextHeading(line, paragraph);
    const inParagraph = heading === null && !blank.test(line) && !horizontalRulePattern.test(line);
    if (!inParagraph) inContainer = false;
    else if (containerOpen.test(line)) inContainer = true;
    const continues = inParagraph && !inContainer && (paragraph.length > 0 || !indentedCode.test(line));
    paragraph = continues ? [...paragraph.slice(-9), line] : [];
    return { heading, isVerbatim: false };
  };
}

/** Inside a list item, the closing fence is indented like the text of the item. */
function closingFence(opened: string, isTopLevel: boolean): RegExp {
  return new RegExp(`^${isTopLevel ? ' {0,3}' : ' *'}${opened.charAt(0)}{${opened.length},}[ \\t]*$`);
}

function atxHeading(line: string): Heading | null {
  const marks = atxOpen.exec(line)?.[1];
  if (marks === undefined) return null;
  let text = line.slice(line.indexOf(marks) + marks.length).trim();
  const closing = text.length - trailingMarks(text);
  if (closing === 0 || /[ \t]/.test(text.charAt(closing - 1))) text = text.slice(0, closing).trimEnd();
  return { level: marks.length, text, lines: 1 };
}

function trailingMarks(text: string): number {
  let count = 0;
  while (text.charAt(text.length - 1 - count) === '#') count += 1;
  return count;
}

function setextHeading(line: string, paragraph: string[]): Heading | null {
  if (paragraph.length === 0 || !underline.test(line)) return null;
  const text = paragraph.map((part) => part.trim()).join(' ');
  return { level: line.includes('=') ? 1 : 2, text, lines: paragraph.length + 1 };
}

/** The pattern that ends raw HTML; null when the opening line also ends it. */
function rawHtmlEnd(opening: string, line: string): RegExp | null {
  const end = opening.endsWith('<!--') ? /-->/ : /<\/(?:script|pre|style|textarea)>/i;
  // A comment may be as short as <!-->, so the whole line is searched.
  return end.test(line) ? null : end;
}
