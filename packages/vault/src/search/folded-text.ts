import { findAssistantTurns, findComments } from './spans.ts';
import { fileNameWords, normalizeText } from './tokenizer.ts';

type Span = { start: number; end: number };

/** A line of normalized text; `position` is its middle, in tokens from the start of the text. */
type FoldedLine = Span & { tokens: number; position: number };

/** The text of a chunk as it is compared with queries. */
export type FoldedText = {
  /** The name of the file; see `fileNameWords`. */
  name: string;
  headingPath: string;
  body: string;
  lines: readonly FoldedLine[];
  /** The HTML comments in the body. */
  comments: readonly Span[];
  /** What an AI said, if the body is a conversation. */
  turns: readonly Span[];
  /** Whether heading path or body contain a word in lower case with these accents. */
  hasAccented(word: string): boolean;
};

type Text = { path: string; headingPath: string; headings: readonly { text: string }[]; body: string };

export function foldText({ path, headingPath, headings, body }: Text): FoldedText {
  const folded = normalizeText(body);
  let accented: string | null = null;
  return {
    name: fileNameWords(path),
    headingPath: normalizeText(headingPath),
    body: folded,
    lines: splitFoldedLines(folded),
    comments: findComments(folded),
    turns: findAssistantTurns({ headings }, folded),
    hasAccented(word) {
      accented ??= `${headingPath}\n${body}`.normalize('NFC').toLowerCase();
      return accented.includes(word);
    },
  };
}

function splitFoldedLines(text: string): FoldedLine[] {
  const lines: FoldedLine[] = [];
  let position = 0;
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const tokens = estimateLineTokens(end - start);
    position += tokens;
    lines.push({ start, end, tokens, position: position - tokens / 2 });
    start = end + 1;
  }
  return lines;
}

/** Tokens of a line of this many characters as displayed, including its line number. */
export function estimateLineTokens(characters: number): number {
  return (characters + 7) / 4;
}
