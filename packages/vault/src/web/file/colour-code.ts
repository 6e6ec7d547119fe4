import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { classHighlighter, highlightTree } from '@lezer/highlight';

/** A piece of a line of code, with the names of its colour; without one it is plain. */
export type ColouredPart = { text: string; name: string };

/** Longer code stays plain: reading it would keep the page waiting. */
const longest = 100_000;

/** The parts of each line in this language; null when it is not known. */
export async function colourCode(
  lines: readonly string[],
  language: string,
): Promise<ColouredPart[][] | null> {
  const description = LanguageDescription.matchLanguageName(languages, language);
  const text = lines.join('');
  if (description === null || text.length > longest) return null;
  const { language: loaded } = await description.load();
  const marks: { from: number; to: number; name: string }[] = [];
  highlightTree(loaded.parser.parse(text), classHighlighter, (from, to, name) =>
    marks.push({ from, to, name }),
  );
  let at = 0;
  let next = 0;
  return lines.map((line) => {
    const end = at + line.length;
    const parts: ColouredPart[] = [];
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
