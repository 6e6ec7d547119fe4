import type { Converter } from '../document.ts';
import { refuse } from '../rejection.ts';
import { decodeText, normalizeLineEndings } from './decode-text.ts';

/** Plain text is not escaped: if it looks like markdown, the user meant it that way. Markdown stays unchanged. */
export const convertText: Converter = async ({ name, bytes }) => {
  const { text, warnings } = decodeText(bytes);
  if (text.includes('\0')) return refuse('damaged', 'not a text file: it contains NUL characters');
  if (text.trim() === '') return refuse('empty', 'the file is empty');
  const isMarkdown = /\.(?:md|markdown)$/i.test(name);
  const title = isMarkdown ? firstHeading(text) : undefined;
  return {
    kind: 'converted',
    markdown: isMarkdown ? text : normalizeLineEndings(text),
    images: [],
    metadata: { type: isMarkdown ? 'markdown' : 'text', ...(title !== undefined && { title }) },
    warnings,
    attachments: [],
  };
};

/** Finds the first ATX or Setext heading outside of frontmatter and code. */
function firstHeading(markdown: string): string | undefined {
  const lines = normalizeLineEndings(markdown)
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
