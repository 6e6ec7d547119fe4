import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { classHighlighter, highlightTree } from '@lezer/highlight';

/** A piece of a line of code with its class names; `name` is empty for plain text. */
export type HighlightedToken = { text: string; name: string };

/** Longer code is not highlighted, because parsing it would block the page. */
const maxHighlightCharacters = 100_000;

/** The tokens of each line; null if the language is unknown or the code is too long. */
export async function highlightCode(
  lines: readonly string[],
  language: string,
): Promise<HighlightedToken[][] | null> {
  const description = LanguageDescription.matchLanguageName(languages, language);
  const text = lines.join('');
  if (description === null || text.length > maxHighlightCharacters) return null;
  const { language: loaded } = await description.load();
  const marks: { from: number; to: number; name: string }[] = [];
  highlightTree(loaded.parser.parse(text), classHighlighter, (from, to, name) =>
    marks.push({ from, to, name }),
  );
  let at = 0;
  let next = 0;
  return lines.map((line) => {
    const end = at + line.length;
    const parts: HighlightedToken[] = [];
    while (at < end) {
      while ((marks[next]?.to ?? Infinity) <= at) next += 1;
      const mark = marks[next];
      const isMarked = mark !== undefined && mark.from <= at;
      const to = Math.min(end, isMarked ? mark.to : (mark?.from ?? end));
      parts.push({ text: text.slice(at, to), name: isMarked ? mark.name : '' });
      at = to;
    }
    return parts;
  });
}
