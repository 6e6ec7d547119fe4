import type { Converter } from '../port.ts';
import { refuse } from '../refusal.ts';
import { decodeText, unixLines } from './decode-text.ts';

/** Text is markdown already; what could be misread as structure is what the person wrote. Markdown stays as it is. */
export const convertText: Converter = async ({ name, bytes }) => {
  const { text, warnings } = decodeText(bytes);
  if (text.includes('\0')) return refuse('damaged', 'it is not text: there are NUL characters in it');
  if (text.trim() === '') return refuse('empty', 'there is nothing in it');
  const isMarkdown = /\.(?:md|markdown)$/i.test(name);
  const title = isMarkdown ? firstHeading(text) : undefined;
  return {
    kind: 'converted',
    markdown: isMarkdown ? text : unixLines(text),
    images: [],
    metadata: { type: isMarkdown ? 'markdown' : 'text', ...(title !== undefined && { title }) },
    warnings,
    attachments: [],
  };
};

/** Of either form; not in frontmatter, nor in code. */
function firstHeading(markdown: string): string | undefined {
  const lines = unixLines(markdown)
    .replace(/^---\n[^]*?\n(?:---|\.\.\.)(?:\n|$)/, '')
    .split('\n');
  let fence = '';
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
    } else if (mark !== '') fence = mark;
    else {
      const [, title = ''] = /^ {0,3}#{1,6}[ \t](.*)$/.exec(line) ?? [];
      if (title.trim() !== '')
        return title
          .trim()
          .replace(/[ \t]#+$/, '')
          .trimEnd();
      if (/^ {0,3}[^\s>#-]/.test(line) && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(lines[index + 1] ?? ''))
        return line.trim();
    }
  }
  return undefined;
}
